package fxjson_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// TestLargeResult marshals results whose sizes jump about the one from which on
// they are written to memory of the last result's size.
func TestLargeResult(t *testing.T) {
	for i, n := range []int{10_000, 10_000, 9_000, 50_000, 6_000, 100, 100, 20_000, 20_100, 3_000, 0, 10_000} {
		v := jsontypes.Result{Data: make([]float64, n)}
		for j := range v.Data {
			v.Data[j] = math.Sqrt(float64(i + j))
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := fxjson.Marshal(v)
			if err != nil || string(got) != string(want) {
				t.Fatalf("result %d of %d floats: %d bytes, %v; want %d", i, n, len(got), err, len(want))
			}
			if cap(got) > len(got)+len(got)/2+1024 {
				t.Errorf("result %d: %d bytes of capacity for %d", i, cap(got), len(got))
			}
		}
		if n > 0 {
			v.Data[n-1] = math.NaN()
			if _, err := fxjson.Marshal(v); err == nil {
				t.Errorf("result %d: no error for NaN", i)
			}
		}
	}
}

// TestLargeResultSizes marshals results of many sizes in turns: soon each fits the memory that it begins with.
func TestLargeResultSizes(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]jsontypes.Result, 16)
	for i := range values {
		values[i].Data = make([]float64, 6_000+r.IntN(900))
		for j := range values[i].Data {
			values[i].Data[j] = r.Float64()
		}
	}
	all := func() {
		for i := range values {
			got, err := fxjson.Marshal(&values[i])
			if err != nil || cap(got) > len(got)+len(got)/3 {
				t.Fatalf("%d bytes of capacity for %d, %v", cap(got), len(got), err)
			}
		}
	}
	for range 20 {
		all()
	}
	if got := testing.AllocsPerRun(10, all); got > float64(len(values)) {
		t.Errorf("%d results take %v allocations", len(values), got)
	}
}

// TestFirstResult marshals with new states, whose first result is not copied: it must
// not change when they are used again.
func TestFirstResult(t *testing.T) {
	first := benchResult
	first.Data = slices.Clone(first.Data)
	for range 5 {
		runtime.GC() // twice, which empties pools
		runtime.GC()
		got, err := fxjson.Marshal(&first)
		if err != nil {
			t.Fatal(err)
		}
		was := bytes.Clone(got)
		other := jsontypes.Result{ID: 7, Data: make([]float64, len(first.Data))}
		for range 3 {
			again, err := fxjson.Marshal(&other)
			if err != nil || !json.Valid(again) {
				t.Fatal(err)
			}
		}
		want, err := json.Marshal(&first)
		if err != nil || !bytes.Equal(was, want) || !bytes.Equal(got, want) {
			t.Fatal("the first result has changed")
		}
	}
}
