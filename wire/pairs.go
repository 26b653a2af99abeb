package wire

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// NOTE: Maps with string keys are written in the order of their keys. Sorting was most of the time
// that they took, so maps of up to 256 pairs have code of their own. Each key gets a head: its
// first seven bytes as a big-endian number, with the key's index in the lowest byte. Heads are
// single words, so sorting them moves little and compares without branches; whole keys are compared
// only where heads are equal. Up to eight heads go through a sorting network, whose time does not
// depend on the random order in which Go ranges over maps. More heads are first dealt into 64
// buckets. The general functions appendStringMap and appendAnyMap are the reference (TestMapForms),
// and BenchmarkMaps shows what is gained; docs/perf/zmy.md has figures.

const (
	fewPairs  = 8   // the largest map whose pairs are collected on the stack
	manyPairs = 256 // the largest map whose keys have an index of one byte
	maxSkip   = 64  // if all keys agree in this many bytes, whole keys are compared
)

// few is the memory of pairs for a small map.
type few[V any] struct {
	keys  [fewPairs]string
	vals  [fewPairs]V
	heads [fewPairs]uint64
}

// many is the memory of pairs for a larger map. It comes from a pool.
type many[V any] struct {
	keys  [manyPairs]string
	vals  [manyPairs]V
	heads [manyPairs]uint64
	spare [manyPairs]uint64
}

var (
	manyStrings = sync.Pool{New: func() any { return new(many[string]) }}
	manyAnys    = sync.Pool{New: func() any { return new(many[any]) }}
)

// release returns m to its pool. n is the number of pairs that it held.
func (m *many[V]) release(pool *sync.Pool, n int) {
	clear(m.keys[:n])
	clear(m.vals[:n])
	pool.Put(m)
}

// sortFew sorts the first n heads, one to eight, by their keys and returns them. It uses the
// sorting networks for four and for eight values that need the fewest comparisons (Knuth, The Art
// of Computer Programming, volume 3, section 5.3.4). fxjson/jsonrt has them too, in sort.go: this
// package imports no other of the project.
func sortFew(h *[fewPairs]uint64, keys *[fewPairs]string, n int) []uint64 {
	const last = math.MaxUint64 // fills up the network; it sorts after every key's head
	switch {
	case n == 1:
		return h[:1]
	case n <= 4:
		for i := n; i < 4; i++ {
			h[i] = last
		}
		a, b, c, d := h[0], h[1], h[2], h[3]
		a, c = min(a, c), max(a, c)
		b, d = min(b, d), max(b, d)
		a, b = min(a, b), max(a, b)
		c, d = min(c, d), max(c, d)
		b, c = min(b, c), max(b, c)
		h[0], h[1], h[2], h[3] = a, b, c, d
	default:
		for i := n; i < fewPairs; i++ {
			h[i] = last
		}
		a0, a1, a2, a3, a4, a5, a6, a7 := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
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
		h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7] = a0, a1, a2, a3, a4, a5, a6, a7
	}
	for i := 1; i < n; i++ {
		if (h[i-1]^h[i])>>8 == 0 {
			sortRuns(h[:n], nil, keys[:], 0)
			break
		}
	}
	return h[:n]
}

// sort sorts the first n heads by their keys and returns them.
func (m *many[V]) sort(n int) []uint64 {
	heads := m.heads[:n]
	for i := range heads {
		heads[i] = uint64(i)
	}
	sortMany(heads, m.spare[:n], m.keys[:], 0)
	return heads
}

