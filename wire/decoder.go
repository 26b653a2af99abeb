package wire

// Decoder is the state of one unmarshal call.
type Decoder struct {
	// Budget is what may still be allocated, in the units of spec/FORMAT.md.
	Budget int64
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
}

// Charge takes n elements of cost units each from the budget. It is called
// before the memory is taken.
func (d *Decoder) Charge(n, cost int) *Error {
	if c := int64(n) * int64(cost); c <= d.Budget {
		d.Budget -= c
		return nil
	}
	return d.overBudget(n, cost)
}

//go:noinline
func (d *Decoder) overBudget(n, cost int) *Error {
	return &Error{Code: ErrBudget, Need: int(int64(n) * int64(cost)), Have: int(d.Budget)}
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
