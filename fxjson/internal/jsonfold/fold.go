// Package jsonfold finds fields of a struct by key. A key may differ from the field's name in case.
package jsonfold

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Index finds the field whose name equals a key except for case, as [strings.EqualFold] compares.
// One look-up replaces a comparison with every name (BenchmarkShapes/keys).
type Index struct {
	fields  map[string]int // by folded name
	lengths uint64         // a bit for the length, modulo 64, of each folded name
	longest int            // length of the longest folded name
	ascii   bool           // all folded names are ASCII
}

// Lazy is an Index that is made when it is first needed: most documents spell keys as the struct
// does.
type Lazy struct{ index atomic.Pointer[Index] }

// Find is [Index.Find] for an Index of names.
func (l *Lazy) Find(names []string, key string) int {
	x := l.index.Load()
	if x == nil {
		x = New(names)
		l.index.Store(x)
	}
	return x.Find(key)
}

// foldRoom is the length in bytes up to which a folded key needs no allocation.
const foldRoom = 64

// New returns the index of the names. The number of a field is the index of its name in names.
func New(names []string) *Index {
	x := &Index{fields: make(map[string]int, len(names)), ascii: true}
	for f, name := range names {
		folded := string(appendFolded(nil, name))
		if _, taken := x.fields[folded]; taken {
			continue
		}
		x.fields[folded] = f
		x.lengths |= 1 << (len(folded) % 64)
		x.longest = max(x.longest, len(folded))
		x.ascii = x.ascii && isASCII(folded)
	}
	return x
}

// Find returns the number of the first field whose name equals the key except for case, -1 if there
// is none.
func (x *Index) Find(key string) int {
	if len(key) > x.longest*utf8.UTFMax { // a rune has 1 to UTFMax bytes, folded or not
		return -1
	}
	if x.ascii && !foldsToASCII(key) {
		return -1
	}
	var room [foldRoom]byte
	folded := appendFolded(room[:0], key)
	if x.lengths>>(len(folded)%64)&1 == 0 {
		return -1
	}
	if f, ok := x.fields[string(folded)]; ok {
		return f
	}
	return -1
}

// appendFolded appends s with each rune replaced by the least rune that equals it under Unicode's
// simple case folding.
func appendFolded(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = utf8.AppendRune(b, leastFold(r))
		i += n
	}
	return b
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldsToASCII reports whether s may equal an ASCII string except for case. Of the characters that
// are not ASCII, only ſ and the Kelvin sign fold to ASCII.
func foldsToASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != 'ſ' && r != '\u212a' {
			return false
		}
		i += n - 1
	}
	return true
}

// leastFold returns the least rune that equals r except for case.
func leastFold(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}
