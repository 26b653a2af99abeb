package wire

import "math/bits"

// Decoder is the state of one unmarshal call.
type Decoder struct {
	// Budget is what may still be allocated, in the units of spec/FORMAT.md.
	Budget int64
	// Free is how many units of memory are granted beside Budget, for what takes more
	// memory than its units: see [Free].
	Free int64
	// NoCopy lets strings and bytes of the result point into the message.
	NoCopy bool
	// CopyEach gives each string and byte slice of the result memory of its own.
	CopyEach bool
	// Reuse lets slices and maps of the target keep their memory.
	Reuse bool
	// Exact refuses structs of other versions of their types. Without it fields
	// of a newer version are skipped, and those missing from an older one become
	// zero; with it marshalling the result gives the message back, byte for byte.
	Exact bool

	pad   []byte   // scalars of an older struct, completed with zeros
	boxes []string // memory for values of type any: see makeBoxes

	fat  int64 // bytes of memory taken beyond two for each unit
	held int64 // units of Budget that are no longer free, since memory was taken for them
}

// Free is the field of [Decoder] for a message of n bytes: half of them, and as many
// as let every small message pass.
func Free(n int) int64 { return int64(n/2 + 32<<10) }

// Charge takes n elements of cost units each from the budget. It is called
// before the memory is taken, which is at most two bytes for each unit: else
// see [Decoder.ChargeFat].
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

// ChargeFat is Charge for n elements that take mem bytes of memory each. Memory
// beyond two bytes for each unit counts against the budget too, as far as the
// length of the message does not allow it. So what is decoded takes at most
// 2·(Budget + Free) bytes, besides copies of the message's own bytes. Languages
// agree on units but not on memory, so that this error has a code of its own.
func (d *Decoder) ChargeFat(n, cost, mem int) *Error {
	more := int64(n) * int64(mem+mem/8-2*cost) // an eighth is lost to the allocator's size classes
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

// ChargeMap is [Decoder.ChargeFat] for a map of n pairs of cost units, whose keys
// and values take key and val bytes, and apart bytes behind a pointer.
func (d *Decoder) ChargeMap(n, cost, key, val, apart int) *Error {
	return d.ChargeFat(1, n*cost, mapBytes(n, key, val)+n*apart)
}

// mapBytes is what a map made for n pairs takes. Memory is taken for groups of
// eight; larger maps have tables that are at most 7/8 full, whose size is a power
// of two. A key or a value above 128 bytes stands behind a pointer.
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

// Units of the budget. A value costs its scalar bytes, and SlotCost for each
// string, list, map, pointer or any in it.
const (
	SlotCost = 24
	AnyCost  = 32
	PairCost = 16 // a map's own share per pair
)

// Message returns the bytes that the result may point into: b itself, or one
// copy for all strings and bytes of the message. Under CopyEach they are copied
// one by one later, so that none keeps the others' memory.
func (d *Decoder) Message(b []byte) []byte {
	if d.NoCopy || d.CopyEach {
		return b
	}
	own := make([]byte, len(b)) // which the compiler joins with the copy: nothing is zeroed
	copy(own, b)
	return own
}

// Make returns a slice of n elements: s cut or stretched if its memory may be
// used again, else new memory. Elements may hold old values.
func Make[S ~[]E, E any](d *Decoder, s S, n int) S {
	if d.Reuse && n <= cap(s) {
		return s[:n]
	}
	return make(S, n)
}

// MakeMap returns an empty map with room for n pairs.
func MakeMap[M ~map[K]V, K comparable, V any](d *Decoder, m M, n int) M {
	if d.Reuse && m != nil {
		clear(m)
		return m
	}
	return make(M, n)
}
