package fxjson_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// texts are parts of random strings.
var texts = []string{"", "a", "plain", "<b>&", `"`, `\`, "\n\t\b", "\f\r\x7f", "\x00", "é", "日本", "\u2028", "😀", "\xff",
	"\xed\xa0\x80", strings.Repeat("long text ", 9)}

func text(r *rand.Rand) string { return texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))] }

// fill puts random values into v.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() || r.IntN(8) == 0 {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int64N(4e9)-1e9, int64(r.IntN(3))*r.Int64N(1e9)).UTC()
		if r.IntN(4) == 0 {
			*p = p.In(time.FixedZone("", (r.IntN(48)-24)*1800))
		}
		return
	case *json.Number:
		*p = json.Number([]string{"", "0", "-1.5e3", "12345678901234567890", "0", "7", "8", "9", "10", "NaN", "1e",
			"01"}[r.IntN(9+r.IntN(40)/39*3)])
		return
	case *json.RawMessage:
		*p = json.RawMessage([]string{"null", ` { "a" : [ 1 , "<" ] } `, `"x"`, "1"}[r.IntN(4)])
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{1, 2, 3, byte(r.IntN(256))})
		return
	case *big.Int:
		p.SetString(strconv.FormatUint(r.Uint64(), 10)+"123456789", 10)
		return
	case *big.Float:
		p.SetFloat64(r.NormFloat64())
		return
	case *any:
		*p = dynamic(r, depth)
		return
	case *jsontypes.Money:
		p.Cents = r.Int64N(20)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float(r))
	case reflect.String:
		v.SetString(text(r))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth)
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 5))
			for i := range v.Len() {
				fill(r, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range r.IntN(20) {
				k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(r, k, 1)
				fill(r, e, depth-1)
				if _, ok := k.Interface().(jsontypes.Color); ok && k.Int() < 0 && r.IntN(50) > 0 {
					continue // keys that fail, but seldom
				}
				v.SetMapIndex(k, e)
			}
		}
	}
}

func float(r *rand.Rand) float64 {
	switch r.IntN(60) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(-1)
	case 2:
		return math.Copysign(0, -1)
	case 3:
		return 1e21
	}
	return math.Round(r.NormFloat64()*1e6) / math.Pow10(r.IntN(12))
}

// dynamic is a value for an interface.
func dynamic(r *rand.Rand, depth int) any {
	n := 12
	if depth > 0 {
		n = 16
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return r.IntN(1000)
	case 3:
		return uint64(r.Uint64())
	case 4:
		return float(r)
	case 5:
		return time.Unix(r.Int64N(1e9), 0).UTC()
	case 6:
		return jsontypes.Point{X: 1}
	case 7:
		return &jsontypes.SSEEvent{ID: text(r)}
	case 8:
		return jsontypes.SSEEvent{Data: text(r)}
	case 9:
		return jsontypes.ByPointer{N: 3}
	case 12, 13:
		m := map[string]any{}
		for range r.IntN(20) {
			m[text(r)] = dynamic(r, depth-1)
		}
		return m
	case 14, 15:
		a := make([]any, r.IntN(4))
		for i := range a {
			a[i] = dynamic(r, depth-1)
		}
		return a
	}
	return text(r)
}
