package fidelity

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"sort"
	"strconv"
	"testing"
	"time"
)

// random is a type with a leaf of every kind.
type random struct {
	B    bool
	I    int16
	U    uint64
	F    float32
	C    complex128
	S    string
	T    time.Time
	N    *big.Int
	X    *big.Float
	By   []byte
	Raw  json.RawMessage
	Arr  [3]int8
	Ptr  **int
	List []leafy
	Map  map[string]leafy
	Ints map[int]*leafy
	Dyn  any
	Any  map[string]any
	Rec  *random
}

type leafy struct {
	Name string
	Vals []float64
}

func randomValue(r *rand.Rand, depth int) random {
	leaf := func() leafy { return leafy{strconv.Itoa(r.IntN(1000)), []float64{r.Float64(), r.Float64()}} }
	i := r.IntN(100)
	p := &i
	v := random{
		B: r.IntN(2) == 0, I: int16(r.IntN(1000)), U: r.Uint64(), F: r.Float32(), C: complex(r.Float64(), 1),
		S: strconv.Itoa(r.IntN(1000)), T: time.Unix(r.Int64N(1e9), r.Int64N(1e9)).UTC(), N: big.NewInt(r.Int64()),
		X: big.NewFloat(r.Float64()), By: []byte{byte(r.IntN(256)), 1}, Raw: json.RawMessage(strconv.Itoa(r.IntN(1000))),
		Arr: [3]int8{1, 2, int8(r.IntN(100))}, Ptr: &p, List: []leafy{leaf(), leaf()},
		Map: map[string]leafy{"a": leaf(), "b c": leaf()}, Ints: map[int]*leafy{-7: ptr(leaf()), 10: ptr(leaf())},
		Dyn: leaf(), Any: map[string]any{"i": r.IntN(9), "m": map[string]any{"x": "y"}, "l": []any{1.5, true, []byte{1}}},
	}
	if depth > 0 {
		v.Rec = ptr(randomValue(r, depth-1))
	}
	return v
}

func ptr[T any](v T) *T { return &v }

// leaves calls f with the path of every leaf and a function that changes it. It is
// written apart from the walker: paths are plain strings, and what sits in a map or
// an interface is changed in a copy that is then put back.
func leaves(v reflect.Value, path string, put func(reflect.Value), f func(path string, change func())) {
	set := func(x any) func() { return func() { put(reflect.ValueOf(x).Convert(v.Type())) } }
	switch x := v.Interface().(type) {
	case time.Time:
		f(path, set(x.Add(1)))
		return
	case *big.Int:
		f(path, set(new(big.Int).Add(x, big.NewInt(1))))
		return
	case *big.Float:
		f(path, set(new(big.Float).Add(x, big.NewFloat(1))))
		return
	case json.RawMessage:
		f(path, set(json.RawMessage(`"changed"`)))
		return
	case []byte:
		f(path, set(append([]byte{^x[0]}, x[1:]...)))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		f(path, set(!v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16:
		f(path, set(v.Int()+1))
	case reflect.Uint64:
		f(path, set(v.Uint()^1<<63))
	case reflect.Float32, reflect.Float64:
		f(path, set(v.Float()+1))
	case reflect.Complex128:
		f(path, set(-v.Complex()))
	case reflect.String:
		f(path, set(v.String()+"!"))
	case reflect.Pointer:
		if !v.IsNil() {
			leaves(v.Elem(), path, v.Elem().Set, f)
			f(path, func() { put(reflect.Zero(v.Type())) })
		}
	case reflect.Interface:
		leaves(v.Elem(), path, put, f)
		f(path, func() { put(reflect.Zero(v.Type())) })
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), func(x reflect.Value) {
				v.Index(i).Set(x)
				put(v) // an array is a copy by now
			}, f)
		}
		if v.Kind() == reflect.Slice {
			f(path, func() { put(v.Slice(0, v.Len()-1)) })
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			key := fmt.Sprintf("[%#v]", k.Interface())
			leaves(v.MapIndex(k), path+key, func(x reflect.Value) { v.SetMapIndex(k, x) }, f)
			f(path+key, func() { v.SetMapIndex(k, reflect.Value{}) })
		}
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			name := path + "." + v.Type().Field(i).Name
			if path == "" {
				name = v.Type().Field(i).Name
			}
			leaves(c.Field(i), name, func(x reflect.Value) { c.Field(i).Set(x); put(c) }, f)
		}
	default:
		panic("no leaf of kind " + v.Kind().String())
	}
}

// A value equals itself made twice; and whatever leaf is changed, exactly that path
// is reported, as a loss, in both directions.
func TestEveryLeafIsFound(t *testing.T) {
	for seed := range uint64(20) {
		fresh := func() random { return randomValue(rand.New(rand.NewPCG(seed, 1)), 2) }
		same := fresh()
		if d := Compare(same, fresh(), Options{Every: true}); d != nil {
			t.Fatalf("two equal values differ: %v", d)
		}
		n := 0
		count := func(string, func()) { n++ }
		sortedLeaves(&same, count)
		if n < 90 {
			t.Fatalf("only %d leaves", n)
		}
		for i := range n {
			changed, at, where := fresh(), 0, ""
			sortedLeaves(&changed, func(path string, change func()) {
				if at == i {
					where = path
					change()
				}
				at++
			})
			for _, d := range [][]Diff{
				Compare(same, changed, Options{Every: true}),
				Compare(&changed, &same, Options{}),
			} {
				if len(d) != 1 || d[0].Path != where || d[0].Kind != Lossy {
					t.Fatalf("seed %d: %s was changed, found %v", seed, where, d)
				}
			}
		}
	}
}

// sortedLeaves visits the leaves in one order for equal values: it looks all of
// them up first, since maps have none.
func sortedLeaves(v *random, f func(path string, change func())) {
	type leaf struct {
		path   string
		change func()
	}
	var all []leaf
	rv := reflect.ValueOf(v).Elem()
	leaves(rv, "", rv.Set, func(path string, change func()) { all = append(all, leaf{path, change}) })
	sort.SliceStable(all, func(i, j int) bool { return all[i].path < all[j].path })
	for _, l := range all {
		f(l.path, l.change)
	}
}
