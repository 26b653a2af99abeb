package wire

import "unicode/utf8"

// PutString copies s to the start of b, and reports whether s is UTF-8. Most strings are short. So
// one call copies and checks them in one pass, word by word; the last two words overlap.
func PutString(b []byte, s string) bool {
	return PutText(b[:len(s):len(b)], s)&High == 0 || ValidString(s)
}

// copyText copies s to b, which has the same length. It returns a word with at least one byte's top
// bit set if s is not ASCII. It is the reference for PutText.
func copyText(b []byte, s string) uint64 {
	copy(b, s)
	if !ASCII(b) {
		return High
	}
	return 0
}

// copyColumn writes strings of l to x as a narrow list; x must be long enough. heads gives their
// order: the lowest byte of a head is an index in l. It returns the length of the list, and whether
// all strings are ASCII. It is the reference for putColumn.
func copyColumn(x []byte, l []string, heads []uint64) (n int, plain bool) {
	n = 2 * (len(heads) + 1)
	PutU16(x, uint16(n))
	all := uint64(0)
	for i, h := range heads {
		s := l[h&255]
		all |= PutText(x[n:n+len(s)], s)
		n += len(s)
		PutU16(x[2*i+2:], uint16(n))
	}
	return n, all&High == 0
}

// ASCII reports whether all bytes of b are below 0x80.
func ASCII(b []byte) bool {
	if len(b) >= 8 {
		all := U64(b[len(b)-8:])
		for ; len(b) > 8; b = b[8:] {
			all |= U64(b)
		}
		return all&High == 0
	}
	all := byte(0)
	for _, c := range b {
		all |= c
	}
	return all < utf8.RuneSelf
}
