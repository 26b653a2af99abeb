package jsonwire

// UTF8End returns the index of the first byte of b[i:n] at which no valid UTF-8 begins, n if all is
// valid. The document b is padded, and b[n] must be ASCII: a character that is cut off at n is then
// invalid.
//
// The reference is utf8.Valid, which is several times slower on text that mixes ASCII and
// characters of several bytes (TestUTF8End, BenchmarkUTF8End).
func UTF8End(b []byte, i, n int) int {
	for i < n {
		w := Load64(b, i)
		if w&highs == 0 {
			i += 8
			for i+32 <= n && (Load64(b, i)|Load64(b, i+8)|Load64(b, i+16)|Load64(b, i+24))&highs == 0 {
				i += 32
			}
			continue
		}
		i += firstByte(w & highs)
		for i < n {
			c := Load32(b, i)
			if c&0x80 == 0 {
				break
			}
			k := runeLen(c)
			if k == 0 {
				return i
			}
			i += k
		}
	}
	return n
}

// runeLen returns the length, 2 to 4, of the character at the beginning of the little-endian word
// w. It returns 0 if that is ASCII or no valid UTF-8 (Unicode, table 3-7).
func runeLen(w uint32) int {
	switch {
	case w&0xc0c0f0 == 0x8080e0:
		// Not overlong (E0 80..9F) and no surrogate (ED A0..BF).
		if x := w & 0x200f; x != 0 && x != 0x200d {
			return 3
		}
	case w&0xc0e0 == 0x80c0:
		if w&0x1e != 0 {
			return 2
		}
	case w&0xc0c0c0f8 == 0x808080f0:
		// The top five bits of the code point: 1 to 16.
		if x := w&7<<2 | w>>12&3; x-1 < 16 {
			return 4
		}
	}
	return 0
}
