package main

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"time"
	"unsafe"
)

var (
	r     = rand.New(rand.NewPCG(3, 5))
	plain = false // only values that every codec keeps: UTC, nil instead of empty
	union func(t reflect.Type, depth int) any

	elements = 4 // limit for the elements of lists and maps in a message; inner ones have at most 4
)

var words = []string{"", "a", "key", "naïve", "<b>&\u2028", "\x00\x1f\"\\", "long enough to be copied in more than one step, surely", "日本語", "\xff\xfe"}

func word() string { return words[r.IntN(len(words)-few(plain))] }

func few(b bool) int {
	if b {
		return 1
	}
	return 0
}

func most(depth int) int {
	if depth < 4 {
		return 4
	}
	return elements
}

// fill sets v to a random value, or leaves it unchanged.
func fill(v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int64N(1<<33), r.Int64N(1e9)).UTC()
		if r.IntN(3) == 0 && !plain {
			*p = p.In(time.FixedZone("", 60*(r.IntN(1440)-720)))
		}
		return
	case *json.RawMessage:
		*p = json.RawMessage([]string{"null", "1", " [ 1 , {\"a\" : \"<\"} ] ", "\"x\"", "{}"}[r.IntN(5)])
		return
	case *json.Number:
		*p = json.Number([]string{"0", "-1.5e3", "", "12345678901234567890"}[r.IntN(4)])
		return
	case *big.Float:
		x := new(big.Float).SetPrec(uint(1 + r.IntN(100))).SetFloat64(r.NormFloat64())
		p.SetPrec(x.Prec()).Set(x) // a copy is exact: no rounding error on record
		return
	case *big.Int:
		p.SetInt64(r.Int64() - r.Int64())
		return
	case *any:
		*p = []any{nil, true, 1.5, word(), []any{nil, 1.0}, map[string]any{"b": 1.0, "a": word()}, []any{}}[r.IntN(7-few(plain))]
		return
	}
	if r.IntN(6) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64() >> r.IntN(64)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32:
		v.SetFloat(float64([]float32{0, -0.5, 1e21, 1e-7, math.MaxFloat32, float32(r.NormFloat64()), math.Float32frombits(r.Uint32() >> 9)}[r.IntN(7)]))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(r.NormFloat64(), 0))
	case reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), 1e21, 1e-7, math.MaxFloat64, r.NormFloat64(), float64(r.IntN(1e6)) / 100}[r.IntN(7)])
		if r.IntN(50) == 0 {
			v.SetFloat(math.Inf(1))
		}
	case reflect.String:
		v.SetString(word())
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.IsExported():
				fill(v.Field(i), depth)
			case f.Anonymous && !plain: // reflection may not set it, but its package may
				fill(reflect.NewAt(f.Type, unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem(), depth)
			}
		}
	case reflect.Interface:
		if x := union(v.Type(), depth); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth-1)
		}
	case reflect.Slice:
		if depth < 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), few(plain)+r.IntN(most(depth)), 1+most(depth)))
		for i := range v.Len() {
			fillElem(v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth < 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range few(plain) + r.IntN(most(depth)) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(k, 0)
			fillElem(e, depth-1)
			v.SetMapIndex(k, e)
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth-1)
		}
		if !plain || v.IsNil() {
			return
		}
		switch e := v.Elem(); { // codecs return a pointer to an empty value for a pointer to nil
		case e.Kind() == reflect.Slice && e.IsNil():
			e.Set(reflect.MakeSlice(e.Type(), 0, 0))
		case e.Kind() == reflect.Map && e.IsNil():
			e.Set(reflect.MakeMap(e.Type()))
		}
	}
}

// fillElem is fill for elements. If plain is set, it replaces a nil pointer to a struct, which some
// codecs cannot express in a list or map.
func fillElem(v reflect.Value, depth int) {
	fill(v, depth)
	if plain && v.Kind() == reflect.Pointer && v.IsNil() && v.Type().Elem().Kind() == reflect.Struct {
		v.Set(reflect.New(v.Type().Elem()))
	}
}
