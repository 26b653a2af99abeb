package jsonwire

import "math/bits"

// SkipSpace returns the index of the first byte from i on that is no JSON white
// space. The document is padded.
func SkipSpace(b []byte, i int) int {
	if Load8(b, i) > ' ' {
		return i
	}
	return skipSpaces(b, i)
}

// skipSpaces is a function of its own so that SkipSpace is inlined. Indented documents have many
// blanks after a line end. It skips them eight at a time.
func skipSpaces(b []byte, i int) int {
	for {
		switch Load8(b, i) {
		case '\n':
			i++
			x := Load64(b, i) ^ ones*' '
			for ; x == 0; x = Load64(b, i) ^ ones*' ' {
				i += 8
			}
			i += bits.TrailingZeros64(x) >> 3
			if Load8(b, i) > ' ' {
				return i
			}
		case ' ', '\t', '\r':
			i++
		default:
			return i
		}
	}
}
