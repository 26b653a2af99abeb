package wire

import (
	"math/bits"
	"unicode/utf8"
)

// High has the top bit of each byte, which no byte of ASCII has.
const High = 0x8080808080808080

// ValidString reports whether s is UTF-8. Most strings are short and ASCII, so it checks eight
// bytes at a time; the last eight overlap. That saved a sixth of encoding, compared with
// utf8.ValidString, which is its reference.
func ValidString(s string) bool {
	if len(s) >= 8 {
		for i := 0; i < len(s)-8; i += 8 {
			if le64s(s, i)&High != 0 {
				return validFrom(s, i)
			}
		}
		return le64s(s, len(s)-8)&High == 0 || validFrom(s, len(s)-8)
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return validShort(s[i:])
		}
	}
	return true
}

// validFrom reports whether s[i:] is UTF-8. s has at least eight bytes. It steps over eight bytes of
// ASCII, or over one other character, at a time. Near the end it shifts the last eight bytes, so
// that zeros stand behind the text: they are ASCII, and no character continues in them. For names
// with one character that is not ASCII it takes half the time of utf8.ValidString, which is faster
// for long strings.
//
//go:noinline
func validFrom(s string, i int) bool {
	if len(s) > 32 {
		return utf8.ValidString(s[i:])
	}
	last := len(s) - 8
	for i < len(s) {
		var w uint64
		if i <= last {
			w = le64s(s, i)
		} else {
			w = le64s(s, last) >> (8 * uint(i-last))
		}
		if w&0x80 == 0 {
			i += bits.TrailingZeros64(w&High) / 8 // 8 if all are ASCII
			continue
		}
		switch charLen(uint32(w)) {
		case 2:
			i += 2
		case 3:
			i += 3
		case 4:
			i += 4
		default:
			return false
		}
	}
	return true
}

// validShort is validFrom for all of a string of less than eight bytes.
//
//go:noinline
func validShort(s string) bool {
	w := uint64(0)
	if n := len(s); n >= 4 {
		w = uint64(le32s(s, 0)) | uint64(le32s(s, n-4))<<(8*uint(n-4))
	} else {
		for i := range n {
			w |= uint64(s[i]) << (8 * uint(i))
		}
	}
	for w&High != 0 {
		w >>= bits.TrailingZeros64(w&High) &^ 7
		n := charLen(uint32(w))
		if n == 0 {
			return false
		}
		w >>= 8 * uint(n)
	}
	return true
}

// charLen returns the length in bytes of the character with which w, read as little-endian bytes,
// begins: 2 to 4, or 0 if it is not UTF-8. The character must not be ASCII. The masks name the bits
// that RFC 3629 fixes; the other conditions refuse what has a shorter form, surrogates, and what is
// beyond U+10FFFF.
func charLen(w uint32) int {
	switch {
	case w&0xC0E0 == 0x80C0 && w&0x1E != 0:
		return 2
	case w&0xC0C0F0 == 0x8080E0 && w&0x200F != 0 && w&0x200F != 0x200D:
		return 3
	case w&0xC0C0C0F8 == 0x808080F0 && w&0x3007 != 0 && (w&7 < 4 || w&0x3007 == 4):
		return 4
	}
	return 0
}

// le64s returns s[i:i+8] as a little-endian number. The compiler combines the eight loads into one.
func le64s(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func le32s(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Valid is [ValidString] for bytes.
func Valid(b []byte) bool {
	if len(b) >= 8 {
		for i := 0; i < len(b)-8; i += 8 {
			if U64(b[i:])&High != 0 {
				return validFrom(String(b), i)
			}
		}
		return U64(b[len(b)-8:])&High == 0 || validFrom(String(b), len(b)-8)
	}
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return validShort(String(b[i:]))
		}
	}
	return true
}

func continues(c byte) bool { return c&0xC0 == 0x80 }
