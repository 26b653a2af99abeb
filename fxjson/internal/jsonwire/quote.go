package jsonwire

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// NOTE: There are three ways to quote, from fast to general. AppendQuote itself copies strings of
// up to sixteen bytes if none needs an escape. appendLong copies longer ones, by blocks of assembly
// that write the short escapes, or by words. Both hand over to appendEscaped at the first byte that
// they cannot write. It writes escapes and replacements, and never hands back.

// AppendQuote appends s as a JSON string the way encoding/json does: U+2028 and
// U+2029 as \u escapes, \b \f \n \r \t short, other control characters as \u00xx,
// a replacement for each byte of invalid UTF-8, and <, > and & as \u escapes unless
// plain is set.
//
// Bytes that need no escape are copied by overlapping words, as few as the length allows, and from
// 17 bytes on by vector instructions where there are any (BenchmarkAppendQuote). plain is looked at
// only if some byte may need an escape.
func AppendQuote(dst []byte, s string, plain bool) []byte {
	at, n := len(dst), len(s)
	if n > 16 {
		return appendLong(append(dst, '"'), s, plain)
	}
	if cap(dst)-at < quoteRoom {
		dst = slices.Grow(dst, quoteRoom)
	}
	b := dst[:cap(dst)]
	b[at] = '"'
	at++
	switch {
	case n > 8:
		w, x := String64(s, 0), String64(s, n-8)
		if mustEscape(w)|mustEscape(x) != 0 {
			return appendEscaped(b[:at], s, plain)
		}
		Store64(b, at, w)
		Store64(b, at+n-8, x)
	case n > 0:
		w := shortWord(s)
		if mustEscape(w)<<(uint(64-8*n)&63) != 0 {
			return appendEscaped(b[:at], s, plain)
		}
		Store64(b, at, w)
	}
	b[at+n] = '"'
	return b[:at+n+1]
}

// quoteRoom is the room in bytes that [AppendQuote] needs for sixteen bytes with their quotes, and
// for what it stores past them.
const quoteRoom = 32

// appendLong appends s, which has more than sixteen bytes, and the closing quote.
func appendLong(dst []byte, s string, plain bool) []byte {
	if useBlocks {
		return appendBlocks(dst, s, plain)
	}
	return appendWords(dst, s, plain)
}

// appendWords is appendLong without assembly.
func appendWords(dst []byte, s string, plain bool) []byte {
	at, i, n := len(dst), 0, len(s)
	dst = slices.Grow(dst, n+quoteRoom)
	b := dst[:cap(dst)]
	for ; i <= n-16; i += 16 {
		w, x := String64(s, i), String64(s, i+8)
		if mustEscape(w)|mustEscape(x) != 0 {
			return appendEscaped(b[:at+i], s[i:], plain)
		}
		Store64(b, at+i, w)
		Store64(b, at+i+8, x)
	}
	if i < n { // the last sixteen bytes, some of them again
		w, x := String64(s, n-16), String64(s, n-8)
		if mustEscape(w)|mustEscape(x) != 0 {
			return appendEscaped(b[:at+i], s[i:], plain)
		}
		Store64(b, at+n-16, w)
		Store64(b, at+n-8, x)
	}
	b[at+n] = '"'
	return b[:at+n+1]
}

const hexDigits = "0123456789abcdef"

// escapeTable holds for each ASCII byte its escape as a word, with the length of the escape in the
// top byte.
type escapeTable [utf8.RuneSelf]uint64

// escapes is the usual table. In plainEscapes, <, > and & are not escaped.
var (
	escapes      = makeEscapes()
	plainEscapes = func() escapeTable {
		t := makeEscapes()
		for _, c := range "<>&" {
			t[c] = uint64(c) | 1<<56
		}
		return t
	}()
)

func makeEscapes() (t escapeTable) {
	short := map[int]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	for c := range t {
		esc := short[c]
		if esc == "" {
			esc = `\u00` + hexDigits[c>>4:c>>4+1] + hexDigits[c&15:c&15+1]
		}
		for i := range len(esc) {
			t[c] |= uint64(esc[i]) << (8 * i)
		}
		t[c] |= uint64(len(esc)) << 56
	}
	return t
}

// appendEscaped appends s, escaped, and the closing quote. It stores whole words, and then counts
// only the bytes of them that belong to the result (BenchmarkAppendQuote).
func appendEscaped(dst []byte, s string, plain bool) []byte {
	const slack = 8 + 32*6
	table := &escapes
	if plain {
		table = &plainEscapes
	}
	n := len(dst)
	b := slices.Grow(dst, len(s)+len(s)/4+slack)
	b = b[:cap(b)]
	for i := 0; i < len(s); {
		if len(b)-n < len(s)-i+slack {
			b = slices.Grow(b[:n], 2*(len(s)-i)+slack)
			b = b[:cap(b)]
		}
		if len(s)-i >= 32+8 {
			n, i = escapeBlock(b, n, s, i, table)
			continue
		}
		var w uint64
		if len(s)-i >= 8 {
			w = String64(s, i)
		} else {
			w = tailWord(s, i)
		}
		m := mustEscape(w)
		Store64(b, n, w)
		if m == 0 {
			n += 8
			i += 8
			continue
		}
		// The byte is taken from the word, not from memory, and the switch lets the processor
		// predict the usual lengths of an escape. Both shorten the way to the next word.
		t := bits.TrailingZeros64(m) &^ 7
		i += t >> 3
		n += t >> 3
		if i >= len(s) { // at the zeros after the end
			break
		}
		c := byte(w >> (t & 63))
		if c >= utf8.RuneSelf {
			n, i = appendRunes(b, n, s, i, table)
			continue
		}
		esc := table[c]
		Store64(b, n, esc)
		i++
		switch esc >> 56 {
		case 2:
			n += 2
		case 6:
			n += 6
		default:
			n++
		}
	}
	b[n] = '"'
	return b[:n+1]
}

