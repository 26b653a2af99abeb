package sse

import "unicode/utf8"

// appendValid appends b as valid UTF-8. Each maximal part of an incomplete character becomes one
// U+FFFD, as in the decoder of the WHATWG Encoding Standard (section 4.1), which browsers use.
// Package unicode/utf8 would write one U+FFFD for each byte, bytes.ToValidUTF8 one for each run of
// bad bytes. The tests compare it with a slow decoder that follows the standard's text.
func appendValid(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	for len(b) > 0 {
		if c := b[0]; c < utf8.RuneSelf {
			dst, b = append(dst, c), b[1:]
			continue
		}
		if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n == 3 {
			dst, b = append(dst, b[:n]...), b[n:]
			continue
		}
		dst = append(dst, "\uFFFD"...)
		b = b[brokenLen(b):]
	}
	return dst
}

// brokenLen returns how many bytes at the start of b belong to one U+FFFD: the length of the
// incomplete character that b begins with, or 1 if b begins with none. b does not begin with a
// complete character. See Unicode 16, table 3-7.
func brokenLen(b []byte) int {
	low, high, need := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case 0xC2 <= c && c <= 0xDF:
		need = 1
	case 0xE0 <= c && c <= 0xEF:
		need = 2
		switch c {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
	case 0xF0 <= c && c <= 0xF4:
		need = 3
		switch c {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && low <= b[n] && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}
