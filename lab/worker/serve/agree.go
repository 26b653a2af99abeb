package serve

import (
	"bytes"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
)

// agreeValues is the number of values on which modes are compared.
const agreeValues = 32

// verdicts are the results of agree, by "op mode".
type verdicts struct {
	wrong map[string]string // how it differs from mode fresh; the mode is not measured then
	notes map[string]string // a difference that is allowed, but that users must know
}

// agree checks that all modes give the same results as mode fresh: what an encoder writes must
// decode to the same value, and a decoder must make the same value of the same bytes. Each mode is
// tried in the way in which it is measured: an encoder gets its last result as buffer, and a
// decoder that reuses its target gets the same target for all values.
func (b *binding[T, N]) agree() (*verdicts, error) {
	wire, err := b.Encoded()
	if err != nil {
		return nil, err
	}
	found := &verdicts{wrong: map[string]string{}, notes: map[string]string{}}
	wrong := found.wrong
	n := min(len(wire), agreeValues)
	fresh := b.Codec.Decoders[0].New()
	own := b.Codec.Decoders[0].Input // a decoder with inputs of its own does not read the encoders' output
	for _, e := range b.Codec.Encoders[1:] {
		enc := e.New()
		var dst []byte
		for i := range n {
			out, err := enc(dst, &b.Vals[i])
			if err == nil && own == nil {
				err = b.sameValue(fresh, wire[i], fresh, bytes.Clone(out))
			}
			if err != nil {
				wrong["encode "+e.Mode] = fmt.Sprintf("value %d: %v", i, err)
				break
			}
			dst = out[:0]
		}
		if e.Keeps && own == nil && wrong["encode "+e.Mode] == "" {
			if err := b.keeps(e.New(), wire[:n]); err != nil {
				wrong["encode "+e.Mode] = err.Error()
			}
		}
	}
	first, err := b.Input(&b.Codec.Decoders[0])
	if err != nil {
		return nil, err
	}
	for _, d := range b.Codec.Decoders[1:] {
		in, err := b.Input(&d)
		if err != nil {
			return nil, err
		}
		note, err := b.sameDecodes(fresh, first[:n], &d, in[:n])
		if err != nil {
			wrong["decode "+d.Mode] = err.Error()
		} else if note != "" {
			found.notes["decode "+d.Mode] = note
		}
	}
	return found, nil
}

// keeps appends each value to a buffer that is not empty, with and without room for the message.
// The old bytes must stay, and the message after them must decode to the same value as the one that
// mode fresh writes.
func (b *binding[T, N]) keeps(enc func([]byte, *N) ([]byte, error), wire [][]byte) error {
	const held = "before"
	fresh := b.Codec.Decoders[0].New()
	for i := range wire {
		for _, room := range []int{0, 2*len(wire[i]) + 64} {
			dst := append(make([]byte, 0, len(held)+room), held...)
			out, err := enc(dst, &b.Vals[i])
			if err != nil {
				return fmt.Errorf("value %d, appended to a buffer that is not empty: %w", i, err)
			}
			rest, ok := bytes.CutPrefix(out, []byte(held))
			if !ok {
				return fmt.Errorf("value %d: the bytes that the buffer held are gone", i)
			}
			if err := b.sameValue(fresh, wire[i], fresh, bytes.Clone(rest)); err != nil {
				return fmt.Errorf("value %d, appended to a buffer that is not empty: %w", i, err)
			}
			if !bytes.HasPrefix(dst, []byte(held)) {
				return fmt.Errorf("value %d: the buffer that it was given has changed", i)
			}
		}
	}
	return nil
}

// sameDecodes compares the values that mode d decodes from its inputs with those that mode fresh
// decodes from its own. note describes a difference that is allowed.
func (b *binding[T, N]) sameDecodes(fresh func([]byte, *N) error, inFresh [][]byte, d *worker.Decoder[N], in [][]byte) (note string,
	err error) {
	dec, target := d.New(), new(N)
	for i := range in {
		x, err := b.decoded(fresh, inFresh[i])
		if err != nil {
			return "", fmt.Errorf("value %d: mode fresh: %w", i, err)
		}
		if !d.Reuse {
			target = new(N)
		}
		if err := dec(in[i], target); err != nil {
			return "", fmt.Errorf("value %d: %w", i, err)
		}
		y, err := b.comparable(target)
		if err != nil {
			return "", fmt.Errorf("value %d: %w", i, err)
		}
		diffs := fidelity.Compare(x, y, alike)
		switch {
		case len(diffs) == 0:
		case d.Reuse && fidelity.Grade(diffs) == fidelity.GradeNormalised:
			// an emptied slice or map is left from the previous value
		case d.Reuse && anatomy.Merged(x, y):
			if note == "" {
				note = fmt.Sprintf("it adds to what the target held: after value %d, %s", i, diffs[0])
			}
		default:
			return "", fmt.Errorf("value %d: it differs from mode fresh: %s", i, diffs[0])
		}
	}
	return note, nil
}

// sameValue decodes both inputs into zero targets and compares the results.
func (b *binding[T, N]) sameValue(x func([]byte, *N) error, inX []byte, y func([]byte, *N) error, inY []byte) error {
	want, err := b.decoded(x, inX)
	if err != nil {
		return fmt.Errorf("mode fresh: %w", err)
	}
	got, err := b.decoded(y, inY)
	if err != nil {
		return err
	}
	if diffs := fidelity.Compare(want, got, alike); len(diffs) > 0 {
		return fmt.Errorf("it differs from mode fresh: %s", diffs[0])
	}
	return nil
}

// modes lists every encoder, decoder and accessor, and whether it can be timed, with notes for
// users.
func (b *binding[T, N]) modes() ([]worker.Mode, error) {
	if err := b.Open(); err != nil {
		return nil, err
	}
	found, err := b.agree()
	if err != nil {
		return nil, err
	}
	out := make([]worker.Mode, len(b.Cells))
	for i, c := range b.Cells {
		out[i] = c.Mode
		out[i].Wrong = found.wrong[c.Op+" "+c.Mode.Mode]
		out[i].Note = found.notes[c.Op+" "+c.Mode.Mode]
	}
	return out, nil
}