// sortMany sorts heads by their keys. Of each head only the index in its lowest byte need be set.
// The first skip bytes are the same in all these keys. The heads are dealt into 64 buckets by the
// first six bits in which any two differ, then sorted by insertion, which is fast because few share
// a bucket. spare is as long as heads.
func sortMany(heads, spare []uint64, keys []string, skip int) {
	var differ uint64
	for {
		differ = 0
		for i, h := range heads {
			k := keys[h&255]
			h = stringHead(k[min(skip, len(k)):])&^255 | h&255
			heads[i] = h
			differ |= h ^ heads[0]
		}
		differ &^= 255
		if differ>>32 != 0 || skip >= maxSkip {
			break
		}
		skip += bits.LeadingZeros64(differ|255) / 8 // skip the bytes that all keys share
	}
	if differ == 0 {
		slices.SortFunc(heads, func(a, b uint64) int { return strings.Compare(keys[a&255], keys[b&255]) })
		return
	}
	shift := max(58-bits.LeadingZeros64(differ), 8)
	var next [64]uint8 // 256 heads in one bucket wrap to 0: harmless, all others are empty
	for _, h := range heads {
		next[h>>shift&63]++
	}
	sum := uint8(0)
	for i, c := range &next {
		next[i] = sum
		sum += c
	}
	for _, h := range heads {
		at := &next[h>>shift&63]
		spare[*at] = h
		*at++
	}
	for i, h := range spare {
		for ; i > 0 && heads[i-1] > h; i-- {
			heads[i] = heads[i-1]
		}
		heads[i] = h
	}
	sortRuns(heads, spare, keys, skip+7)
}

// sortRuns finds the runs of equal heads in heads, which is sorted, and sorts each run by whole
// keys. The keys of a run agree in their first skip bytes.
//
//go:noinline
func sortRuns(heads, spare []uint64, keys []string, skip int) {
	for len(heads) > 0 {
		n := 1
		for n < len(heads) && (heads[0]^heads[n])>>8 == 0 {
			n++
		}
		if n > fewPairs {
			sortMany(heads[:n], spare[:n], keys, skip)
		} else {
			for i, h := range heads[:n] {
				for ; i > 0 && keys[heads[i-1]&255] > keys[h&255]; i-- {
					heads[i] = heads[i-1]
				}
				heads[i] = h
			}
		}
		heads = heads[n:]
	}
}

// AppendStringMap appends a map from strings to strings.
func AppendStringMap[M ~map[K]V, K, V ~string](e *Encoder, b []byte, m M) ([]byte, *Error) {
	s := len(b)
	switch {
	case len(m) == 0:
		return b, nil
	case len(m) <= fewPairs:
		var p few[string] // local: stores to a SmallMap would need write barriers
		n, text := 0, 0
		for k, v := range m {
			i := n & (fewPairs - 1)
			p.keys[i], p.vals[i], p.heads[i] = string(k), string(v), stringHead(string(k))&^255|uint64(i)
			text += len(k) + len(v)
			if n++; n == len(m) {
				break // the runtime would search the empty slots for one more
			}
		}
		if size := stringMapSize(n, text); n == len(m) && size <= Narrow {
			b = Extend(b, size)
			if putStringMap(b[s:], p.keys[:], p.vals[:], sortFew(&p.heads, &p.keys, n)) {
				return b, nil
			}
		}
	case len(m) <= manyPairs:
		if b, ok := appendManyStrings(b, m); ok {
			return b, nil
		}
	}
	return appendStringMap(e, b[:s], m)
}

// SmallMap holds the pairs of a small map from strings to strings whose size is asked for before it
// is written.
type SmallMap struct {
	few[string]
	n int
}

// CollectMap collects the pairs of m in p, and returns the encoded size of m. For a map that p
// cannot hold, it returns a size above Narrow.
func CollectMap[M ~map[K]V, K, V ~string](p *SmallMap, m M) int {
	switch {
	case len(m) == 0:
		return 0
	case len(m) > fewPairs:
		return Narrow + 1
	}
	text := 0
	for k, v := range m {
		i := p.n & (fewPairs - 1)
		p.keys[i], p.vals[i], p.heads[i] = string(k), string(v), stringHead(string(k))&^255|uint64(i)
		text += len(k) + len(v)
		if p.n++; p.n == len(m) {
			return stringMapSize(p.n, text)
		}
	}
	return Narrow + 1
}

// Put writes the map to x, whose length is what CollectMap returned. It reports whether all strings
// are UTF-8.
func (p *SmallMap) Put(x []byte) bool {
	return len(x) == 0 || putStringMap(x, p.keys[:], p.vals[:], sortFew(&p.heads, &p.keys, p.n))
}

