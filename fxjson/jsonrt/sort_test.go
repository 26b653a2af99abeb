package jsonrt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each way of sorting keys against package slices.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"", "a", "b", "\x00", "\xff", "é", "same start ", "0", "1"}
	for i := range 20_000 {
		keys := make([]string, r.IntN([]int{fewKeys + 1, 40, 300}[i%3]))
		for i := range keys {
			for range r.IntN(4) {
				keys[i] += parts[r.IntN(len(parts))]
			}
		}
		e := &Enc{keys: slices.Concat([]string{"z"}, keys)}
		want := slices.Sorted(slices.Values(keys))
		if e.sortKeys(1); !slices.Equal(e.keys[1:], want) || e.keys[0] != "z" || len(e.heads) != 0 {
			t.Fatalf("sortKeys(%q) = %q, want %q", keys, e.keys, want)
		}
	}
}

// Maps of every size, also inside each other, against encoding/json.
func TestMapSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		anys, texts := map[string]any{}, map[string]string{}
		for i := range n {
			k := fmt.Sprint("property_"[:r.IntN(10)], r.IntN(1000))
			texts[k] = fmt.Sprint(i)
			switch i % 8 {
			case 0:
				anys[k] = map[string]any{"b": k, "a": map[string]string{"x": k}}
			case 1:
				inner := map[string]any{}
				for j := range 12 {
					inner[fmt.Sprint(j)] = []any{k, map[string]any{k: j}}
				}
				anys[k] = inner
			default:
				anys[k] = k
			}
		}
		for _, v := range []any{anys, texts, map[string]map[string]string{"m": texts}} {
			want, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			e := NewEnc(false)
			got := EncodeDynamic(e, nil, v)
			if !bytes.Equal(got, want) || len(e.keys)+len(e.anys)+len(e.heads)+e.depth != 0 {
				t.Fatalf("%d keys: %s, want %s", n, got, want)
			}
			e.opt = Unsorted
			var back, again any
			if err := json.Unmarshal(EncodeDynamic(e, nil, v), &back); err != nil {
				t.Fatal(err)
			}
			json.Unmarshal(want, &again)
			if fmt.Sprint(back) != fmt.Sprint(again) {
				t.Fatalf("%d keys in any order: %v, want %v", n, back, again)
			}
			if slices.ContainsFunc(e.anys[:cap(e.anys)], func(x any) bool { return x != nil }) {
				t.Fatal("a value is kept")
			}
			if !e.Done() {
				t.Fatal("failed")
			}
		}
	}
}
