package wire

import (
	"bytes"
	"math/bits"
)

// Decoder is the state of one unmarshal call.
type Decoder struct {
	// Budget is the cost of what may still be decoded, in the units of spec/FORMAT.md.
	Budget int64
	// Free limits excess memory, in units of two bytes. A value may take two bytes of memory for
	// each unit that it costs; memory beyond that counts against Free first, and then against
	// Budget. The function [Free] returns the usual value.
	Free int64
	// NoCopy lets strings and byte slices of the result point into the message.
	NoCopy bool
	// CopyEach gives each string and byte slice of the result its own memory.
	CopyEach bool
	// Reuse lets Make and MakeMap return the target's own slices and maps.
	Reuse bool
	// Exact refuses structs of other versions of their types. Without it, fields of a newer version
	// are skipped, and fields that an older version lacks become zero. With it, marshalling the
	// result gives the same bytes as the message.
	Exact bool

	pad   []byte   // scalars of an older version's struct, extended with zeros
	boxes []string // memory for values of type any: see makeBoxes

	fat  int64 // bytes of memory taken in excess of two for each unit
	held int64 // units of Budget that are reserved for fat, beyond Free
}

// Free returns the value of [Decoder.Free] for a message of n bytes: half of n, plus 32 Ki units so
// that small messages never run out.
func Free(n int) int64 { return int64(n/2 + 32<<10) }

// Charge takes n elements of cost units each from the budget. Call it before allocating them. They
// may take at most two bytes of memory for each unit; for elements that take more call
// [Decoder.ChargeFat].
func (d *Decoder) Charge(n, cost int) *Error {
	if c := int64(n) * int64(cost); c <= d.Budget-d.held {
		d.Budget -= c
		return nil
	}
	return d.overBudget(n, cost)
}

//go:noinline
func (d *Decoder) overBudget(n, cost int) *Error {
	c := int64(n) * int64(cost)
	if c <= d.Budget {
		return &Error{Code: ErrMemory, Need: int(2 * c), Have: int(2 * (d.Budget - d.held))}
	}
	return &Error{Code: ErrBudget, Need: int(c), Have: int(d.Budget)}
}

// ChargeFat is Charge for n elements of mem bytes of memory each. Memory in excess of two bytes for
// each unit counts against Free first, and then against the budget. So the decoded value takes at
// most 2·(Budget + Free) bytes, and copies of the message's own bytes. All languages charge the
// same units, but they differ in memory, so running out of memory has a code of its own: ErrMemory.
func (d *Decoder) ChargeFat(n, cost, mem int) *Error {
	more := int64(n) * int64(mem+mem/8-2*cost) // size classes may waste mem/8
	if more <= 0 {
		return d.Charge(n, cost)
	}
	units := int64(n) * int64(cost)
	if units > d.Budget {
		return d.overBudget(n, cost)
	}
	held := max(0, (d.fat+more+1)/2-d.Free)
	if units > d.Budget-held {
		return &Error{Code: ErrMemory, Need: n * mem, Have: int(2*(d.Budget+d.Free) - d.fat)}
	}
	d.Budget -= units
	d.fat += more
	d.held = held
	return nil
}

// ChargeMap is [Decoder.ChargeFat] for a map of n pairs of cost units each. Keys take key bytes and
// values val bytes of memory; apart is the number of bytes that each pair takes in memory of its
// own, behind pointers.
func (d *Decoder) ChargeMap(n, cost, key, val, apart int) *Error {
	return d.ChargeFat(1, n*cost, mapBytes(n, key, val)+n*apart)
}

// mapBytes returns the memory of a map made for n pairs. A map allocates groups of eight pairs.
// Larger maps have tables that are at most 7/8 full and whose size is a power of two. A key or a
// value of more than 128 bytes is stored behind a pointer.
func mapBytes(n, key, val int) int {
	const header, tables, group, direct = 48, 64, 8, 128
	apart := 0
	if key > direct {
		key, apart = 8, key
	}
	if val > direct {
		val, apart = 8, apart+val
	}
	slot := (key+val+7)&^7 + 1
	if n <= group {
		return header + group*slot + n*apart
	}
	return header + tables + slot<<bits.Len(uint((8*n+6)/7-1)) + n*apart
}

// Units of the budget. A value costs the bytes of its scalars, and SlotCost for each string, list,
// map, pointer or any in it.
const (
	SlotCost = 24
	AnyCost  = 32
	PairCost = 16 // what a map costs for each pair, in addition to key and value
)

// Message returns the memory that strings and byte slices of the result share: a copy of the
// message b. With NoCopy it is b itself. With CopyEach it is also b, because each string is copied
// later, so that no string keeps the memory of the others alive.
func (d *Decoder) Message(b []byte) []byte {
	alias := d.NoCopy || d.CopyEach
	if !alias && len(b) >= roughBytes {
		return cloneBytes(b)
	}
	return Own(b, alias)
}

// Own returns b itself if alias is set, else a copy.
func Own(b []byte, alias bool) []byte {
	if alias {
		return b
	}
	own := make([]byte, len(b)) // the compiler combines make and copy, so nothing is zeroed
	copy(own, b)
	return own
}

// Make returns a slice of n elements. With Reuse it is s if s has the capacity; then its elements
// may hold old values.
func Make[S ~[]E, E any](d *Decoder, s S, n int) S {
	if d.Reuse && n <= cap(s) {
		return s[:n]
	}
	return make(S, n)
}

// MakeMap returns an empty map with room for n pairs. With Reuse it is m, emptied, unless m is nil.
func MakeMap[M ~map[K]V, K comparable, V any](d *Decoder, m M, n int) M {
	if d.Reuse && m != nil {
		clear(m)
		return m
	}
	return make(M, n)
}

// String returns b as a string. With CopyEach the string has its own memory; otherwise it shares
// that of the message.
func (d *Decoder) String(b []byte) string {
	if d.CopyEach {
		return ownString(b)
	}
	return String(b)
}

// Bytes returns b as a slice whose cap is its len, or nil if b is empty. With CopyEach the slice
// has its own memory; otherwise it shares that of the message.
func (d *Decoder) Bytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return d.share(b)
}

// share is Bytes, except that an empty b does not become nil.
func (d *Decoder) share(b []byte) []byte {
	if d.CopyEach {
		b = ownBytes(b)
	}
	return b[:len(b):len(b)]
}

// ownString and ownBytes are not inlined, so that String and share are: few callers set CopyEach.
//
//go:noinline
func ownString(b []byte) string { return string(b) }

//go:noinline
func ownBytes(b []byte) []byte { return bytes.Clone(b) }
