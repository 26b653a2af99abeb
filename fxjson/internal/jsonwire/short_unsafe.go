//go:build !purego && !race && !msan && !asan && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package jsonwire

import "unsafe"

// shortWord returns the first eight bytes of s, which is not empty, as a little-endian word. If s
// is shorter, the bytes of the word after its end are arbitrary.
//
// SAFETY: it reads eight bytes from the beginning of s, also past its end, unless that crosses the
// end of a page of 4096 bytes: memory is mapped in pages of that size or a multiple of it.
// Sanitizers rightly object, so builds with them have the twin in short_safe.go. The compiler's
// check of pointers, -d=checkptr, would object too. BenchmarkAppendQuote justifies it.
//
//go:nocheckptr
func shortWord(s string) uint64 {
	p := unsafe.Pointer(unsafe.StringData(s))
	if uintptr(p)&4095 > 4096-8 {
		return shortWordSlow(s)
	}
	return *(*uint64)(p)
}
