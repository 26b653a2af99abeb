//go:build purego

package protort

import "unicode/utf8"

// shares says that text can share the memory of bytes.
const shares = false

// Text writes the length of s and s, or returns -1 if s is not UTF-8. The caller has made room for
// MaxLength+len(s) bytes.
func Text(b []byte, i int, s string) int { return putLong(b, i, s, true) }

// RawText is [Text] for strings that may have any bytes.
func RawText(b []byte, i int, s string) int { return putLong(b, i, s, false) }

// Blob is [RawText] for bytes.
func Blob(b []byte, i int, s []byte) int {
	i = Varint(b, i, uint64(len(s)))
	return i + copy(b[i:], s)
}

// valid reports whether s is UTF-8.
func valid(s string) bool { return utf8.ValidString(s) }

// validBytes reports whether b is UTF-8.
func validBytes(b []byte) bool { return utf8.Valid(b) }

// text returns b as a string. Without package unsafe it must copy.
func text(b []byte) string { return string(b) }
