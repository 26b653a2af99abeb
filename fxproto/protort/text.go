package protort

// MaxLength is the largest number of bytes of a length.
const MaxLength = 10

// putLong writes the length of s and s, of any length. If check is set, it returns -1 if s is not UTF-8.
func putLong(b []byte, i int, s string, check bool) int {
	if check && !valid(s) {
		return -1
	}
	if n := len(s); n >= 0x80 && n < 1<<14 {
		b[i], b[i+1] = byte(n)|0x80, byte(n>>7)
		i += 2
	} else {
		i = Varint(b, i, uint64(n))
	}
	return i + copy(b[i:], s)
}

// Copy writes the bytes of s, for which the caller has made room.
func Copy(b []byte, i int, s []byte) int { return i + copy(b[i:], s) }
