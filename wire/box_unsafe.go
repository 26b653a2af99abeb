//go:build !purego && (amd64 || arm64 || loong64 || ppc64le)

package wire

import (
	"math"
	"unsafe"
)

// Strings and numbers in values of type any stand behind a pointer each. Those of a
// map or list are cut from one piece of memory, which is an allocation in place of
// up to maxBoxes. What is kept of them keeps the piece, and by its strings the
// message, which they share in any case.
//
// SAFETY: an empty interface of a type that is no pointer is the type and a pointer
// to the value, which is never written to: package reflect and the compiler rely
// on the same. A box is memory for a string, written once, before anything points
// to it. A number stands in the word of its length, which the garbage collector
// does not look at, beside a nil pointer: the build tags name machines where that
// word has 64 bits. BenchmarkAny shows why: 3 allocations in place of 6. The twin
// boxes each value by itself, as does CopyEach; TestBoxes holds them together.

// maxBoxes is how many values stand in one piece of memory at most: 1 KiB.
const maxBoxes = 64

// makeBoxes makes boxes for the n values that a map or list still has.
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

// number is a pointer to v in a box.
func (d *Decoder) number(v uint64) unsafe.Pointer {
	n := &(*[2]uint64)(unsafe.Pointer(d.box()))[1]
	*n = v
	return unsafe.Pointer(n)
}

// boxString is any(s).
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

// boxFloat is any(f).
func (d *Decoder) boxFloat(f float64) (x any) {
	if len(d.boxes) == 0 {
		return f
	}
	x = 0.0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = d.number(math.Float64bits(f))
	return x
}

// boxInt is any(v); the runtime has boxes for the least of them.
func (d *Decoder) boxInt(v int) (x any) {
	if len(d.boxes) == 0 || uint(v) < 256 {
		return v
	}
	x = 0
	(*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] = d.number(uint64(v))
	return x
}
