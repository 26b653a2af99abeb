package wire

import (
	"encoding/binary"
	"math"
)

// Fixed-size values are little-endian. PutX writes to the first bytes of b, and X reads them. The
// caller must make sure that b is long enough.

func PutU16(b []byte, v uint16) { binary.LittleEndian.PutUint16(b, v) }
func PutU32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
func PutU64(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }

func U16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func U32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func U64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// PutF32 and the next three functions preserve all bits of a float, NaN payloads included.
func PutF32(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) }
func PutF64(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }

func F32(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
func F64(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// PutC64 and the next three functions encode the real part, then the imaginary part.
func PutC64(b []byte, v complex64) {
	PutF32(b, real(v))
	PutF32(b[4:], imag(v))
}
func PutC128(b []byte, v complex128) {
	PutF64(b, real(v))
	PutF64(b[8:], imag(v))
}
func C64(b []byte) complex64   { return complex(F32(b), F32(b[4:])) }
func C128(b []byte) complex128 { return complex(F64(b), F64(b[8:])) }

// PutBool sets b[0] to 0 or 1.
func PutBool(b []byte, v bool) {
	var c byte
	if v {
		c = 1
	}
	b[0] = c
}

// BoolsOK reports whether every byte of b is 0 or 1.
func BoolsOK(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if U64(b)&^0x0101010101010101 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c > 1 {
			return false
		}
	}
	return true
}
