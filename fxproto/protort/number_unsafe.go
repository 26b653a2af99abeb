//go:build !purego

package protort

import (
	"encoding/binary"
	"unsafe"
)

// littleEndian says that numbers in memory have the bytes that they have in messages.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// bytesOf returns the memory of the list, or nil if it differs from the message.
//
// SAFETY: the memory of a slice of numbers has len times the size of the number, without gaps. A
// number has no pointers and any bits are a value, so its memory may be read and written as bytes,
// which need no alignment. The result shares the memory, which it keeps alive. The twin
// number_purego.go makes callers use a loop; all tests run with both (-tags purego), and the benchmark
// Result of adapters/protox/fxprotobench shows what it gains.
func bytesOf[T number](list []T) []byte {
	if !littleEndian || len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(list[0])))
}
