package serve

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
)

// checkHolds compares the size of all messages with the size of the values compressed together.
// Independent messages cannot be so much smaller than that, unless the values are stored elsewhere.
// Fields that the codec leaves out, as it announces, are not counted.
func (b *binding[T, N]) checkHolds() worker.Check {
	if b.Codec.Family == "floor" {
		return unknown(worker.CheckHolds, "a floor knows the values")
	}
	wire, err := b.Encoded()
	if err != nil {
		return bad(worker.CheckHolds, "%v", err)
	}
	size, packed, why := b.packed(wire, func(i int) *T { return &b.origin[i] })
	if why == "" && float64(size) < holdsPart*float64(packed) {
		size, packed, why = b.packed(wire, b.carriedBy(wire))
	}
	switch {
	case why != "":
		return unknown(worker.CheckHolds, why)
	case float64(size) < holdsPart*float64(packed):
		return bad(worker.CheckHolds, "its messages have %d bytes, the values compressed together have %d: what they hold is somewhere else",
			size, packed)
	}
	return worker.Check{Name: worker.CheckHolds, Result: "ok"}
}

// packed returns the total size of the messages, and that of the values compressed together. It
// stops after holdsBytes of JSON.
func (b *binding[T, N]) packed(wire [][]byte, value func(i int) *T) (size, packed int, why string) {
	var asText, asBits bytes.Buffer
	z, err := flate.NewWriter(&asText, flate.DefaultCompression)
	if err != nil {
		return 0, 0, err.Error()
	}
	zBits, err := flate.NewWriter(&asBits, flate.DefaultCompression)
	if err != nil {
		return 0, 0, err.Error()
	}
	docs := 0
	for i := range b.origin {
		v := value(i)
		doc, err := json.Marshal(v)
		if err != nil {
			return 0, 0, "encoding/json refuses the values"
		}
		_, _ = z.Write(doc) // a buffer never fails
		_, _ = zBits.Write(anatomy.Compact(*v))
		size += len(wire[i])
		if docs += len(doc); docs > holdsBytes {
			break
		}
	}
	if err := errors.Join(z.Close(), zBits.Close()); err != nil {
		return 0, 0, err.Error()
	}
	return size, min(asText.Len(), asBits.Len()), ""
}

// carriedBy returns a function that gives value i as it comes back from its message, without the
// fields that the codec leaves out. If anything else is lost, it gives the original.
func (b *binding[T, N]) carriedBy(wire [][]byte) func(i int) *T {
	dec := b.Codec.Decoders[0].New()
	return func(i int) *T {
		if b.Codec.Decoders[0].Input != nil {
			return &b.origin[i]
		}
		after, err := b.decoded(dec, bytes.Clone(wire[i]))
		v, ok := after.(T)
		if err != nil || !ok || fidelity.Grade(fidelity.Compare(b.origin[i], v, b.allowed())) == fidelity.GradeLossy {
			return &b.origin[i]
		}
		return &v
	}
}

// The messages must have at least holdsPart of the bytes of the values compressed together, as JSON
// or in the form of compact, whichever is smaller. The comparison stops after holdsBytes of JSON.
const (
	holdsPart  = 0.5
	holdsBytes = 2 << 20
)
