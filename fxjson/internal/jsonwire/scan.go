package jsonwire

import (
	"math/bits"
	"unicode/utf8"
)

// ScanString returns the index of the first quote, backslash or control
// character from i on, and whether a byte before it is not ASCII. The document
// is padded; i stands after the opening quote.
func ScanString(b []byte, i int) (end int, nonASCII bool) {
	var seen uint64
	for {
		w := Load64(b, i)
		if m := StringEnds(w); m != 0 {
			t := bits.TrailingZeros64(m)
			seen |= w & (1<<((t-7)&63) - 1)
			return i + t>>3, seen&highs != 0
		}
		seen |= w
		i += 8
	}
}

// SkipString returns the index after the JSON string whose opening quote is at
// i, negative if its grammar is violated. The document is padded.
func SkipString(b []byte, i int) int {
	for i++; ; {
		e, _ := ScanString(b, i)
		switch Load8(b, e) {
		case '"':
			return e + 1
		case '\\':
			if i = skipEscape(b, e); i < 0 {
				return -1
			}
		default:
			return -1
		}
	}
}

// skipEscape returns the index after the escape whose backslash is at i.
func skipEscape(b []byte, i int) int {
	c := Load8(b, i+1)
	if unshort[c] != 0 {
		return i + 2
	}
	if c != 'u' || hex4(b, i+2) < 0 {
		return -1
	}
	return i + 6
}

// unshort maps the second byte of a two-byte escape to what it stands for.
var unshort = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 is the value of the four hexadecimal digits at i, negative without them.
func hex4(b []byte, i int) rune {
	var r rune
	for e := i + 4; i < e; i++ {
		c := b[i]
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unescapeRune reads the escape \uXXXX at i, a pair of surrogates as one rune,
// a lone surrogate as U+FFFD. The index after it is negative on bad digits.
func unescapeRune(b []byte, i int) (rune, int) {
	r := hex4(b, i+2)
	if r < 0 {
		return 0, -1
	}
	i += 6
	if r < 0xd800 || r >= 0xe000 {
		return r, i
	}
	if r < 0xdc00 && b[i] == '\\' && b[i+1] == 'u' {
		if low := hex4(b, i+2); 0xdc00 <= low && low < 0xe000 {
			return (r-0xd800)<<10 | (low - 0xdc00) + 0x10000, i + 6
		}
	}
	return utf8.RuneError, i
}

// AppendUnescaped appends the text of the JSON string at i, the index of its
// opening quote, and returns the index after it, negative if the grammar is
// violated. Invalid UTF-8 becomes U+FFFD, byte by byte. The document is padded.
func AppendUnescaped(dst, b []byte, i int) ([]byte, int) {
	for i++; ; {
		e, nonASCII := ScanString(b, i)
		if nonASCII {
			dst = appendValid(dst, b[i:e])
		} else {
			dst = append(dst, b[i:e]...)
		}
		switch c := b[e]; {
		case c == '"':
			return dst, e + 1
		case c != '\\':
			return dst, -1
		case unshort[b[e+1]] != 0:
			dst = append(dst, unshort[b[e+1]])
			i = e + 2
		case b[e+1] == 'u':
			var r rune
			if r, i = unescapeRune(b, e); i < 0 {
				return dst, -1
			}
			dst = utf8.AppendRune(dst, r)
		default:
			return dst, -1
		}
	}
}

// appendValid appends s with U+FFFD for each byte that is no valid UTF-8.
func appendValid(dst, s []byte) []byte {
	if utf8.Valid(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return dst
}

// UnescapeInPlace turns the JSON string whose text begins at i and whose first
// backslash is at e into its text, written over itself, and returns the end of
// the text and the index after the string, negative if the grammar is violated.
// The document is padded and its strings are valid UTF-8, so that no text is
// longer than its source.
func UnescapeInPlace(b []byte, e int) (textEnd, next int) {
	return unescapeInPlace(b, e, useSqueeze)
}

// unescapeInPlace is UnescapeInPlace with or without [unescapeSimple].
func unescapeInPlace(b []byte, e int, blocks bool) (textEnd, next int) {
	const block = 16
	w, r := e, e // written, read
	try := e     // the next place at which blocks are tried
	for {
		c := b[r]
		if c == '"' {
			return w, r + 1
		}
		if c != '\\' {
			return 0, -1
		}
		if x := unshort[b[r+1]]; x != 0 {
			b[w] = x
			w++
			r += 2
		} else {
			if b[r+1] != 'u' {
				return 0, -1
			}
			var v rune
			if v, r = unescapeRune(b, r); r < 0 {
				return 0, -1
			}
			w += utf8.EncodeRune(b[w:w+4:w+4], v)
		}
		if blocks && r >= try {
			w, r = unescapeSimple(b, w, r)
			try = r + block
		}
		for {
			// r is at least one byte ahead of w, but the words may overlap: load first.
			x := Load64(b, r)
			m := StringEnds(x)
			if m == 0 {
				Store64(b, w, x)
				w += 8
				r += 8
				continue
			}
			n := firstByte(m)
			if r-w >= 8 { // the whole word overwrites nothing that is yet to be read
				Store64(b, w, x)
				w += n
				r += n
				break
			}
			for ; n > 0; n-- {
				b[w] = b[r]
				w++
				r++
			}
			break
		}
	}
}
