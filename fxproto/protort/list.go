package protort

import (
	"encoding/binary"
	"math"

	"github.com/zmylab/zmy/internal/pbwire"
)

// number is a type of numbers. A type int or uint has 64 bits in messages, but not on all machines.
type number interface {
	integer | ~float32 | ~float64
}

// integer is a number that is not a float.
type integer interface {
	narrow | ~int32 | ~int64 | ~uint32 | ~uint64 | ~int | ~uint
}

// Fixed32 writes the numbers of a packed list in 4 bytes each, for which the caller has made room.
func Fixed32[T narrow | ~int32 | ~uint32](b []byte, i int, list []T) int {
	if raw := bytesOf(list); raw != nil && len(raw) == 4*len(list) {
		return i + copy(b[i:], raw)
	}
	for _, x := range list {
		binary.LittleEndian.PutUint32(b[i:], uint32(x))
		i += 4
	}
	return i
}

// Float32 is Fixed32 for floats.
func Float32[T ~float32](b []byte, i int, list []T) int {
	if raw := bytesOf(list); raw != nil {
		return i + copy(b[i:], raw)
	}
	for _, x := range list {
		binary.LittleEndian.PutUint32(b[i:], math.Float32bits(float32(x)))
		i += 4
	}
	return i
}

// Fixed64 writes the numbers of a packed list in 8 bytes each, for which the caller has made room.
func Fixed64[T ~int64 | ~uint64 | ~int | ~uint](b []byte, i int, list []T) int {
	if raw := bytesOf(list); raw != nil && len(raw) == 8*len(list) {
		return i + copy(b[i:], raw)
	}
	for _, x := range list {
		binary.LittleEndian.PutUint64(b[i:], uint64(x))
		i += 8
	}
	return i
}

// Float64 is Fixed64 for floats.
func Float64[T ~float64](b []byte, i int, list []T) int {
	if raw := bytesOf(list); raw != nil {
		return i + copy(b[i:], raw)
	}
	for _, x := range list {
		binary.LittleEndian.PutUint64(b[i:], math.Float64bits(float64(x)))
		i += 8
	}
	return i
}

// Bools writes a packed list, for which the caller has made room.
func Bools[T ~bool](b []byte, i int, list []T) int {
	for _, x := range list {
		b[i] = byte(Bit(bool(x)))
		i++
	}
	return i
}

// Varints writes a packed list of integers, for which the caller has made room.
func Varints[T integer](b []byte, i int, list []T) int {
	for _, x := range list {
		i = Varint(b, i, uint64(x))
	}
	return i
}

// ZigZags is Varints for zigzag varints.
func ZigZags[T integer](b []byte, i int, list []T) int {
	for _, x := range list {
		i = Varint(b, i, ZigZag(int64(x)))
	}
	return i
}

// SizeVarints returns the length in bytes of the content that Varints writes.
func SizeVarints[T integer](list []T) (n int) {
	for _, x := range list {
		n += pbwire.SizeVarint(uint64(x))
	}
	return n
}

// SizeZigZags returns the length in bytes of the content that ZigZags writes.
func SizeZigZags[T integer](list []T) (n int) {
	for _, x := range list {
		n += pbwire.SizeVarint(ZigZag(int64(x)))
	}
	return n
}
