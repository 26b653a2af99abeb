package gobin_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
)

// fill sets v to a random value that survives a round trip: empty slices and
// maps are nil, times are UTC. Deeper than depth everything is zero.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if depth <= 0 || r.IntN(6) == 0 {
		return
	}
	var known any
	if v.CanInterface() { // else it is embedded and unexported
		known = v.Interface()
	}
	switch known.(type) {
	case time.Time:
		v.Set(reflect.ValueOf(randomTime(r)))
		return
	case big.Int:
		v.Set(reflect.ValueOf(*randomInt(r)))
		return
	case big.Float:
		v.Set(reflect.ValueOf(*randomFloat(r)))
		return
	case json.Number:
		v.SetString("12.50")
		return
	case netip.Addr:
		v.Set(reflect.ValueOf(netip.AddrFrom4([4]byte{10, byte(r.Uint32()), 0, 1})))
		return
	case kinds.Checked:
		v.Field(0).SetInt(2 * int64(r.Int32()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(r.NormFloat64())))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(r.Int32()), 1))
	case reflect.String:
		v.SetString(randomText(r))
	case reflect.Interface:
		if v.NumMethod() > 0 {
			v.Set(reflect.ValueOf(randomShape(r, depth-1)))
			return
		}
		if x := randomAny(r, depth-1); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem(), depth-1)
	case reflect.Slice:
		n := 1 + r.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillElem(r, v.Index(i), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth)
		}
	case reflect.Map:
		fillMap(r, v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("zmy") != "-" && (f.IsExported() || f.Anonymous) {
				fill(r, v.Field(i), depth-1)
			}
		}
	}
}

// fillElem is fill where a nil *struct has no place.
func fillElem(r *rand.Rand, v reflect.Value, depth int) {
	fill(r, v, depth-1)
	if v.Kind() == reflect.Pointer && v.IsNil() && v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem() != reflect.TypeFor[big.Int]() {
		v.Set(reflect.New(v.Type().Elem()))
	}
}

func fillMap(r *rand.Rand, v reflect.Value, depth int) {
	v.Set(reflect.MakeMap(v.Type()))
	for range 1 + r.IntN(5) {
		k := reflect.New(v.Type().Key()).Elem()
		e := reflect.New(v.Type().Elem()).Elem()
		fill(r, k, depth)
		fillElem(r, e, depth)
		v.SetMapIndex(k, e)
	}
}

func randomShape(r *rand.Rand, depth int) kinds.Shape {
	switch r.IntN(4) {
	case 0:
		return kinds.Nothing{}
	case 1:
		return kinds.ShapeUnknown{Disc: 77, Raw: []byte(randomText(r))}
	case 2:
		g := new(kinds.Group)
		fill(r, reflect.ValueOf(g).Elem(), depth)
		return g
	}
	return kinds.Circle{Radius: r.NormFloat64()}
}

func randomText(r *rand.Rand) string {
	words := []string{"a", "é", "key", "日本語", "value with spaces", "😀", "0123456789abcdef"}
	s := words[r.IntN(len(words))]
	return s + strings.Repeat("z", r.IntN(12))
}

func randomTime(r *rand.Rand) time.Time {
	return time.Unix(r.Int64N(4e9)-1e9, r.Int64N(1e9)).UTC()
}

func randomInt(r *rand.Rand) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(int64(r.Uint32()>>1)), uint(r.IntN(100)))
	if r.IntN(2) == 0 {
		x.Neg(x)
	}
	return x
}

func randomFloat(r *rand.Rand) *big.Float {
	switch r.IntN(8) {
	case 0:
		return new(big.Float).SetInf(r.IntN(2) == 0)
	case 1:
		return new(big.Float).SetPrec(100).SetMode(big.ToZero)
	case 2:
		x, _ := new(big.Float).SetPrec(200).SetString("-0.1")
		return new(big.Float).Set(x) // its accuracy is now Exact, as after reading
	}
	return big.NewFloat(r.NormFloat64())
}

func randomAny(r *rand.Rand, depth int) any {
	kinds := 22
	if depth <= 0 {
		kinds = 16
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2)))
	case 3:
		return r.Uint64() | 1<<63
	case 4:
		return r.NormFloat64()
	case 5:
		return randomText(r)
	case 6:
		return []byte(randomText(r))
	case 7:
		return randomTime(r)
	case 8:
		return time.Duration(r.Int64())
	case 9:
		return randomInt(r)
	case 10:
		return big.NewFloat(1.5)
	case 11:
		return json.RawMessage(`{"a":1}`)
	case 12:
		return float32(2.5)
	case 13:
		return complex(1, 2)
	case 14:
		return []string{"x", "é"}
	case 15:
		return json.Number("1e9")
	case 16:
		return []float64{1, 2, 3}
	case 17:
		return []int{-1, 2}
	case 18:
		return map[string]string{"k": "v", "j": ""}
	case 19:
		return []time.Time{randomTime(r)}
	case 20:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, randomAny(r, depth-1))
		}
		return l
	}
	m := map[string]any{}
	for range r.IntN(4) {
		m[randomText(r)] = randomAny(r, depth-1)
	}
	return m
}
