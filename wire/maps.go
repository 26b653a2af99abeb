package wire

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Pair is one entry of a map to be written.
type Pair[K, V any] struct {
	Key K
	Val V
}

// Pairs appends the entries of m to buf, sorted by key. With a buffer on the caller's stack, small
// maps need no allocation.
func Pairs[M ~map[K]V, K cmp.Ordered, V any](buf []Pair[K, V], m M) []Pair[K, V] {
	if len(m) > cap(buf) {
		buf = make([]Pair[K, V], 0, len(m))
	}
	for k, v := range m {
		buf = append(buf, Pair[K, V]{k, v})
	}
	if len(buf) <= 12 { // insertion sort is faster for so few; callers have buffers of that size
		for i := 1; i < len(buf); i++ {
			for j := i; j > 0 && buf[j].Key < buf[j-1].Key; j-- {
				buf[j], buf[j-1] = buf[j-1], buf[j]
			}
		}
		return buf
	}
	slices.SortFunc(buf, func(x, y Pair[K, V]) int { return cmp.Compare(x.Key, y.Key) })
	return buf
}

// PairsFunc is [Pairs] for keys that the operator < cannot compare.
func PairsFunc[M ~map[K]V, K comparable, V any](m M, compare func(x, y K) int) []Pair[K, V] {
	buf := make([]Pair[K, V], 0, len(m))
	for k, v := range m {
		buf = append(buf, Pair[K, V]{k, v})
	}
	slices.SortFunc(buf, func(x, y Pair[K, V]) int { return compare(x.Key, y.Key) })
	return buf
}

// CompareBools orders false before true.
func CompareBools[K ~bool](x, y K) int {
	switch {
	case x == y:
		return 0
	case bool(y):
		return -1
	}
	return 1
}

// CompareBytes compares x and y lexically as unsigned bytes.
func CompareBytes(x, y []byte) int { return bytes.Compare(x, y) }

// BeginMap reserves the word at the start of a map, which says where the map's keys end.
func BeginMap(b []byte) []byte { return Extend(b, 2) }

// EndMap stores the word that BeginMap reserved. s and keyEnd are offsets in b: the map starts at
// s, and its value column at keyEnd.
func (e *Encoder) EndMap(b []byte, s, keyEnd int) ([]byte, *Error) {
	if len(b)-s <= Narrow {
		PutU16(b[s:], uint16(keyEnd-s))
		return b, nil
	}
	b = widen(b, s, 1)
	PutU32(b[s:], uint32(keyEnd-s+2))
	return b, e.Fits(b)
}

// OpenMap splits the slot b into the columns of keys and values. b must not be empty. The column of
// values is empty only if the values are empty structs.
func OpenMap(b []byte) (keys, vals []byte, keyEnd int, err *Error) {
	keys, vals, keyEnd, c := openMap(b)
	if c != OK {
		return nil, nil, 0, FailSlot(c, b)
	}
	return keys, vals, keyEnd, nil
}

func openMap(b []byte) (keys, vals []byte, keyEnd int, c Code) {
	es := WordSize(len(b))
	if len(b) < es {
		return nil, nil, 0, ErrTruncated
	}
	if es == 4 && len(b)-2 <= Narrow {
		return nil, nil, 0, ErrWidth
	}
	keyEnd = word(b, 0, es)
	if keyEnd <= es || keyEnd > len(b) {
		return nil, nil, 0, ErrEnds
	}
	return b[es:keyEnd], b[keyEnd:], keyEnd, OK
}

// AppendStringKeys appends the key column of a map with string keys.
func AppendStringKeys[K ~string, V any](b []byte, pairs []Pair[K, V]) ([]byte, *Error) {
	b, w := BeginList(b, len(b), len(pairs))
	for i := range pairs {
		k := string(pairs[i].Key)
		if !ValidString(k) {
			return b, Fail(ErrUTF8, 0).AtKey(strings.ToValidUTF8(k, "\uFFFD"), 0)
		}
		b = w.Mark(append(b, k...))
	}
	return b, nil
}

// OpenStringKeys opens a key column of strings. It checks that all are UTF-8 and strictly
// increasing.
func OpenStringKeys(b []byte) (List, *Error) { return stringColumn(b, true) }

// OpenKeys checks a key column of values of size bytes each, and returns the number of keys. The
// keys must be in the domain d and strictly increase in the order o.
func OpenKeys(b []byte, size int, d Domain, o Order) (int, *Error) {
	n, err := OpenPacked(b, size)
	if err != nil {
		return 0, err
	}
	if !domainOK(b, d) {
		return 0, badElem(b, size, d)
	}
	for i := size; i < len(b); i += size {
		if !KeyLess(b[i-size:i], b[i:i+size], o) {
			return 0, Fail(ErrKeyOrder, 0).At(i/size, i)
		}
	}
	return n, nil
}
