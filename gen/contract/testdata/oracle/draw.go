package main

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"
)

// enums has the constants of types by import path and name, as JSON.
var enums = map[string][]string{}

var (
	timeType   = reflect.TypeFor[time.Time]()
	bigType    = reflect.TypeFor[big.Int]()
	floatType  = reflect.TypeFor[big.Float]()
	ratType    = reflect.TypeFor[big.Rat]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	numberType = reflect.TypeFor[json.Number]()
)

var texts = []string{"", "a", "Zürich <&>", "7", "-12", "\"quoted\"", "2026-01-02T03:04:05Z", "YWJj", "line\nline\u2028", "\x00\xff"}

// draw sets v to a random value: often to an extreme one, to nil, or to something empty.
func draw(r *rand.Rand, v reflect.Value, depth int) {
	t := v.Type()
	if !v.CanSet() && t.Kind() != reflect.Struct { // behind an embedded struct that is not exported
		return
	}
	if list := enums[t.PkgPath()+"."+t.Name()]; list != nil {
		if err := json.Unmarshal([]byte(list[r.IntN(len(list))]), v.Addr().Interface()); err != nil {
			panic(err)
		}
		return
	}
	if special(r, v) {
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		bits := t.Bits()
		v.SetInt([]int64{0, 1, -1, 1<<(bits-1) - 1, -1 << (bits - 1), r.Int64() >> (64 - bits), 77}[r.IntN(7)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint([]uint64{0, 1, math.MaxUint64 >> (64 - t.Bits()), r.Uint64() >> (64 - t.Bits()), 77}[r.IntN(5)])
	case reflect.Float32:
		v.SetFloat([]float64{0, 1, -2.5, math.MaxFloat32, math.SmallestNonzeroFloat32, float64(float32(r.NormFloat64()))}[r.IntN(6)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, -2.5, math.MaxFloat64, math.SmallestNonzeroFloat64, r.NormFloat64(), 1e21, 0.1}[r.IntN(8)])
	case reflect.String:
		v.SetString(texts[r.IntN(len(texts))])
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(t.Elem()))
			draw(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if n := r.IntN(5) - 1; n >= 0 && depth > 0 {
			v.Set(reflect.MakeSlice(t, n, n))
			for i := range n {
				draw(r, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			draw(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		if n := r.IntN(4) - 1; n >= 0 && depth > 0 {
			v.Set(reflect.MakeMap(t))
			for range n {
				key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				draw(r, key, depth-1)
				draw(r, elem, depth-1)
				if text := key.String(); key.Kind() == reflect.String && text != "" && text[0] == 0 {
					continue // two invalid keys would become one
				}
				v.SetMapIndex(key, elem)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || t.Field(i).Anonymous && f.Kind() == reflect.Struct {
				draw(r, f, depth)
			}
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			choices := []any{nil, "text", 2.5, true, []any{1.0, nil}, map[string]any{"a": "b"}}
			if x := choices[r.IntN(len(choices))]; x != nil {
				v.Set(reflect.ValueOf(x))
			}
		}
	}
}

// special draws values of types whose fields are not exported or whose text has a grammar.
func special(r *rand.Rand, v reflect.Value) bool {
	n := r.Int64() >> r.IntN(63)
	if !v.CanSet() {
		return false
	}
	switch v.Type() {
	case timeType:
		at := []time.Time{{}, time.Unix(n%1e9, r.Int64N(1e9)).UTC(), time.Unix(n%1e9, 0).In(time.FixedZone("", 5400)).UTC()}
		v.Set(reflect.ValueOf(at[r.IntN(3)]))
	case bigType:
		x := big.NewInt(n)
		v.Set(reflect.ValueOf(*x.Mul(x, big.NewInt(r.Int64()))))
	case floatType:
		v.Set(reflect.ValueOf(*big.NewFloat(r.NormFloat64())))
	case ratType:
		v.Set(reflect.ValueOf(*big.NewRat(n, 7)))
	case rawType:
		list := []string{"", "null", "1", `{"a":[1,2]}`, `"x"`}
		if s := list[r.IntN(len(list))]; s != "" {
			v.SetBytes([]byte(s))
		}
	case numberType:
		v.SetString([]string{"0", "1", "-2.5e3", strconv.FormatInt(n, 10)}[r.IntN(4)])
	default:
		return false
	}
	return true
}