// escapeBlock writes the 32 bytes at s[i:], escaped, to b[n:]. It returns the indexes after them,
// which may be further on if the block ends in characters that are not ASCII. s has at least eight
// more bytes. All marks of the block are found first, so that no escape waits for the one before
// it.
func escapeBlock(b []byte, n int, s string, i int, table *escapeTable) (int, int) {
	marks := exactEscapes(String64(s, i)) | exactEscapes(String64(s, i+8))<<8 |
		exactEscapes(String64(s, i+16))<<16 | exactEscapes(String64(s, i+24))<<24
	end := i + 32
	for base := i; marks != 0; {
		at := base + bits.TrailingZeros64(marks)
		for ; ; i += 8 {
			Store64(b, n, String64(s, i))
			if at-i <= 8 {
				break
			}
			n += 8
		}
		n += at - i
		c := s[at]
		if c >= utf8.RuneSelf {
			n, i = appendRunes(b, n, s, at, table)
			if i >= end {
				return n, i
			}
			marks &= ^uint64(0) << (uint(i-base) & 63)
			continue
		}
		marks &= marks - 1
		i = at + 1
		esc := table[c]
		Store64(b, n, esc)
		n += int(esc >> 56)
	}
	for ; i < end; i += 8 {
		Store64(b, n, String64(s, i))
		n += 8
	}
	return n - (i - end), end
}

// exactEscapes returns the marks of [mustEscape], one bit for each byte, all of them exact.
func exactEscapes(w uint64) uint64 {
	x := w &^ highs
	ok := (x + ones*0x60) & ((x | ones*4) ^ ones*'&' + ones*0x7f) &
		((x | ones*2) ^ ones*'>' + ones*0x7f) & (x ^ ones*'\\' + ones*0x7f)
	return ((^ok | w) & highs >> 7) * 0x0102040810204080 >> 56
}

// tailWord returns the word at s[i:], with zeros in place of bytes after the end of s.
func tailWord(s string, i int) uint64 {
	if n := len(s) - i; n < 8 {
		if len(s) >= 8 {
			return String64(s, len(s)-8) >> (64 - 8*uint(n))
		}
		return bits.ReverseBytes64(Prefix(s[i:]))
	}
	return String64(s, i)
}

// appendRunes writes the run of characters at s[i:] that are not ASCII to b[n:] and returns the
// indexes after it. Valid characters of two to four bytes that need no escape are recognized by a
// word, all others are decoded. A few bytes of ASCII between them belong to the run, since texts in
// most languages have blanks and the like.
func appendRunes(b []byte, n int, s string, i int, table *escapeTable) (int, int) {
	plain := 0 // ASCII bytes since the last other character
	for len(s)-i >= 4 {
		w := String32(s, i)
		if w&0xfeffff == 0xa880e2 { // U+2028, U+2029
			Store64(b, n, separatorEscape+uint64(w>>16&1)<<40)
			return n + 6, i + 3
		}
		if w&0x80 == 0 {
			if table[w&0x7f]>>56 != 1 || plain == fewPlain {
				return n, i
			}
			b[n] = byte(w)
			n++
			i++
			plain++
			continue
		}
		plain = 0
		k := runeLen(w)
		if k == 0 {
			break
		}
		Store32(b, n, w)
		n += k
		i += k
	}
	if i < len(s) && s[i] >= utf8.RuneSelf {
		n, size := escapeRune(b, n, s[i:])
		return n, i + size
	}
	return n, i
}

// fewPlain is how many ASCII bytes in a row [appendRunes] takes into a run.
const fewPlain = 6

// separatorEscape is the escape of U+2028 as a word.
const separatorEscape = '\\' | 'u'<<8 | '2'<<16 | '0'<<24 | '2'<<32 | '8'<<40

// escapeRune writes the first character of s, which is not ASCII, to b[n:]. It returns the index
// after it, and how many bytes of s it took.
func escapeRune(b []byte, n int, s string) (int, int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return n + copy(b[n:], replacement), 1
	case r == '\u2028' || r == '\u2029':
		n += copy(b[n:], `\u202`)
		b[n] = hexDigits[r&15]
		return n + 1, size
	}
	return n + copy(b[n:], s[:size]), size
}

// Prefix returns the first eight bytes of s as a big-endian number, with zeros after the end of a
// shorter s. If the numbers of two strings differ, they are in the order of the strings.
func Prefix(s string) uint64 {
	if len(s) == 0 {
		return 0
	}
	return bits.ReverseBytes64(shortWord(s) & (1<<(uint(min(len(s), 8))*8) - 1))
}
