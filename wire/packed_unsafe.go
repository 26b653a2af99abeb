//go:build !purego && (amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package wire

import "unsafe"

// memory returns the memory of s if its bytes are the encoded s, else nil.
//
// SAFETY: the build tags name little-endian machines. The element types are numbers without padding
// or pointers, and the comparison of sizes makes sure that they have their encoded size. The bytes
// live as long as s, which every caller still holds; any bytes that are written are valid numbers.
// BenchmarkResult shows why: one copy of 8 KiB in place of 1,024 stores. The loop beside each
// caller is the twin.
func memory[E Integer | Float](s []E, size int) []byte {
	if len(s) == 0 || int(unsafe.Sizeof(s[0])) != size {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size)
}

// elements returns the bytes b as n numbers if numbers have the same bytes in memory, else nil. b
// must not be empty. The result may only be copied.
//
// SAFETY: see memory; b has n*size bytes. The result may be unaligned, which copying allows. make
// followed by a copy from a slice of the same type zeroes nothing, which saves 2% to 10% of
// BenchmarkResult/unmarshal.
func elements[E Integer | Float](b []byte, n, size int) []E {
	var e E
	if int(unsafe.Sizeof(e)) != size || len(b) != n*size {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// roughBytes is the length from which package runtime copies by one instruction on amd64: REP MOVSQ
// if both addresses are multiples of eight, else REP MOVSB.
const roughBytes = 2048

// rough reports whether a copy of n bytes from src may be slow. If the destination of REP MOVSB is
// aligned to 16 bytes, recent Intel processors take five times as long (docs/perf/zmy.md).
//
// SAFETY: the address is only looked at, and it decides nothing but the speed.
func rough[E any](src []E, n int) bool {
	return n >= roughBytes && uintptr(unsafe.Pointer(unsafe.SliceData(src)))%8 != 0
}

// move copies src to dst, which has the same length. If the copy would be slow, it copies the first
// eight bytes by themselves, so that the rest goes to an address that is not aligned to 16 bytes.
// BenchmarkMove.
//
// SAFETY: as for rough.
func move(dst, src []byte) {
	if rough(src, len(src)) && uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%16 == 0 {
		PutU64(dst, U64(src))
		dst, src = dst[8:], src[8:]
	}
	copy(dst, src)
}

// cloneBytes returns a copy of b, which has at least roughBytes.
func cloneBytes(b []byte) []byte {
	own := newBuffer(len(b))[:len(b):len(b)]
	move(own, b)
	return own
}

// cloneElements returns a copy of what elements returned.
//
// SAFETY: newBuffer returns memory for numbers, aligned like all allocations of 16 bytes and more;
// move writes all of it.
func cloneElements[E Integer | Float](own []E, size int) []E {
	if rough(own, len(own)*size) {
		s := unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(newBuffer(len(own)*size)))), len(own))
		move(memory(s, size), memory(own, size))
		return s
	}
	s := make([]E, len(own))
	copy(s, own)
	return s
}
