//go:build !purego && (amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package wire

import "unsafe"

// memory returns the bytes of s where they are the bytes of the wire, else nil.
//
// SAFETY: the build tags name little-endian machines. The element types are
// numbers without padding or pointers, and the size test holds them against
// their size on the wire. The bytes live as long as s, which every caller still
// holds; writing any bytes makes valid numbers. BenchmarkResult shows why: one
// copy of 8 KiB against 1,024 stores. The loops beside each caller are the twin.
func memory[E Integer | Float](s []E, size int) []byte {
	if len(s) == 0 || int(unsafe.Sizeof(s[0])) != size {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size)
}

// elements returns the bytes b, not empty, as n numbers where memory holds numbers
// so, else nil. They are only to be copied.
//
// SAFETY: as above; b has n*size bytes. The numbers may stand at any address, and
// copying looks at no address. make joined with the copy of a slice of its own
// type zeroes nothing: a fiftieth to a tenth of BenchmarkResult/unmarshal.
func elements[E Integer | Float](b []byte, n, size int) []E {
	var e E
	if int(unsafe.Sizeof(e)) != size || len(b) != n*size {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b))), n)
}
