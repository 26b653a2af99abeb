package jsonrt

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSort compares the two ways of sorting keys with package slices.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"", "a", "b", "\x00", "\xff", "é", "same start ", "0", "1"}
	for range 50_000 {
		keys := make([]string, r.IntN(fewKeys+1))
		for i := range keys {
			for range r.IntN(4) {
				keys[i] += parts[r.IntN(len(parts))]
			}
		}
		want := slices.Sorted(slices.Values(keys))

		pairs := make([]pair[int], len(keys))
		for i, k := range keys {
			pairs[i] = pair[int]{k, i}
		}
		var order [fewKeys]uint64
		sortFew(pairs, &order)
		for i, o := range order[:len(keys)] {
			if got := pairs[o%fewKeys].k; got != want[i] {
				t.Fatalf("sortFew(%q): place %d has %q, want %q", keys, i, got, want[i])
			}
		}
		got := slices.Clone(keys)
		if new(Enc).sortKeys(got); !slices.Equal(got, want) {
			t.Fatalf("new(Enc).sortKeys(%q) = %q, want %q", keys, got, want)
		}
	}
}
