package wire

import (
	"strings"
	"sync"

	"github.com/zmylab/zmy/internal/keysort"
)

// NOTE: Maps with string keys are written in the order of their keys. Sorting was most of the time
// that they took, so maps of up to 256 pairs have code of their own: their pairs are collected, and
// sorted by package keysort. The general functions appendStringMap and appendAnyMap are the
// reference (TestMapForms), and BenchmarkMaps shows what is gained; docs/perf/zmy.md has figures.

const (
	fewPairs  = keysort.Few  // the largest map whose pairs are collected on the stack
	manyPairs = keysort.Many // the largest map whose pairs are collected in memory of a pool
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

// sort sorts the first n heads by their keys and returns them.
func (m *many[V]) sort(n int) []uint64 {
	keysort.Sort(m.heads[:n], m.spare[:n], m.keys[:n])
	return m.heads[:n]
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
			p.keys[i], p.vals[i], p.heads[i] = string(k), string(v), keysort.Head(string(k), i)
			text += len(k) + len(v)
			if n++; n == len(m) {
				break // the runtime would search the empty slots for one more
			}
		}
		if size := stringMapSize(n, text); n == len(m) && size <= Narrow {
			b = Extend(b, size)
			if putStringMap(b[s:], p.keys[:], p.vals[:], keysort.SortFew(&p.heads, &p.keys, n)) {
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
		p.keys[i], p.vals[i], p.heads[i] = string(k), string(v), keysort.Head(string(k), i)
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
	return len(x) == 0 || putStringMap(x, p.keys[:], p.vals[:], keysort.SortFew(&p.heads, &p.keys, p.n))
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
			p.keys[i], p.vals[i], p.heads[i] = string(k), v, keysort.Head(string(k), i)
			text += len(k)
			if n++; n == len(m) {
				break // the runtime would search the empty slots for one more
			}
		}
		if n == len(m) && text <= Narrow/2 {
			return e.appendAnyPairs(b, p.keys[:], p.vals[:], keysort.SortFew(&p.heads, &p.keys, n), text, left)
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
