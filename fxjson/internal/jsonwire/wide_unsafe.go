//go:build !purego && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package jsonwire

import "unsafe"

// Load64 returns the little-endian word at b[i:i+8].
//
// SAFETY: callers keep 0 <= i && i+8 <= len(b), by the padding rule of the package or by a length
// test next to the call. The checked twin in wide_purego.go panics if the rule is broken, and all
// tests run on it too. The listed architectures are little-endian and allow unaligned loads.
// BenchmarkScanString and BenchmarkParseFloat justify it.
func Load64(b []byte, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// Load32 returns the little-endian half word at b[i:i+4]; see [Load64].
func Load32(b []byte, i int) uint32 {
	return *(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// Load8 returns b[i]; see [Load64].
func Load8(b []byte, i int) byte {
	return *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// Store64 writes the little-endian word v to b[i:i+8]; see [Load64].
func Store64(b []byte, i int, v uint64) {
	*(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}

// Store32 writes the little-endian half word v to b[i:i+4]; see [Load64].
func Store32(b []byte, i int, v uint32) {
	*(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}

// String32 returns the little-endian half word at s[i:i+4]; see [Load64].
func String32(s string, i int) uint32 {
	return *(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))
}

// String64 returns the little-endian word at s[i:i+8]; see [Load64].
func String64(s string, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))
}

// AliasString returns b[i:e] as a string without a copy.
//
// SAFETY: callers pass only bytes of a document that they own and that nobody writes to any more,
// so the string never changes.
func AliasString(b []byte, i, e int) string {
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)), e-i)
}
