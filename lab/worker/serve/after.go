package serve

import (
	"bytes"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
)

// A codec that refuses a value or a message half way may leave its buffers and tables in that
// state, so that the next call, with sound input, goes wrong.

// aftermath takes a few sound values through a codec after it has refused something.
type aftermath[T, N any] struct {
	b     *binding[T, N]
	enc   func([]byte, *N) ([]byte, error)
	dec   func([]byte, *N) error
	wire  [][]byte // the values as encoded before
	want  []any    // the values as decoded from wire
	calls int
}

// afterValues is the number of values of an aftermath. afterMost bounds its calls.
const (
	afterValues = 4
	afterMost   = 64
)

// newAftermath returns nil if the codec does not carry the values, or does not give the same result
// each time.
func (b *binding[T, N]) newAftermath(enc func([]byte, *N) ([]byte, error), dec func([]byte, *N) error) *aftermath[T, N] {
	if b.Codec.Decoders[0].Input != nil || b.Codec.Family == "floor" {
		return nil
	}
	a := &aftermath[T, N]{b: b, enc: enc, dec: dec}
	for i := range min(len(b.Vals), afterValues) {
		out, err := enc(nil, &b.Vals[i])
		if err != nil {
			return nil
		}
		want, err := b.decoded(dec, bytes.Clone(out))
		if err != nil {
			return nil
		}
		a.wire, a.want = append(a.wire, bytes.Clone(out)), append(a.want, want)
	}
	if len(a.want) == 0 || a.text(true) != "" || a.text(false) != "" {
		return nil
	}
	a.calls = 0
	return a
}

// text says what went wrong with two sound values, "" if nothing did or if afterMost calls were
// made already. If anew is set, the values are encoded again first.
func (a *aftermath[T, N]) text(anew bool) string {
	if a == nil || a.calls >= afterMost {
		return ""
	}
	for range 2 {
		i := a.calls % len(a.want)
		a.calls++
		in := bytes.Clone(a.wire[i])
		if anew {
			out, err := a.enc(nil, &a.b.Vals[i])
			if err != nil {
				return fmt.Sprintf("value %d is refused: %v", i, err)
			}
			in = bytes.Clone(out)
		}
		got, err := a.b.decoded(a.dec, in)
		if err != nil {
			return fmt.Sprintf("message %d is refused: %v", i, err)
		}
		if lost := lossy(fidelity.Compare(a.want[i], got, fidelity.Options{})); len(lost) > 0 {
			return fmt.Sprintf("value %d comes back as another one: %s", i, lost[0])
		}
	}
	return ""
}
