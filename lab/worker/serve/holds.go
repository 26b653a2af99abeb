package serve

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker/anatomy"
)

// checkHolds compares the size of all messages with the size of the values compressed together.
// Independent messages cannot be smaller than holdsPart of that size, unless the values are stored
// elsewhere. Fields that the codec leaves out, as it announces, are not counted.
func (b *binding[T, N]) checkHolds() error {
	if b.Codec.Family == "floor" {
		return cannotTell("a floor knows the values")
	}
	wire, err := b.Encoded()
	if err != nil {
		return err
	}
	size, packed, err := b.packed(wire, func(i int) *T { return &b.origin[i] })
	if err == nil && float64(size) < holdsPart*float64(packed) {
		size, packed, err = b.packed(wire, b.carriedBy(wire))
	}
	if err == nil && float64(size) < holdsPart*float64(packed) {
		err = fmt.Errorf("its messages have %d bytes, the values compressed together have %d: what they hold is somewhere else", size, packed)
	}
	return err
}

// packed returns the total size of the messages, and that of the values compressed together. It
// stops after holdsBytes of JSON.
func (b *binding[T, N]) packed(wire [][]byte, value func(i int) *T) (size, packed int, err error) {
	var asText, asBits bytes.Buffer // writing to them does not fail
	z, _ := flate.NewWriter(&asText, flate.DefaultCompression)
	zBits, _ := flate.NewWriter(&asBits, flate.DefaultCompression)
	docs := 0
	for i := range b.origin {
		v := value(i)
		doc, err := json.Marshal(v)
		if err != nil {
			return 0, 0, cannotTell("encoding/json refuses the values")
		}
		_, _ = z.Write(doc)
		_, _ = zBits.Write(anatomy.Compact(*v))
		size += len(wire[i])
		if docs += len(doc); docs > holdsBytes {
			break
		}
	}
	err = errors.Join(z.Close(), zBits.Close())
	return size, min(asText.Len(), asBits.Len()), err
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

// The messages must have at least holdsPart of the bytes of the values compressed together, either
// as JSON or in the form of anatomy.Compact, whichever is smaller. The comparison stops after
// holdsBytes of JSON.
const (
	holdsPart  = 0.5
	holdsBytes = 2 << 20
)
