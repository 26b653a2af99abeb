package worker

import (
	"bytes"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
)

// agreeValues is how many values the modes are compared on.
const agreeValues = 32

// agree checks that the other modes do what mode fresh does: what an encoder
// writes decodes to the same value, what a decoder makes of the same bytes is the
// same value. It returns what is wrong with a mode, by "op mode"; such a mode is
// not measured.
func (b *bench[T, N]) agree() (map[string]string, error) {
	wire, err := b.encoded()
	if err != nil {
		return nil, err
	}
	wrong := map[string]string{}
	n := min(len(wire), agreeValues)
	fresh := b.codec.Decoders[0].New()
	own := b.codec.Decoders[0].Input // a decoder with inputs of its own does not read what encoders write
	for _, e := range b.codec.Encoders[1:] {
		enc := e.New()
		var dst []byte
		for i := range n {
			out, err := enc(dst, &b.vals[i])
			if err == nil && own == nil {
				err = b.sameValue(fresh, wire[i], fresh, bytes.Clone(out))
			}
			if err != nil {
				wrong["encode "+e.Mode] = fmt.Sprintf("value %d: %v", i, err)
				break
			}
			dst = out[:0]
		}
	}
	first, err := b.input(&b.codec.Decoders[0])
	if err != nil {
		return nil, err
	}
	for _, d := range b.codec.Decoders[1:] {
		in, err := b.input(&d)
		if err != nil {
			return nil, err
		}
		dec := d.New()
		for i := range n {
			if err := b.sameValue(fresh, first[i], dec, in[i]); err != nil {
				wrong["decode "+d.Mode] = fmt.Sprintf("value %d: %v", i, err)
				break
			}
		}
	}
	return wrong, nil
}

// sameValue decodes both inputs into zero targets and compares.
func (b *bench[T, N]) sameValue(x func([]byte, *N) error, inX []byte, y func([]byte, *N) error, inY []byte) error {
	var vx, vy N
	if err := x(inX, &vx); err != nil {
		return fmt.Errorf("mode fresh: %w", err)
	}
	if err := y(inY, &vy); err != nil {
		return err
	}
	cx, err := b.comparable(&vx)
	if err != nil {
		return err
	}
	cy, err := b.comparable(&vy)
	if err != nil {
		return err
	}
	if diffs := fidelity.Compare(cx, cy, fidelity.Options{}); len(diffs) > 0 {
		return fmt.Errorf("it differs from mode fresh: %s", diffs[0])
	}
	return nil
}
