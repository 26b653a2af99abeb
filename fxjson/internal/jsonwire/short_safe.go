//go:build purego || race || msan || asan || !(amd64 || arm64 || loong64 || ppc64le || riscv64)

package jsonwire

// shortWord returns the first eight bytes of s, which is not empty, as a little-endian word. If s
// is shorter, the bytes of the word after its end are arbitrary.
func shortWord(s string) uint64 { return shortWordSlow(s) }
