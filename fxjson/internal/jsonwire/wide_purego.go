//go:build purego || !(amd64 || arm64 || loong64 || ppc64le || riscv64)

package jsonwire

// NOTE: Package encoding/binary has such functions, but imports reflect, which programs with
// package jsontiny must not link.

// Load64 returns the little-endian word at b[i:i+8].
func Load64(b []byte, i int) uint64 {
	b = b[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Load32 returns the little-endian half word at b[i:i+4].
func Load32(b []byte, i int) uint32 {
	b = b[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// Load8 returns b[i].
func Load8(b []byte, i int) byte { return b[i] }

// Store64 writes the little-endian word v to b[i:i+8].
func Store64(b []byte, i int, v uint64) {
	b = b[i : i+8]
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	b[4], b[5], b[6], b[7] = byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)
}

// Store32 writes the little-endian half word v to b[i:i+4].
func Store32(b []byte, i int, v uint32) {
	b = b[i : i+4]
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// String32 returns the little-endian half word at s[i:i+4].
func String32(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// String64 returns the little-endian word at s[i:i+8].
func String64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// AliasString returns b[i:e] as a string, which is a copy here.
func AliasString(b []byte, i, e int) string { return string(b[i:e]) }
