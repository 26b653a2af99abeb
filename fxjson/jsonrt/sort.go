package jsonrt

import (
	"slices"

	"github.com/zmylab/zmy/internal/keysort"
)

// fewKeys is the number of keys up to which a map is sorted on the stack. Its values are stored
// with the keys, which saves a look-up for each (BenchmarkMarshal/session).
const fewKeys = keysort.Few

// sortHeads returns the heads of keys, at most [keysort.Many], in the order of the keys. They stay on
// the stack e.heads until the caller takes them off.
func (e *Enc) sortHeads(keys []string) []uint64 {
	from, n := len(e.heads), len(keys)
	e.heads = slices.Grow(e.heads, 2*n)[:from+2*n]
	heads := e.heads[from : from+n]
	keysort.Sort(heads, e.heads[from+n:], keys)
	e.heads = e.heads[:from+n]
	return heads
}

// sortKeys sorts the keys in e.keys from index base on by bytes, unless the options allow any order.
// Few keys are sorted by insertion.
func (e *Enc) sortKeys(base int) {
	a := e.keys[base:]
	n := len(a)
	switch {
	case e.opt&Unsorted != 0:
	case n <= fewKeys:
		for i := 1; i < n; i++ {
			k := a[i]
			j := i
			for ; j > 0 && k < a[j-1]; j-- {
				a[j] = a[j-1]
			}
			a[j] = k
		}
	case n <= keysort.Many:
		e.keys = append(e.keys, a...)
		sorted, copied := e.keys[base:base+n], e.keys[base+n:]
		for i, h := range e.sortHeads(copied) {
			sorted[i] = copied[keysort.Index(h)]
		}
		clear(copied)
		e.keys, e.heads = e.keys[:base+n], e.heads[:len(e.heads)-n]
	default:
		slices.Sort(a)
	}
}
