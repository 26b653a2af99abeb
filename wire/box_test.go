package wire

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Values that share memory are those that have memory of their own, also when the
// rest of them has been collected.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	kept := map[string]any{}
	want := map[string]any{}
	for i := range 300 {
		v := randomAny(r, 4)
		b, err := AppendAny(&Encoder{MaxWire: 1 << 30}, nil, v, 10)
		if err != nil {
			t.Fatal(err)
		}
		shared, err := DecodeAny(&Decoder{Budget: 1 << 30}, b, 10)
		if err != nil {
			t.Fatal(err)
		}
		own, err := DecodeAny(&Decoder{Budget: 1 << 30, CopyEach: true}, b, 10)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(shared, own) || !reflect.DeepEqual(own, v) {
			t.Fatalf("%v, by itself %v, was %v", shared, own, v)
		}
		keep(kept, strconv.Itoa(i), shared, r)
		if i%10 == 0 {
			runtime.GC()
		}
		keepSame(want, strconv.Itoa(i), own, kept)
	}
	runtime.GC()
	if len(kept) < 300 || !reflect.DeepEqual(kept, want) {
		t.Error("values changed when others had been collected")
	}
}

// keep stores some of the leaves of v under their paths.
func keep(into map[string]any, path string, v any, r *rand.Rand) {
	leaves(path, v, func(path string, v any) {
		if r.IntN(4) == 0 {
			into[path] = v
		}
	})
}

// keepSame stores those leaves of v that are kept.
func keepSame(into map[string]any, path string, v any, kept map[string]any) {
	leaves(path, v, func(path string, v any) {
		if _, ok := kept[path]; ok {
			into[path] = v
		}
	})
}

func leaves(path string, v any, do func(string, any)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			leaves(path+"."+k, x, do)
		}
	case []any:
		for i, x := range v {
			leaves(path+"."+strconv.Itoa(i), x, do)
		}
	default:
		do(path, v)
	}
}

func randomAny(r *rand.Rand, depth int) any {
	switch n := r.IntN(12); {
	case n < 2 && depth > 0:
		m := map[string]any{}
		for range r.IntN(12) {
			m[strings.Repeat("k", r.IntN(3))+strconv.Itoa(r.IntN(50))] = randomAny(r, depth-1)
		}
		return m
	case n < 4 && depth > 0:
		l := make([]any, r.IntN(6)*r.IntN(40))
		for i := range l {
			l[i] = randomAny(r, depth-2)
		}
		return l
	case n < 6:
		return strings.Repeat("é", r.IntN(5)) + strconv.Itoa(r.Int())
	case n < 8:
		return int(r.Int64()>>(r.IntN(8)*8)) * (1 - 2*r.IntN(2))
	case n < 10:
		return []float64{r.NormFloat64(), math.Inf(1), 0, math.SmallestNonzeroFloat64}[r.IntN(4)]
	case n < 11:
		return n%2 == 0
	}
	return nil
}

// BenchmarkAny decodes a small map of values of type any.
func BenchmarkAny(b *testing.B) {
	v := map[string]any{"channel": "web", "currency": "EUR", "points": 4711, "risk": 0.125, "gift": true}
	m, err := AppendAny(&Encoder{MaxWire: 1 << 16}, nil, v, 10)
	if err != nil {
		b.Fatal(err)
	}
	for _, own := range []bool{false, true} {
		b.Run(map[bool]string{false: "shared", true: "own"}[own], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeAny(&Decoder{Budget: 1 << 20, CopyEach: own}, m, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
