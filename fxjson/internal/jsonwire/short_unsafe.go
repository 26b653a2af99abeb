//go:build !purego && !race && !msan && !asan && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package jsonwire

import "unsafe"

// shortWord returns the first bytes of s, which is not empty, as a little-endian
// word, with whatever behind the end of s.
//
// SAFETY: it reads eight bytes from the beginning of s on, past its end, unless
// that crosses the end of a page of 4096 bytes: memory is mapped by pages of that
// size or a multiple of it. Sanitizers rightly object, so they get the twin in
// short_safe.go; and so would the check of pointers that the compiler makes with
// -d=checkptr. BenchmarkAppendQuote justifies it.
//
//go:nocheckptr
func shortWord(s string) uint64 {
	p := unsafe.Pointer(unsafe.StringData(s))
	if uintptr(p)&4095 > 4096-8 {
		return shortWordSlow(s)
	}
	return *(*uint64)(p)
}
