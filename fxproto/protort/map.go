package protort

import (
	"cmp"
	"slices"
)

// Entry is an entry of a map.
type Entry[K comparable, V any] struct {
	Key   K
	Value V
}

// Sorted appends the entries of m to the empty slice room, in the order of their keys.
func Sorted[K cmp.Ordered, V any](room []Entry[K, V], m map[K]V) []Entry[K, V] {
	room = slices.Grow(room, len(m))
	for k, v := range m {
		room = append(room, Entry[K, V]{k, v})
	}
	if len(room) > few {
		slices.SortFunc(room, func(a, b Entry[K, V]) int { return cmp.Compare(a.Key, b.Key) })
		return room
	}
	for i := 1; i < len(room); i++ {
		e, k := room[i], i
		for ; k > 0 && e.Key < room[k-1].Key; k-- {
			room[k] = room[k-1]
		}
		room[k] = e
	}
	return room
}

// few is how many entries are sorted by insertion.
const few = 24

// SortedBools is Sorted for keys that are bools.
func SortedBools[K ~bool, V any](room []Entry[K, V], m map[K]V) []Entry[K, V] {
	for _, k := range []K{false, true} {
		if v, ok := m[k]; ok {
			room = append(room, Entry[K, V]{k, v})
		}
	}
	return room
}

// StringMap writes the entries of a map of strings as fields with the given tag, which has one byte.
// The index is -1 if a string is not UTF-8.
func StringMap(b []byte, i int, tag byte, m map[string]string, sorted bool) ([]byte, int) {
	if !sorted || len(m) == 1 {
		for k, v := range m {
			if b, i = stringEntry(b, i, tag, k, v); i < 0 {
				return b, i
			}
		}
		return b, i
	}
	var room [16]Entry[string, string]
	list := Sorted(room[:0], m)
	for k := range list {
		if b, i = stringEntry(b, i, tag, list[k].Key, list[k].Value); i < 0 {
			return b, i
		}
	}
	return b, i
}

func stringEntry(b []byte, i int, tag byte, k, v string) ([]byte, int) {
	b = Room(b, i, 3+3*MaxLength+len(k)+len(v))
	b[i] = tag
	if n := len(k) + len(v); n < 0x80-4 { // all lengths have one byte
		b[i+1] = byte(4 + n)
		i += 2
	} else {
		i = Varint(b, i+1, uint64(2+SizeBytes(len(k))+SizeBytes(len(v))))
	}
	b[i] = 0x0a
	if i = Text(b, i+1, k); i < 0 {
		return b, i
	}
	b[i] = 0x12
	return b, Text(b, i+1, v)
}
