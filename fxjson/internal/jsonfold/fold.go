// Package jsonfold finds the fields of a struct by keys that equal their names but for case.
package jsonfold

import (
	"unicode"
	"unicode/utf8"
)

// Index finds the field whose name equals a key but for case, as [strings.EqualFold] compares. One
// look-up takes the place of a comparison with every name (BenchmarkShapes/keys).
type Index struct {
	fields  map[string]int // by folded name
	lengths uint64         // of the folded names, one bit each modulo 64
	longest int            // of the folded names
	ascii   bool           // all of them are
}

// foldRoom is the length of folded keys that need no memory of their own.
const foldRoom = 64

// New returns the index of the names.
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

// Find returns the first name that equals the key but for case, -1 if there is none.
func (x *Index) Find(key string) int {
	if len(key) > x.longest*utf8.UTFMax { // a rune never folds to one that is more than three bytes shorter
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

// appendFolded appends s with each rune in place of which Unicode's simple folding knows others
// replaced by the least of them.
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

// foldsToASCII reports whether s may equal an ASCII string but for case: only ſ and the Kelvin sign
// do.
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

// leastFold is the least rune that equals r but for case.
func leastFold(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}
