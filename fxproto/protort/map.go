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
			n := len(k) + len(v)
			if n >= 0x80-4 {
				if b, i = stringEntry(b, i, tag, k, v); i < 0 {
					return b, i
				}
				continue
			}
			b = Room(b, i, 6+n) // all lengths have one byte
			b[i], b[i+1], b[i+2] = tag, byte(4+n), 0x0a
			if i = Text(b, i+3, k); i < 0 {
				return b, i
			}
			b[i] = 0x12
			if i = Text(b, i+1, v); i < 0 {
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

// MergeStrings stores the entry b in m, and reports false if it is refused. Entries have a key and a value
// in this order, as all encoders write them, or any other form.
func MergeStrings(d *Decoder, b []byte, m map[string]string) bool {
	if d.share && len(b) >= 4 && b[0] == 0x0a && b[1] < 0x80 {
		if k := 2 + int(b[1]); k+2 <= len(b) && b[k] == 0x12 && b[k+1] < 0x80 && k+2+int(b[k+1]) == len(b) {
			key, val := text(b[2:k]), text(b[k+2:])
			if !valid(key) || !valid(val) {
				return false
			}
			if !d.alias {
				d.memory -= int64(len(key) + len(val))
			}
			m[key] = val
			return true
		}
	}
	return mergeStrings(d, b, m)
}

func mergeStrings(d *Decoder, b []byte, m map[string]string) bool {
	var part [2]string
	for i := 0; i < len(b); {
		tag, j := Uvarint(b, i)
		if j < 0 {
			return false
		}
		if tag != 0x0a && tag != 0x12 {
			if i = Skip(b, j, tag, 0); i < 0 {
				return false
			}
			continue
		}
		if j, i = LongSpan(b, j); i < 0 {
			return false
		}
		s, ok := d.Text(b[j:i])
		if !ok {
			return false
		}
		part[tag>>4] = s
	}
	m[part[0]] = part[1]
	return true
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
