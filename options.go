package zmy

import "math"

// The limits that apply where an option is 0.
const (
	DefaultMaxWire  = 128 << 10 // bytes of a message
	DefaultMaxRaw   = 4 << 20   // bytes of a message before compression
	DefaultMaxDepth = 64        // levels of structs and of values of type any
	DefaultBudget   = 16 << 20  // units of decoded values, or 16 for each byte of MaxWire if that is more
)

// MarshalOptions limits the messages that Marshal makes. The zero value is the default.
type MarshalOptions struct {
	// MaxWire is the largest message in bytes; 0 is DefaultMaxWire.
	MaxWire int
	// MaxRaw is the largest message in bytes before compression. 0 means DefaultMaxRaw, or MaxWire
	// if that is more. A message that is not compressed obeys both limits.
	MaxRaw int
	// MaxDepth is how deep structs and values of type any may be nested. The message itself is
	// level 1. 0 means DefaultMaxDepth.
	MaxDepth int
}

// UnmarshalOptions limits and directs Unmarshal. The zero value is the default: it is safe for
// hostile bytes, and the result shares no memory with the input.
type UnmarshalOptions struct {
	// MaxWire, MaxRaw and MaxDepth mean the same as in MarshalOptions.
	MaxWire  int
	MaxRaw   int
	MaxDepth int
	// Budget limits the size of the decoded value. It counts in the units of spec/FORMAT.md, about
	// one for each byte; 0 means DefaultBudget, or 16 units for each byte of MaxWire if that is
	// more. Unmarshal charges the budget before it allocates. The value's memory is limited too:
	// two bytes for each unit of the budget, four for each byte of the message, and 64 KiB. A Go
	// type that needs more, because of fields without a number for example, fails with ErrMemory.
	Budget int64
	// NoCopy lets strings and byte slices of the result point into the input. The input must then
	// stay unchanged for as long as they are used.
	NoCopy bool
	// CopyEach gives each string and byte slice of the result its own memory. Without it they share
	// one copy of the message, which costs one allocation and stays alive as long as any of them is
	// kept. Up to 64 neighbouring values in a map or list of type any share memory in the same way.
	// CopyEach takes precedence over NoCopy. To keep single values, use [Clone] instead.
	CopyEach bool
	// Reuse lets Unmarshal fill the slices and maps that the target already holds. Others that hold
	// the same slices or maps see them change.
	Reuse bool
	// Exact refuses messages that were written by an older or a newer version of the type, and
	// content of reserved fields that the type does not keep. It is for readers that must not drop
	// fields which they do not know. Sparse types have no older versions. A bare message shows its
	// version by its content only. For envelopes and streams the fingerprints of writer and reader
	// are compared too, if both are known.
	Exact bool
}

// aliases reports whether the unmarshalled value points into its input.
func (o UnmarshalOptions) aliases() bool { return o.NoCopy && !o.CopyEach }

func limit(set, def int) int {
	if set <= 0 {
		return def
	}
	return min(set, math.MaxInt32)
}

func size(maxWire, maxRaw int) int {
	w := limit(maxWire, DefaultMaxWire)
	return min(w, limit(maxRaw, max(DefaultMaxRaw, w)))
}
