package zmy

import (
	"math"

	"github.com/zmylab/zmy/wire"
)

// Limits that hold where an option is 0.
const (
	DefaultMaxWire  = 128 << 10 // bytes of a message
	DefaultMaxRaw   = 4 << 20   // bytes of a message before compression
	DefaultMaxDepth = 64        // structs and any values inside each other
	DefaultBudget   = 16 << 20  // units of decoded values, or 16 for each byte of MaxWire if that is more
)

// MarshalOptions limits what Marshal makes. The zero value is the default.
type MarshalOptions struct {
	// MaxWire is the largest message in bytes; 0 is DefaultMaxWire.
	MaxWire int
	// MaxRaw is the largest message in bytes before compression; 0 is
	// DefaultMaxRaw, or MaxWire where that is more. A message that is not
	// compressed obeys both limits.
	MaxRaw int
	// MaxDepth is how deep structs and any values may stand inside each other,
	// the message itself being 1; 0 is DefaultMaxDepth.
	MaxDepth int
}

// UnmarshalOptions limits and directs what Unmarshal makes. The zero value is
// the default: safe on hostile bytes, and nothing shared with the input.
type UnmarshalOptions struct {
	// MaxWire, MaxRaw and MaxDepth are as in MarshalOptions.
	MaxWire  int
	MaxRaw   int
	MaxDepth int
	// Budget is how much the decoded value may take, in the units of
	// spec/FORMAT.md, about one a byte; 0 is DefaultBudget. It is charged
	// before memory is taken. The value takes at most two bytes of memory for
	// each unit and four for each byte of the message, and 64 KiB; a Go type that
	// would take more, by fields without a number for example, is ErrMemory.
	Budget int64
	// NoCopy lets strings and byte slices of the result point into the input,
	// which must then stay unchanged for as long as they live.
	NoCopy bool
	// CopyEach gives each string and byte slice of the result memory of its own.
	// Without it they share one copy of the message, which costs one allocation
	// and stays alive for as long as any of them is kept; so do up to 64 neighbours
	// in a map or list of type any. It goes before NoCopy.
	// For single values that are kept there is [Clone].
	CopyEach bool
	// Reuse lets slices and maps that the target already holds be filled again.
	// Whoever else holds them sees them change.
	Reuse bool
	// Exact refuses messages written by older or newer versions of a type, and
	// content of reserved fields that nothing carries, for readers that must not
	// drop fields which they do not know. Sparse types have no older versions.
	// Bare messages show it by their content only; of envelopes and streams the
	// fingerprint is compared too, where writer and reader both have one.
	Exact bool
}

// aliases reports that what is unmarshalled points into its input.
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

// Encoder is the state with which generated code starts a message behind dst.
// It also returns how deep the message may go.
func (o MarshalOptions) Encoder(dst []byte) (e wire.Encoder, depth int) {
	return wire.NewEncoder(len(dst), size(o.MaxWire, o.MaxRaw)), limit(o.MaxDepth, DefaultMaxDepth)
}

// Decoder is the state with which generated code reads a message of n bytes. It
// also returns how deep the message may go.
func (o UnmarshalOptions) Decoder(n int) (d wire.Decoder, depth int, err *wire.Error) {
	w := size(o.MaxWire, o.MaxRaw)
	if n > w {
		err = &wire.Error{Code: wire.ErrTooLarge, Need: n, Have: w}
	}
	d = wire.Decoder{Budget: o.Budget, Free: wire.Free(n), NoCopy: o.aliases(), CopyEach: o.CopyEach, Reuse: o.Reuse, Exact: o.Exact}
	if d.Budget <= 0 {
		d.Budget = max(DefaultBudget, 16*int64(w))
	}
	return d, limit(o.MaxDepth, DefaultMaxDepth), err
}
