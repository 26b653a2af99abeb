package protort

import (
	"encoding/binary"

	"github.com/zmylab/zmy/internal/pbwire"
)

// narrow is an integer of fewer bits than its type in messages, which has 32.
type narrow interface {
	~int8 | ~int16 | ~uint8 | ~uint16
}

// Narrow returns the integer with bits x, or false if T does not hold it. Those above the 32nd do not count.
func Narrow[T narrow](x uint64) (y T, ok bool) {
	wide := int64(int32(x))
	if ^T(0) > 0 {
		wide = int64(uint32(x))
	}
	y = T(wide)
	return y, int64(y) == wide
}

// Form is how the integers of a packed list are encoded.
type Form byte

// The forms.
const (
	FormVarint Form = iota
	FormZigZag
	FormFixed
)

// next reads an integer from b at the index i, as the bits for Narrow.
func (f Form) next(b []byte, i int) (x uint64, next int) {
	if f == FormFixed {
		if len(b)-i < 4 {
			return 0, -1
		}
		return uint64(binary.LittleEndian.Uint32(b[i:])), i + 4
	}
	if x, i = Uvarint(b, i); f == FormZigZag {
		x = uint64(UnZigZag(x & (1<<32 - 1)))
	}
	return x, i
}

// count returns how many integers b has, as the budget for memory counts them.
func (f Form) count(b []byte) int {
	if f == FormFixed {
		return len(b) / 4
	}
	return pbwire.CountVarints(b)
}

// AppendNarrow appends the packed list b.
func AppendNarrow[T narrow](d *Decoder, list []T, b []byte, f Form) ([]T, bool) {
	k := len(list)
	list, ok := extend(d, list, f.count(b))
	if !ok {
		return list, false
	}
	for i := 0; i < len(b); k++ {
		var x uint64
		if x, i = f.next(b, i); i < 0 {
			return list, false
		}
		if list[k], ok = Narrow[T](x); !ok {
			return list, false
		}
	}
	return list, true
}

// ValidNarrow is AppendNarrow without a result.
func ValidNarrow[T narrow](d *Decoder, b []byte, f Form) bool {
	if d.Charge(2 * SizeOf[T]() * int64(f.count(b))) {
		return false
	}
	for i := 0; i < len(b); {
		var x uint64
		if x, i = f.next(b, i); i < 0 {
			return false
		}
		if _, ok := Narrow[T](x); !ok {
			return false
		}
	}
	return true
}

// UnwrapNarrow is UnwrapVarint for an integer that T may not hold.
func UnwrapNarrow[T narrow](to *T, b []byte, left int) bool {
	from, next, ok := unwrap(b, 0, pbwire.VarintType)
	for ; ok && next > 0; from, next, ok = unwrap(b, next, pbwire.VarintType) {
		x, _ := pbwire.ConsumeVarint(b[from:])
		y, holds := Narrow[T](x)
		if !holds {
			return false
		}
		*to = y
	}
	return ok && left > 0
}

// ValidWrappedNarrow is UnwrapNarrow without a result.
func ValidWrappedNarrow[T narrow](b []byte, left int) bool {
	var x T
	return UnwrapNarrow(&x, b, left)
}
