package protort

import (
	"math"

	"github.com/zmylab/zmy/internal/pbwire"
)

// tagWrapped is the number of the only field of wrappers, without its wire type.
const tagWrapped = 1 << 3

// WrapVarint writes the length of a wrapper and its content, a varint.
func WrapVarint(b []byte, i int, x uint64) int {
	end := i + 1
	if x != 0 {
		b[end] = tagWrapped | byte(pbwire.VarintType)
		end = Varint(b, end+1, x)
	}
	b[i] = byte(end - i - 1)
	return end
}

// Wrap32 is WrapVarint for 4 bytes.
func Wrap32(b []byte, i int, x uint32) int {
	if x == 0 {
		b[i] = 0
		return i + 1
	}
	b[i], b[i+1] = 5, tagWrapped|byte(pbwire.Fixed32Type)
	return Put32(b, i+2, x)
}

// Wrap64 is WrapVarint for 8 bytes.
func Wrap64(b []byte, i int, x uint64) int {
	if x == 0 {
		b[i] = 0
		return i + 1
	}
	b[i], b[i+1] = 9, tagWrapped|byte(pbwire.Fixed64Type)
	return Put64(b, i+2, x)
}

// WrapText is WrapVarint for a string. The index is -1 if it is not UTF-8. The caller has made room for
// 2*MaxLength+1+len(s) bytes.
func WrapText(b []byte, i int, s string) int {
	if s == "" {
		b[i] = 0
		return i + 1
	}
	i = Varint(b, i, uint64(1+SizeBytes(len(s))))
	b[i] = tagWrapped | byte(pbwire.BytesType)
	return Text(b, i+1, s)
}

// WrapBlob is WrapText for bytes.
func WrapBlob(b []byte, i int, s []byte) int {
	if len(s) == 0 {
		b[i] = 0
		return i + 1
	}
	i = Varint(b, i, uint64(1+SizeBytes(len(s))))
	b[i] = tagWrapped | byte(pbwire.BytesType)
	return Blob(b, i+1, s)
}

// SizeWrapVarint returns the number of bytes that WrapVarint writes.
func SizeWrapVarint(x uint64) int {
	if x == 0 {
		return 1
	}
	return 2 + pbwire.SizeVarint(x)
}

// SizeWrap32 returns the number of bytes that Wrap32 writes.
func SizeWrap32(x uint32) int {
	if x == 0 {
		return 1
	}
	return 6
}

// SizeWrap64 returns the number of bytes that Wrap64 writes.
func SizeWrap64(x uint64) int {
	if x == 0 {
		return 1
	}
	return 10
}

// SizeWrapBytes returns the number of bytes that WrapText and WrapBlob write for n bytes.
func SizeWrapBytes(n int) int {
	if n == 0 {
		return 1
	}
	return SizeBytes(1 + SizeBytes(n))
}

// unwrap returns where the next value of a wrapper is in b, from the index i on, and where its field ends.
// There is none if the field ends at 0. It reports false if the message is refused.
func unwrap(b []byte, i int, t pbwire.Type) (from, next int, ok bool) {
	for i < len(b) {
		num, got, n := pbwire.ConsumeTag(b[i:])
		if n < 0 {
			return 0, 0, false
		}
		i += n
		if n = pbwire.ConsumeValue(num, got, b[i:], pbwire.MaxDepth); n < 0 {
			return 0, 0, false
		}
		if num == 1 && got == t {
			return i, i + n, true
		}
		i += n
	}
	return 0, 0, true
}

// UnwrapVarint merges the wrapper b of an integer into to. left is how many levels of messages are allowed.
func UnwrapVarint[T integer](to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.VarintType)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.VarintType) {
		x, _ := pbwire.ConsumeVarint(b[from:])
		*to = T(x)
	}
	return ok && left > 0
}

// UnwrapBool is UnwrapVarint for a bool.
func UnwrapBool[T ~bool](to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.VarintType)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.VarintType) {
		x, _ := pbwire.ConsumeVarint(b[from:])
		*to = x != 0
	}
	return ok && left > 0
}

// UnwrapFloat32 is UnwrapVarint for a float32.
func UnwrapFloat32[T ~float32](to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.Fixed32Type)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.Fixed32Type) {
		x, _ := pbwire.ConsumeFixed32(b[from:])
		*to = T(math.Float32frombits(x))
	}
	return ok && left > 0
}

// UnwrapFloat64 is UnwrapVarint for a float64.
func UnwrapFloat64[T ~float64](to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.Fixed64Type)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.Fixed64Type) {
		x, _ := pbwire.ConsumeFixed64(b[from:])
		*to = T(math.Float64frombits(x))
	}
	return ok && left > 0
}

// UnwrapText is UnwrapVarint for a string, which must be UTF-8.
func UnwrapText[T ~string](d *Decoder, to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.BytesType)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.BytesType) {
		content, _ := pbwire.ConsumeBytes(b[from:next])
		s, valid := d.Text(content)
		if !valid {
			return false
		}
		*to = T(s)
	}
	return ok && left > 0
}

// UnwrapBytes is UnwrapVarint for bytes. The result is not nil.
func UnwrapBytes[T ~[]byte](d *Decoder, to *T, b []byte, left int) bool {
	if *to == nil {
		*to = T{}
	}
	from, next, ok := unwrap(b, 0, pbwire.BytesType)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.BytesType) {
		content, _ := pbwire.ConsumeBytes(b[from:next])
		*to = T(d.Bytes(content))
	}
	return ok && left > 0
}

// ValidWrapper verifies the wrapper b of a value with wire type t. utf8 says that it is a string.
func (d *Decoder) ValidWrapper(b []byte, t byte, utf8 bool, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.Type(t))
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.Type(t)) {
		if pbwire.Type(t) != pbwire.BytesType {
			continue
		}
		content, _ := pbwire.ConsumeBytes(b[from:next])
		if d.Count(len(content)); utf8 && !validBytes(content) {
			return false
		}
	}
	return ok && left > 0
}
