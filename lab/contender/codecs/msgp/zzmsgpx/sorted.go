//go:build ignore

package zzmsgpx

import (
	"cmp"
	"iter"
	"slices"
)

// Sorted ranges over a map in the order of its keys. Up to 16 keys are sorted on the stack.
func Sorted[M ~map[K]V, K cmp.Ordered, V any](m M) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		var few [16]K
		keys := few[:0]
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
