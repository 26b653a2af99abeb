// Package worker runs inside the process that is measured: it makes the values,
// judges and times one codec on them, and answers the coordinator over two pipes.
//
// NOTE, the map: contender.go is the contract with adapters and adapt.go their
// helpers; proto.go is what goes over the pipes and serve.go the loop that answers;
// bench.go holds the codec with its values, ops.go the timed loops, checks.go the
// findings beside speed, agree.go the comparison of modes, digest.go a hash of the
// values, dynamic.go looks into interfaces for gob; experiment.go lists what is measured
// beside the codec table, each of which has a file or two of its own.
//
// The package's source is also written as text into the temporary module that
// each contender's worker is built from, so it imports the standard library and
// its two neighbours (fidelity, values) only.
package worker

import (
	"context"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

// Subject is the type being measured, as the generated TestMain hands it over.
type Subject[T any] struct {
	Name string // order.Order
	// Sample makes one realistic value; nil when the package has no function
	// SampleT(*rand.Rand) T of its own, and values come from field names and types.
	Sample     func(r *rand.Rand) T
	SampleName string // what that function is called
	// Samplers are the package's functions of that form for other types: they make the
	// parts of those types where there is no Sample.
	Samplers []values.Sampler
	// Constants are the declared constants of types that T may hold, as values.Options has them.
	Constants map[string][]string
	// Leaf reads the string that op access is about, LeafPath its path:
	// Items[0].Sku. Nil when the type has no string that a path leads to.
	Leaf     func(v *T) string
	LeafPath string
}

// Contender is one codec bound to the type N that it encodes: the subject's
// own type T, or for a native row the codec's own generated type.
type Contender[N any] struct {
	Name   string
	Family string // "json" | "binary" | "protobuf" | "floor": chooses the contract
	// Setup runs once before anything else and may look at all values (gob
	// registers the concrete types it finds in interfaces). Optional.
	Setup func(vals []N) error
	// Primed says that Setup ran the codec already, or that its first call has work to
	// do that is not a first call's: it tells nothing and is not timed.
	Primed bool
	// Encoders and Decoders, the first of each being mode "fresh".
	Encoders []Encoder[N]
	Decoders []Decoder[N]
	// Accessors read one leaf from encoded bytes without a full decode. When
	// empty the harness measures the first decoder followed by the read.
	Accessors []Accessor
	// Get makes the function of a JSON library that reads one string by the names (string) and
	// indices (int) that lead to it, and owns what it returns: "" where there is none. It becomes
	// accessor "get" where that is the subject's leaf. Optional.
	Get func(path []any) func(doc []byte) (string, error)
	// LeavesOut are fields of the subject that the codec does not carry and says so when its
	// code is generated: their loss is a normalisation, not a breach of contract.
	LeavesOut []fidelity.Field
	// Tags are the keys of struct tags by which the codec leaves fields out (msgpack:"-"), the
	// first that a field has being the one that counts. Nil: json, which JSON libraries read, and
	// by which the lab makes its schemas and generates code. Empty: none.
	Tags []string
	// Compare maps a decoded value to what fidelity compares; nil: the value itself.
	Compare func(v *N) (any, error)
	// Mapped is the value after the codec's own mapping and back, without the
	// wire: what its schema can carry. For family protobuf.
	Mapped func(v *N) (any, error)
	// Stores opens a store, for the experiment that measures messages on their way through
	// one; nil in all other workers.
	Stores func(ctx context.Context, at StoreAt) (Store, error)
	// Gob marshals for the experiment that compares ways to hand messages over. Only its workers
	// have it.
	Gob *Gob
}

// Allowed are the options of comparing a decoded value with the original: the fields that c
// leaves out, by its word or by struct tags that it reads, are no loss.
func (c *Contender[N]) Allowed() fidelity.Options {
	out := make(map[fidelity.Field]bool, len(c.LeavesOut))
	for _, f := range c.LeavesOut {
		out[f] = true
	}
	tags := c.Tags
	if tags == nil {
		tags = []string{"json"}
	}
	return fidelity.Options{LeftOut: out, Tags: tags}
}

// Without returns c with the fields that it leaves out.
func (c Contender[N]) Without(fields []fidelity.Field) Contender[N] {
	c.LeavesOut = fields
	return c
}

// ByTags returns c with the struct tags by which it leaves fields out.
func (c Contender[N]) ByTags(tags ...string) Contender[N] {
	c.Tags = append([]string{}, tags...) // not nil where there are none
	return c
}

// Encoder is one way to encode.
type Encoder[N any] struct {
	Mode string // fresh | append | pooled
	// New returns a function for one goroutine. Mode fresh is called with dst
	// nil and returns bytes that the caller owns; every other mode is called
	// with its previous result cut to length 0 and may return bytes that stay
	// valid until its next call only.
	New func() func(dst []byte, v *N) ([]byte, error)
	// Keeps says that it appends: what dst holds stays in front of the message. Others of mode
	// append take dst for its memory only.
	Keeps bool
}

// Decoder is one way to decode.
type Decoder[N any] struct {
	Mode  string // fresh | reused | alias | …
	Reuse bool   // the same target is handed over again, not zeroed
	Alias bool   // the result may point into the input
	New   func() func(b []byte, v *N) error
	// Input makes what this decoder reads, one per value; nil: the output of the
	// first encoder.
	Input func(vals []N) ([][]byte, error)
}

// Accessor reads one leaf from encoded bytes.
type Accessor struct {
	Mode  string // view | lazy | view-alias | …
	Path  string // the leaf: Items[0].Sku
	Alias bool   // the string may point into the input; others own theirs
	New   func() func(b []byte) (string, error)
}
