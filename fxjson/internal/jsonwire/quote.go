package jsonwire

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// AppendQuote appends s as a JSON string the way encoding/json does with HTML
// escaping: <, >, & and U+2028, U+2029 as \u escapes, \b \f \n \r \t short,
// other control characters as \u00xx, and \ufffd for a byte of invalid UTF-8.
//
// Bytes that need nothing are copied eight at a time (BenchmarkAppendQuote).
func AppendQuote(dst []byte, s string) []byte {
	dst = slices.Grow(dst, len(s)+2+8)
	at := len(dst)
	b := dst[:cap(dst)]
	b[at] = '"'
	at++
	i, n := 0, len(s)
	switch {
	case n >= 8:
		for ; i <= n-8; i += 8 {
			w := String64(s, i)
			if mustEscape(w) != 0 {
				return appendEscaped(b[:at+i], s[i:])
			}
			Store64(b, at+i, w)
		}
		if i < n { // the last word again, overlapping
			w := String64(s, n-8)
			if mustEscape(w) != 0 {
				return appendEscaped(b[:at+i], s[i:])
			}
			Store64(b, at+n-8, w)
		}
	case n >= 4: // two overlapping halves
		lo, hi := String32(s, 0), String32(s, n-4)
		if mustEscape(uint64(lo)|uint64(hi)<<32) != 0 {
			return appendEscaped(b[:at], s)
		}
		Store32(b, at, lo)
		Store32(b, at+n-4, hi)
	default:
		for ; i < n; i++ {
			c := s[i]
			if !plain[c] {
				return appendEscaped(b[:at+i], s[i:])
			}
			b[at+i] = c
		}
	}
	b[at+n] = '"'
	return b[:at+n+1]
}

// plain says which bytes are copied as they are.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()

// short holds the second byte of two-byte escapes.
var short = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

const hexDigits = "0123456789abcdef"

// appendEscaped appends s, escaped, and the closing quote.
func appendEscaped(dst []byte, s string) []byte {
	start := 0 // of the run not yet copied
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				for i <= len(s)-8 && mustEscape(String64(s, i)) == 0 {
					i += 8
				}
				continue
			}
			dst = append(dst, s[start:i]...)
			if x := short[c]; x != 0 {
				dst = append(dst, '\\', x)
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), `\u202`...)
			dst = append(dst, hexDigits[r&15])
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// Prefix is the first eight bytes of s as a big-endian number, zeros after the
// end: if the numbers of two strings differ, they order the strings.
func Prefix(s string) uint64 {
	if len(s) >= 8 {
		return bits.ReverseBytes64(String64(s, 0))
	}
	var x uint64
	for i := range len(s) {
		x |= uint64(s[i]) << (56 - 8*i)
	}
	return x
}
