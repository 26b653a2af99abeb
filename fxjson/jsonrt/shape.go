package jsonrt

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// shape holds the keys of small maps that were encoded at one depth: maps of attributes have much
// the same keys again and again. Looking these keys up, in order, costs less than ranging over a
// map and sorting its keys, and they are quoted already (BenchmarkMarshal/session). A shape is a
// guess: a map with other keys is encoded like any other, and the shape learns its keys
// (TestShape).
type shape struct {
	keys  []shapeKey // sorted; the slice is replaced, never changed
	plain bool       // how the keys are quoted, see Enc
	fails int        // grows by two with each wrong guess, falls by one with each right guess
	wait  int        // number of maps to come that are encoded without a guess
}

// shapeKey is a key, and the text ,"key": of its member as words.
type shapeKey struct {
	name string
	text [shapeWords]uint64
	n    int
}

const (
	shapes      = 4  // depths that have a shape of their own
	shapeKeys   = 12 // of a shape, at most
	largeKeys   = 64 // of a shape of larger maps, at most
	shapeWords  = 3  // of a key's text
	shapeMisses = 4  // keys of a shape that a map may lack
	shapeFails  = 6  // from here on guesses become rare
)

// guess returns the shape for the current map, nil if no guess is due. of is e.shapes, or e.large for
// a map of more than fewKeys keys.
func (e *Enc) guess(of *[shapes]shape) *shape {
	s := &of[e.depth%shapes]
	if s.wait > 0 {
		s.wait--
		return nil
	}
	if s.plain != e.plain {
		s.keys, s.plain = nil, e.plain
		s.wrong()
	}
	return s
}

// wrong counts a wrong guess. After several in a row, the next maps are encoded without one.
func (s *shape) wrong() {
	s.fails = min(s.fails+2, shapeFails+10)
	if s.fails > shapeFails {
		s.wait = 1 << (s.fails - shapeFails)
	}
}

// entry is a value of a map and the index of its key in the shape.
type entry[V any] struct {
	key int
	v   V
}

// lookUp finds all entries of the small map m by the keys of s. It returns false if m has other
// keys, or too few of these.
func lookUp[M ~map[K]V, K ~string, V any](s *shape, m M, found *[fewKeys]entry[V]) bool {
	n, misses := uint(0), 0
	for i := range s.keys {
		x, ok := m[K(s.keys[i].name)]
		if !ok {
			if misses++; misses > shapeMisses {
				break
			}
			continue
		}
		found[n%fewKeys] = entry[V]{i, x}
		if n++; n == uint(len(m)) {
			s.fails = max(0, s.fails-1)
			return true
		}
	}
	s.wrong()
	return false
}

// appendKey appends the text of a shape's key.
func appendKey(b []byte, k *shapeKey) []byte {
	const room = 8 * shapeWords
	n := len(b)
	if cap(b)-n < room {
		b = slices.Grow(b, room)
	}
	b = b[:cap(b)]
	jsonwire.Store64(b, n, k.text[0])
	jsonwire.Store64(b, n+8, k.text[1])
	jsonwire.Store64(b, n+16, k.text[2])
	return b[:n+k.n]
}

// lookUpMany is lookUp for a larger map. It pushes the values onto e.anys, and the indexes of their
// keys onto e.heads. If it returns false, it has pushed nothing.
func lookUpMany[M ~map[K]any, K ~string](e *Enc, s *shape, m M) bool {
	first, from, misses := len(e.anys), len(e.heads), 0
	if len(s.keys) >= len(m) {
		for i := range s.keys {
			x, ok := m[K(s.keys[i].name)]
			if !ok {
				if misses++; misses > shapeMisses {
					break
				}
				continue
			}
			e.anys, e.heads = append(e.anys, x), append(e.heads, uint64(i))
			if len(e.anys)-first == len(m) {
				s.fails = max(0, s.fails-1)
				return true
			}
		}
		clear(e.anys[first:])
		e.anys, e.heads = e.anys[:first], e.heads[:from]
	}
	s.wrong()
	return false
}

// learn adds the keys of a map to those of the shape. If there are more than most together, the keys
// of the map replace those of the shape.
func learn(s *shape, names []string, most int) {
	if !slices.ContainsFunc(names, func(k string) bool {
		_, known := search(s.keys, k)
		return !known && len(k)+len(`,"":`) <= 8*shapeWords
	}) {
		return // nothing to learn: the map lacks too many of the shape's keys, or its own are too long
	}
	keys := slices.Clone(s.keys)
	for _, k := range names {
		keys = s.with(keys, k)
	}
	if len(keys) > most {
		keys = nil
		for _, k := range names {
			keys = s.with(keys, k)
		}
	}
	s.keys = keys
}

// search returns the index of name in keys, or where it would be, and whether it is there.
func search(keys []shapeKey, name string) (int, bool) {
	return slices.BinarySearchFunc(keys, name, func(k shapeKey, name string) int { return strings.Compare(k.name, name) })
}

// with returns keys with name inserted in order. If name is already there or too long, it returns
// keys unchanged.
func (s *shape) with(keys []shapeKey, name string) []shapeKey {
	at, ok := search(keys, name)
	if ok {
		return keys
	}
	var room [8*shapeWords + jsonwire.Pad]byte
	text := append(jsonwire.AppendQuote(append(room[:0], ','), name, s.plain), ':')
	if len(text) > 8*shapeWords {
		return keys
	}
	k := shapeKey{name: strings.Clone(name), n: len(text)}
	copy(room[:], text) // AppendQuote may have moved text
	for j := range k.text {
		k.text[j] = jsonwire.Load64(room[:], 8*j)
	}
	return slices.Insert(keys, at, k)
}
