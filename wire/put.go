package wire

import "unicode/utf8"

// PutString sets the first len(s) bytes of b to s, and reports whether s is
// UTF-8. Most strings are short: copying and checking them in one pass by words,
// of which the last two overlap, is one call in place of two.
func PutString(b []byte, s string) bool {
	return putText(b[:len(s):len(b)], s)&high == 0 || utf8.ValidString(s)
}

// copyText sets b to s, which is as long, and returns a word of which a top bit
// is set where s is not ASCII. It is the reference of putText.
func copyText(b []byte, s string) uint64 {
	copy(b, s)
	if !ASCII(b) {
		return high
	}
	return 0
}

// copyColumn writes a narrow list of those strings of l that order names into x,
// which is long enough. It returns the list's length, and whether all strings are
// ASCII. It is the reference of putColumn.
func copyColumn(x []byte, l *[fewPairs]string, order []uint8) (n int, plain bool) {
	n = 2 * (len(order) + 1)
	PutU16(x, uint16(n))
	all := uint64(0)
	for i, o := range order {
		s := l[o%fewPairs]
		all |= putText(x[n:n+len(s)], s)
		n += len(s)
		PutU16(x[2*i+2:], uint16(n))
	}
	return n, all&high == 0
}

// ASCII reports whether all bytes of b are below 0x80.
func ASCII(b []byte) bool {
	if len(b) >= 8 {
		all := U64(b[len(b)-8:])
		for ; len(b) > 8; b = b[8:] {
			all |= U64(b)
		}
		return all&high == 0
	}
	all := byte(0)
	for _, c := range b {
		all |= c
	}
	return all < utf8.RuneSelf
}
