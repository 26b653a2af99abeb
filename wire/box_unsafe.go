//go:build !purego && (amd64 || arm64 || loong64 || ppc64le)

package wire

import (
	"math"
	"unsafe"
)

// An any holds a pointer to its string or number, so each value would take an allocation of its
// own. Here the values of a map or list share one allocation, up to maxBoxes of them. Keeping one
// of the values keeps the whole allocation alive, and the message if one of the values is a string.
// Strings share the message's memory in any case.
//
// SAFETY: an empty interface whose type is not a pointer consists of the type and a pointer to the
// value, which nobody writes to. Package reflect and the compiler rely on the same. A box is the
// memory of a string, written once, before anything points to it. In a number's box the string's
// pointer is nil and the word of its length is the number; the garbage collector does not look at
// that word. The build tags name machines on which that word has 64 bits. BenchmarkAny shows why: 3
// allocations in place of 6. The twin boxes each value by itself, as does CopyEach; TestBoxes
// compares the two.

// maxBoxes is the largest number of values that share an allocation, which then has 1 KiB.
const maxBoxes = 64

// makeBoxes allocates boxes for the remaining n values of a map or list.
func (d *Decoder) makeBoxes(n int) {
	if n > 1 && !d.CopyEach {
		d.boxes = make([]string, min(n, maxBoxes))
	}
}

func (d *Decoder) box() *string {
	p := &d.boxes[0]
	d.boxes = d.boxes[1:]
	return p
}

// number returns a pointer to v in a new box.
func (d *Decoder) number(v uint64) unsafe.Pointer {
	n := &(*[2]uint64)(unsafe.Pointer(d.box()))[1]
	*n = v
	return unsafe.Pointer(n)
}

// boxString returns s as an any.
func (d *Decoder) boxString(s string) (x any) {
	if len(d.boxes) == 0 {
		return s
	}
	p := d.box()
	*p = s
	x = ""
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = unsafe.Pointer(p)
	return x
}

// boxFloat returns f as an any.
func (d *Decoder) boxFloat(f float64) (x any) {
	if len(d.boxes) == 0 {
		return f
	}
	x = 0.0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = d.number(math.Float64bits(f))
	return x
}

// boxInt returns v as an any. Integers from 0 to 255 take no box: the runtime has memory for them.
func (d *Decoder) boxInt(v int) (x any) {
	if len(d.boxes) == 0 || uint(v) < 256 {
		return v
	}
	x = 0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = d.number(uint64(v))
	return x
}
