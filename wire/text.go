package wire

import "unicode/utf8"

// High has the top bit of each byte, which no byte of ASCII has.
const High = 0x8080808080808080

// ValidString reports whether s is UTF-8. Most strings are short and ASCII, so it checks eight
// bytes at a time; the last eight overlap. That saved a sixth of encoding, compared with
// utf8.ValidString, which is its reference.
func ValidString(s string) bool {
	if len(s) >= 8 {
		for i := 0; i < len(s)-8; i += 8 {
			if le64s(s, i)&High != 0 {
				return utf8.ValidString(s[i:])
			}
		}
		return le64s(s, len(s)-8)&High == 0 || utf8.ValidString(s)
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return utf8.ValidString(s)
		}
	}
	return true
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
				return utf8.Valid(b[i:])
			}
		}
		return U64(b[len(b)-8:])&High == 0 || utf8.Valid(b)
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return utf8.Valid(b)
		}
	}
	return true
}

func continues(c byte) bool { return c&0xC0 == 0x80 }
