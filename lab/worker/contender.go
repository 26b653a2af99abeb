// Package worker is the contract with the process that is measured: what an adapter gives it, and
// what goes over its pipes. Adapters and the coordinator import this package; the packages below it
// run in the process only.
//
// NOTE, the map: contender.go is what an adapter fills in, adapt.go has helpers for adapters and
// dynamic.go finds the types in interfaces for gob; proto.go has the commands with their answers,
// findings.go what is found about a codec, message.go the files that one process writes for
// another; experiments.go and store.go have the commands of experiments.
//
// Below: anatomy takes values apart, bench has the codec with its values and the timed loops,
// experiment has one file or two for each experiment, and serve makes the values, judges the codec
// and answers. Each imports only those before it, so what an experiment does cannot change how a
// codec is judged.
//
// The sources of these packages are also written as text into the temporary module of each worker.
// So they import only the standard library, each other, and the packages fidelity, values and
// openloop.
package worker

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

// Subject is the type to be measured. The generated TestMain fills it in.
type Subject[T any] struct {
	Name string // order.Order
	// Sample makes one realistic value. It is nil if the package has no function
	// SampleT(*rand.Rand) T; values then come from field names and types.
	Sample     func(r *rand.Rand) T
	SampleName string // name of that function
	// Samplers are the package's sample functions for other types. Without Sample, they make the
	// parts of these types.
	Samplers []values.Sampler
	// Constants are the declared constants of types in T; see values.Options.Constants.
	Constants map[string][]string
	// Leaf returns the string that operation access reads; LeafPath is its path: Items[0].Sku. Leaf
	// is nil if the type has no such string.
	Leaf     func(v *T) string
	LeafPath string
}

// Contender is one codec bound to the type N that it encodes: the subject's type T or, in a native
// row, the codec's own generated type.
type Contender[N any] struct {
	// Name and Family ("json" | "binary" | "protobuf" | "floor") are those of contender.Info; the
	// main file of the worker sets them. The family chooses the contract.
	Name, Family string
	// Setup, if not nil, runs once before anything else and may look at all values (gob registers
	// the types that it finds in interfaces).
	Setup func(vals []N) error
	// Primed says that the first call in a process is not timed: Setup has called the codec
	// already, or the first call has unrelated work to do.
	Primed bool
	// Encoders and Decoders. The first of each has mode "fresh".
	Encoders []Encoder[N]
	Decoders []Decoder[N]
	// Streams, if not nil, writes to an io.Writer and reads from an io.Reader; see Streaming.
	Streams *Streams[N]
	// Accessors read one leaf from encoded bytes without decoding the rest. Without any, the lab
	// times a full decode followed by the read.
	Accessors []Accessor
	// Get returns a function that reads one string from a JSON document by the names (string) and
	// indices (int) that lead to it, or "" if it is absent; the caller owns the string. It becomes
	// accessor "get" if it reads the subject's leaf. Optional.
	Get func(path []any) func(doc []byte) (string, error)
	// LeavesOut lists fields of the subject that the codec does not carry, as it announces when its
	// code is generated. Their loss counts as normalised, and does not break the contract.
	LeavesOut []fidelity.Field
	// Tags are the keys of struct tags by which the codec leaves fields out (msgpack:"-"). The
	// first key that a field has decides. Nil means the key json, because JSON libraries read it,
	// and the lab makes schemas and code from it. An empty slice means no keys.
	Tags []string
	// Compare converts a decoded value to the form that fidelity compares; nil means the value
	// itself.
	Compare func(v *N) (any, error)
	// Mapped takes a value through the codec's own mapping and back, without encoding. The result
	// is what the codec can carry, and its contract promises no more. Nil for a codec without a
	// mapping.
	Mapped func(v *N) (any, error)
	// Stores opens a store, in workers of the experiment that sends messages through stores; nil in
	// all other workers.
	Stores func(ctx context.Context, at StoreAt) (Store, error)
	// Gob marshals with encoding/gob, in workers of the experiment that compares ways to hand
	// messages over; nil in all other workers.
	Gob *Gob
	// Commands answer requests that this package does not define, by name, in workers of tools that
	// add a package to them. Args is Request.Args. Nil in all other workers.
	Commands map[string]func(args string) (json.RawMessage, error)
}

// Allowed returns the options for comparing a decoded value with the original. Fields in LeavesOut,
// and those that struct tags of the codec leave out, do not count as lost.
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

// As returns c with its name and family set.
func (c Contender[N]) As(name, family string) Contender[N] {
	c.Name, c.Family = name, family
	return c
}

// Without returns c with LeavesOut set to fields.
func (c Contender[N]) Without(fields []fidelity.Field) Contender[N] {
	c.LeavesOut = fields
	return c
}

// ByTags returns c with Tags set to tags.
func (c Contender[N]) ByTags(tags ...string) Contender[N] {
	c.Tags = append([]string{}, tags...) // not nil, even without tags
	return c
}

// Encoder is one way to encode.
type Encoder[N any] struct {
	Mode string // fresh | append | pooled
	// New returns a function for one goroutine. In mode fresh, dst is nil and the caller owns the
	// result. In every other mode, dst is the previous result cut to length 0, and the result may
	// be valid only until the next call.
	New func() func(dst []byte, v *N) ([]byte, error)
	// Keeps says that the encoder appends: the content of dst stays in front of the message.
	// Without it, an encoder of mode append uses only the memory of dst.
	Keeps bool
}

// Decoder is one way to decode.
type Decoder[N any] struct {
	Mode  string // fresh | reused | alias | …
	Reuse bool   // the target of the last call is handed over again, not zeroed
	Alias bool   // the result may point into the input
	New   func() func(b []byte, v *N) error
	// Input makes the input of this decoder, one message per value; nil means the output of the
	// first encoder.
	Input func(vals []N) ([][]byte, error)
}

// Accessor reads one leaf from encoded bytes.
type Accessor struct {
	Mode  string // view | lazy | view-alias | …
	Path  string // path of the leaf: Items[0].Sku
	Alias bool   // whether the string may point into the input; otherwise the caller owns it
	New   func() func(b []byte) (string, error)
}

// Quantile sorts x and returns its q-quantile, interpolated linearly. x must not be empty.
func Quantile(x []float64, q float64) float64 {
	slices.Sort(x)
	at := q * float64(len(x)-1)
	lo := int(at)
	if lo+1 == len(x) {
		return x[lo]
	}
	return x[lo] + (at-float64(lo))*(x[lo+1]-x[lo])
}
