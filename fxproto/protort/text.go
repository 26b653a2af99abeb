package protort

// MaxLength is the largest number of bytes of a length.
const MaxLength = 10

// longText is Text for strings of any length.
func longText(b []byte, i int, s string) int {
	if !valid(s) {
		return -1
	}
	return RawText(b, i, s)
}

// RawText is [Text] for strings that may have any bytes.
func RawText(b []byte, i int, s string) int {
	i = Varint(b, i, uint64(len(s)))
	return i + copy(b[i:], s)
}

// Blob writes the length of s and s. The caller has made room for MaxLength+len(s) bytes.
func Blob(b []byte, i int, s []byte) int {
	i = Varint(b, i, uint64(len(s)))
	return i + copy(b[i:], s)
}

// Copy writes the bytes of s, for which the caller has made room.
func Copy(b []byte, i int, s []byte) int { return i + copy(b[i:], s) }
