package jsonrt

import (
	"slices"

	"github.com/zmylab/zmy/internal/keysort"
)

// fewKeys is the number of keys up to which a map is sorted on the stack. Its values are stored
// with the keys, which saves a look-up for each (BenchmarkMarshal/session).
const fewKeys = keysort.Few

// sortHeads returns the heads of keys, at most [keysort.Many], in the order of the keys. They stay on
// the stack e.heads until the caller takes them off. keys has room for at least fewKeys.
func (e *Enc) sortHeads(keys []string) []uint64 {
	from, n := len(e.heads), len(keys)
	e.heads = slices.Grow(e.heads, 2*max(n, fewKeys))[:from+n]
	heads := e.heads[from:]
	if n <= fewKeys {
		few := (*[fewKeys]uint64)(heads[:fewKeys])
		for i, k := range keys {
			few[i%fewKeys] = keysort.Head(k, i)
		}
		return keysort.SortFew(few, (*[fewKeys]string)(keys[:fewKeys]), n)
	}
	keysort.Sort(heads, heads[n:2*n], keys)
	return heads
}