func appendManyStrings[M ~map[K]V, K, V ~string](b []byte, m M) ([]byte, bool) {
	n, text := 0, 0
	p := manyStrings.Get().(*many[string])
	defer func() { p.release(&manyStrings, n) }()
	for k, v := range m {
		p.keys[n], p.vals[n] = string(k), string(v)
		text += len(k) + len(v)
		if n++; n == len(m) {
			break
		}
	}
	size, s := stringMapSize(n, text), len(b)
	if n != len(m) || size > Narrow {
		return b, false
	}
	b = Extend(b, size)
	return b, putStringMap(b[s:], p.keys[:], p.vals[:], p.sort(n))
}

// stringMapSize returns the encoded size of a map of n pairs. If the result exceeds Narrow, the
// true size is even larger. text is the number of bytes of all keys and values.
func stringMapSize(n, text int) int { return 2 + 4*(n+1) + text }

// putStringMap writes a map to x in the order of heads. The length of x is the map's encoded size.
// It reports whether all strings are UTF-8.
func putStringMap(x []byte, keys, vals []string, heads []uint64) bool {
	n, plainKeys := putColumn(x[2:], keys, heads)
	PutU16(x, uint16(2+n))
	_, plainVals := putColumn(x[2+n:], vals, heads)
	return (plainKeys || allValid(keys, heads)) && (plainVals || allValid(vals, heads))
}

func allValid(l []string, heads []uint64) bool {
	for _, h := range heads {
		if !ValidString(l[h&255]) {
			return false
		}
	}
	return true
}

// AppendAnyMap appends a map from strings to any. left is the number of levels that its values may
// enter.
func AppendAnyMap[M ~map[K]any, K ~string](e *Encoder, b []byte, m M, left int) ([]byte, *Error) {
	switch {
	case len(m) == 0:
		return b, nil
	case len(m) <= fewPairs:
		var p few[any]
		n, text := 0, 0
		for k, v := range m {
			i := n & (fewPairs - 1)
			p.keys[i], p.vals[i], p.heads[i] = string(k), v, stringHead(string(k))&^255|uint64(i)
			text += len(k)
			if n++; n == len(m) {
				break // the runtime would search the empty slots for one more
			}
		}
		if n == len(m) && text <= Narrow/2 {
			return e.appendAnyPairs(b, p.keys[:], p.vals[:], sortFew(&p.heads, &p.keys, n), text, left)
		}
	case len(m) <= manyPairs:
		return appendManyAnys(e, b, m, left)
	}
	return appendAnyMap(e, b, m, left)
}

func appendManyAnys[M ~map[K]any, K ~string](e *Encoder, b []byte, m M, left int) ([]byte, *Error) {
	n, text := 0, 0
	p := manyAnys.Get().(*many[any])
	defer func() { p.release(&manyAnys, n) }()
	for k, v := range m {
		p.keys[n], p.vals[n] = string(k), v
		text += len(k)
		if n++; n == len(m) {
			break
		}
	}
	if n == len(m) && text <= Narrow/2 {
		return e.appendAnyPairs(b, p.keys[:], p.vals[:], p.sort(n), text, left)
	}
	return appendAnyMap(e, b, m, left)
}

// appendAnyPairs appends a map in the order of heads. text is the number of bytes of all keys. The
// key column must be narrow.
func (e *Encoder) appendAnyPairs(b []byte, keys []string, vals []any, heads []uint64, text, left int) ([]byte, *Error) {
	s := len(b)
	keyEnd := s + 2 + 2*(len(heads)+1) + text
	b = Extend(b, keyEnd-s)
	if _, plain := putColumn(b[s+2:], keys, heads); !plain {
		for _, h := range heads {
			if k := keys[h&255]; !ValidString(k) {
				return b, Fail(ErrUTF8, 0).AtKey(strings.ToValidUTF8(k, "\uFFFD"), 0)
			}
		}
	}
	b, w := BeginList(b, keyEnd, len(heads))
	for _, h := range heads {
		var err *Error
		if b, err = AppendAny(e, b, vals[h&255], left); err != nil {
			return b, err.AtKey(keys[h&255], 0)
		}
		if !w.Put(b) {
			b = w.mark(b)
		}
	}
	return e.EndMap(b, s, keyEnd)
}
