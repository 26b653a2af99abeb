package protort

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/zmylab/zmy/internal/pbwire"
)

// Text returns b as a string, or false if it is not UTF-8. If the budget is exceeded, the result has
// no meaning: the decoder fails at the next Charge, or at last by Exceeded.
func (d *Decoder) Text(b []byte) (s string, ok bool) {
	if !d.share {
		return d.RawText(b), validBytes(b)
	}
	if !d.alias { // as RawText, which needs no check here, since nothing is allocated
		d.memory -= int64(len(b))
	}
	s = text(b)
	return s, valid(s)
}

// RawText is Text for strings that may have any bytes.
func (d *Decoder) RawText(b []byte) string {
	switch {
	case d.alias:
		return text(b)
	case d.Charge(int64(len(b))):
		return ""
	case d.share || !shares:
		return text(b)
	}
	return text(d.place(b))
}

// Bytes returns b as a slice that is not nil and has no spare capacity. Its memory is charged as that
// of Text.
func (d *Decoder) Bytes(b []byte) []byte {
	switch {
	case len(b) == 0:
		return []byte{}
	case d.alias:
	case d.Charge(int64(len(b))):
		return nil
	case !d.share:
		return d.place(b)
	}
	return b[:len(b):len(b)]
}

// place copies b into a block.
func (d *Decoder) place(b []byte) []byte {
	if len(b) >= maxBlock/4 {
		out := make([]byte, len(b))
		copy(out, b)
		return out
	}
	if cap(d.block)-len(d.block) < len(b) || d.block == nil {
		d.block = make([]byte, 0, d.size)
	}
	n := len(d.block)
	d.block = append(d.block, b...)
	return d.block[n:len(d.block):len(d.block)]
}

// Array sets an array to b. It returns false if b is neither as long nor empty.
func Array(to, b []byte) bool {
	if len(b) != 0 && len(b) != len(to) {
		return false
	}
	clear(to)
	copy(to, b)
	return true
}

// extend charges for n numbers, and returns list with n elements more, which the caller sets.
func extend[T any](d *Decoder, list []T, n int) ([]T, bool) {
	if d.Charge(2 * SizeOf[T]() * int64(n)) {
		return list, false
	}
	return slices.Grow(list, n)[:len(list)+n], true
}

// AppendFixed32 appends the packed list b.
func AppendFixed32[T ~int32 | ~uint32](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, len(b)/4)
	if !ok || len(b)%4 != 0 {
		return list, false
	}
	if raw := bytesOf(list[k:]); raw != nil {
		copy(raw, b)
		return list, true
	}
	for i := range list[k:] {
		list[k+i] = T(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list, true
}

// AppendFloat32 is AppendFixed32 for floats.
func AppendFloat32[T ~float32](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, len(b)/4)
	if !ok || len(b)%4 != 0 {
		return list, false
	}
	if raw := bytesOf(list[k:]); raw != nil {
		copy(raw, b)
		return list, true
	}
	for i := range list[k:] {
		list[k+i] = T(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return list, true
}

// AppendFixed64 appends the packed list b.
func AppendFixed64[T ~int64 | ~uint64 | ~int | ~uint](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, len(b)/8)
	if !ok || len(b)%8 != 0 {
		return list, false
	}
	if raw := bytesOf(list[k:]); raw != nil && len(raw) == len(b) {
		copy(raw, b)
		return list, true
	}
	for i := range list[k:] {
		list[k+i] = T(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return list, true
}

// AppendFloat64 is AppendFixed64 for floats.
func AppendFloat64[T ~float64](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, len(b)/8)
	if !ok || len(b)%8 != 0 {
		return list, false
	}
	if raw := bytesOf(list[k:]); raw != nil {
		copy(raw, b)
		return list, true
	}
	for i := range list[k:] {
		list[k+i] = T(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
	}
	return list, true
}

// AppendVarints appends the packed list b. Integers are truncated.
func AppendVarints[T integer](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, pbwire.CountVarints(b))
	if !ok {
		return list, false
	}
	i := 0
	for ; i < len(b); k++ {
		var x uint64
		if x, i = Uvarint(b, i); i < 0 {
			return list, false
		}
		list[k] = T(x)
	}
	return list, true
}

// AppendBools is AppendVarints for bools.
func AppendBools[T ~bool](d *Decoder, list []T, b []byte) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, pbwire.CountVarints(b))
	if !ok {
		return list, false
	}
	for i := 0; i < len(b); k++ {
		var x uint64
		if x, i = Uvarint(b, i); i < 0 {
			return list, false
		}
		list[k] = x != 0
	}
	return list, true
}

// AppendZigZags is AppendVarints for zigzag varints. mask has the bits that count: 32 or 64.
func AppendZigZags[T integer](d *Decoder, list []T, b []byte, mask uint64) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, pbwire.CountVarints(b))
	if !ok {
		return list, false
	}
	for i := 0; i < len(b); k++ {
		var x uint64
		if x, i = Uvarint(b, i); i < 0 {
			return list, false
		}
		list[k] = T(UnZigZag(x & mask))
	}
	return list, true
}
