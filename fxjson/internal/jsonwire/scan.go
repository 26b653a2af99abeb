package jsonwire

import (
	"math/bits"
	"unicode/utf8"
)

// ScanString returns the index of the first quote, backslash or control character from i on, and
// whether a byte before it is not ASCII. i is the index after the opening quote. The document is
// padded.
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

// SkipString returns the index after the JSON string whose opening quote is at i. The index is
// negative if the string's grammar is violated. The document is padded.
func SkipString(b []byte, i int) int {
	for i++; ; {
		m := StringEnds(Load64(b, i))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if Load8(b, i) == '"' {
			return i + 1
		}
		if Load8(b, i) != '\\' {
			return -1
		}
		for Load8(b, i) == '\\' { // escapes often stand in runs
			switch c := Load8(b, i+1); {
			case unshort[c] != 0:
				i += 2
			case c == 'u' && hex4(b, i+2) >= 0:
				i += 6
			default:
				return -1
			}
		}
	}
}

// unshort maps the second byte of a two-byte escape to its character, and other bytes to 0.
var unshort = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 returns the value of the four hexadecimal digits at i, or a negative number if one of the
// four bytes is no such digit.
func hex4(b []byte, i int) rune {
	w := Load32(b, i)
	return rune(hexValues[w&0xff])<<12 | rune(hexValues[w>>8&0xff])<<8 | rune(hexValues[w>>16&0xff])<<4 | rune(hexValues[w>>24])
}

// hexValues holds the values of hexadecimal digits, and -1 for all other bytes.
var hexValues = func() (t [256]int8) {
	for c := range t {
		t[c] = -1
	}
	for i := range int8(10) {
		t['0'+i] = i
	}
	for i := range int8(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}()

// unescapeRune reads the escape \uXXXX at i and returns its rune and the index after it. A pair of
// surrogates is one rune, a lone surrogate is U+FFFD. The index is negative if the digits are
// wrong.
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

// AppendUnescaped appends the text of the JSON string whose opening quote is at i, and returns the
// index after the string. The index is negative if the grammar is violated. Each byte of invalid
// UTF-8 becomes U+FFFD. The document is padded.
func AppendUnescaped(dst, b []byte, i int) ([]byte, int) {
	for i++; ; {
		e, nonASCII := ScanString(b, i)
		if nonASCII {
			dst = appendValid(dst, b, i, e)
		} else {
			dst = append(dst, b[i:e]...)
		}
		if b[e] == '"' {
			return dst, e + 1
		}
		if b[e] != '\\' {
			return dst, -1
		}
		for i = e; b[i] == '\\'; { // escapes often stand in runs
			switch c := b[i+1]; {
			case unshort[c] != 0:
				dst = append(dst, unshort[c])
				i += 2
			case c == 'u':
				var r rune
				if r, i = unescapeRune(b, i); i < 0 {
					return dst, -1
				}
				dst = utf8.AppendRune(dst, r)
			default:
				return dst, -1
			}
		}
	}
}

// appendValid appends b[i:e] with U+FFFD for each byte that is no valid UTF-8. b[e] is ASCII.
func appendValid(dst, b []byte, i, e int) []byte {
	for {
		k := UTF8End(b, i, e)
		dst = append(dst, b[i:k]...)
		if k == e {
			return dst
		}
		dst = append(dst, "\ufffd"...)
		i = k + 1
	}
}

// UnescapeInPlace undoes the escapes of a JSON string, from its first backslash at e on, by writing
// over the string. It returns the end of the text and the index after the string, which is negative
// if the grammar is violated. The document is padded and its strings are valid UTF-8, so that no
// text is longer than its source.
func UnescapeInPlace(b []byte, e int) (textEnd, next int) {
	return unescapeInPlace(b, e, useSqueeze)
}

// unescapeInPlace is UnescapeInPlace, with [unescapeSimple] if blocks is set.
func unescapeInPlace(b []byte, e int, blocks bool) (textEnd, next int) {
	const block = 16
	w, r := e, e // written, read
	try := e     // the index from which on blocks are tried again
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
		if b[r] == '\\' && b[r+1] != '"' { // escapes often stand in runs
			continue
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
			if r-w >= 8 { // storing the whole word overwrites nothing that is still to be read
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
