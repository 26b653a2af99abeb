package jsonrt

import (
	"slices"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// fewKeys is the number of keys up to which a map is sorted on the stack. Its values are stored
// with the keys, which saves a look-up for each (BenchmarkMarshal/session).
const fewKeys = 8

type pair[V any] struct {
	k string
	v V
}

// sortFew sorts the keys of p into order. The low bits of each element of order are an index in p;
// the bits above are the beginning of that key, so that integers are sorted, not strings. It uses a
// sorting network, which compares the same places whatever they hold, since branches cannot predict
// the order of a map (BenchmarkMarshal/session). TestSort compares with package slices.
func sortFew[V any](p []pair[V], order *[fewKeys]uint64) {
	for i := range p {
		order[i] = jsonwire.Prefix(p[i].k)&^(fewKeys-1) | uint64(i)
	}
	for i := len(p); i < fewKeys; i++ {
		order[i] = 1<<64 - 1
	}
	if len(p) <= 4 {
		sort4(order)
	} else {
		sort8(order)
	}
	for i := 1; i < len(p); i++ {
		if order[i]^order[i-1] < fewKeys {
			sortEqual(p, order)
			return
		}
	}
}

// sortEqual is sortFew for keys that begin alike: it compares all of each key.
func sortEqual[V any](p []pair[V], order *[fewKeys]uint64) {
	for i := 1; i < len(p); i++ {
		x := order[i]
		j := i
		for ; j > 0 && p[x%fewKeys].k < p[order[j-1]%fewKeys].k; j-- {
			order[j] = order[j-1]
		}
		order[j] = x
	}
}

// sort4 sorts the first four elements.
func sort4(a *[fewKeys]uint64) {
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	a0, a1 = min(a0, a1), max(a0, a1)
	a2, a3 = min(a2, a3), max(a2, a3)
	a0, a2 = min(a0, a2), max(a0, a2)
	a1, a3 = min(a1, a3), max(a1, a3)
	a1, a2 = min(a1, a2), max(a1, a2)
	a[0], a[1], a[2], a[3] = a0, a1, a2, a3
}

// sort8 sorts all eight elements by the network of 19 comparisons in six steps: Knuth, "The Art of
// Computer Programming", volume 3, section 5.3.4.
func sort8(a *[fewKeys]uint64) {
	a0, a1, a2, a3, a4, a5, a6, a7 := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
	a0, a2 = min(a0, a2), max(a0, a2)
	a1, a3 = min(a1, a3), max(a1, a3)
	a4, a6 = min(a4, a6), max(a4, a6)
	a5, a7 = min(a5, a7), max(a5, a7)
	a0, a4 = min(a0, a4), max(a0, a4)
	a1, a5 = min(a1, a5), max(a1, a5)
	a2, a6 = min(a2, a6), max(a2, a6)
	a3, a7 = min(a3, a7), max(a3, a7)
	a0, a1 = min(a0, a1), max(a0, a1)
	a2, a3 = min(a2, a3), max(a2, a3)
	a4, a5 = min(a4, a5), max(a4, a5)
	a6, a7 = min(a6, a7), max(a6, a7)
	a2, a4 = min(a2, a4), max(a2, a4)
	a3, a5 = min(a3, a5), max(a3, a5)
	a1, a4 = min(a1, a4), max(a1, a4)
	a3, a6 = min(a3, a6), max(a3, a6)
	a1, a2 = min(a1, a2), max(a1, a2)
	a3, a4 = min(a3, a4), max(a3, a4)
	a5, a6 = min(a5, a6), max(a5, a6)
	a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7] = a0, a1, a2, a3, a4, a5, a6, a7
}

// sortKeys sorts a by bytes, unless the options allow any order. Most maps are small, so short
// slices are sorted by insertion.
func (e *Enc) sortKeys(a []string) {
	switch {
	case e.opt&Unsorted != 0:
		return
	case len(a) > 16:
		slices.Sort(a)
		return
	}
	for i := 1; i < len(a); i++ {
		k := a[i]
		j := i
		for ; j > 0 && k < a[j-1]; j-- {
			a[j] = a[j-1]
		}
		a[j] = k
	}
}
