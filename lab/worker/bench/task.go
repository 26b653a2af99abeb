package bench

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab/worker"
)

// Task returns a function that is called once for each goroutine. It returns the goroutine's task:
// a function that does the operation with the value of index i, and returns the size of the message
// in bytes.
func (b *Bench[N]) Task(t worker.Task) (func() func(i int) (int, error), error) {
	has := func(asked, mode string) bool { return asked == "" || asked == mode }
	i := slices.IndexFunc(b.Codec.Encoders, func(e worker.Encoder[N]) bool { return has(t.Encode, e.Mode) })
	k := slices.IndexFunc(b.Codec.Decoders, func(d worker.Decoder[N]) bool { return has(t.Decode, d.Mode) })
	if i < 0 || k < 0 {
		return nil, fmt.Errorf("%s has no mode %s %s", b.Codec.Name, t.Encode, t.Decode)
	}
	e, d := &b.Codec.Encoders[i], &b.Codec.Decoders[k]
	in, err := b.Input(d)
	if err != nil {
		return nil, err
	}
	switch t.Op {
	case "encode":
		return func() func(int) (int, error) { return b.EncodeOne(e) }, nil
	case "decode":
		return func() func(int) (int, error) {
			dec := b.DecodeOne(d)
			return func(i int) (int, error) { return len(in[i]), dec(in[i]) }
		}, nil
	case worker.OpTrip:
		return func() func(int) (int, error) {
			enc, dec := b.EncodeBytes(e), b.DecodeOne(d)
			return func(i int) (int, error) {
				out, err := enc(i)
				if err != nil {
					return 0, err
				}
				if d.Input != nil { // this decoder does not read what the encoder writes
					out = in[i]
				}
				return len(out), dec(out)
			}
		}, nil
	}
	return nil, fmt.Errorf("there is no op %q", t.Op)
}

// EncodeBytes returns a function that encodes value i: in mode fresh into new memory, else into its
// last result.
func (b *Bench[N]) EncodeBytes(e *worker.Encoder[N]) func(i int) ([]byte, error) {
	enc, fresh := e.New(), e.Mode == "fresh"
	var dst []byte
	return func(i int) ([]byte, error) {
		out, err := enc(dst, &b.Vals[i])
		if !fresh && err == nil {
			dst = out[:0]
		}
		return out, err
	}
}

// EncodeOne is like EncodeBytes, but its function returns the number of bytes.
func (b *Bench[N]) EncodeOne(e *worker.Encoder[N]) func(i int) (int, error) {
	enc := b.EncodeBytes(e)
	return func(i int) (int, error) {
		out, err := enc(i)
		return len(out), err
	}
}

// DecodeOne returns a function that decodes a message into its own target, which it zeroes before
// each message unless the mode reuses it.
func (b *Bench[N]) DecodeOne(d *worker.Decoder[N]) func(in []byte) error {
	dec, target := d.New(), new(N)
	return func(in []byte) error {
		if !d.Reuse {
			var zero N
			*target = zero
		}
		return dec(in, target)
	}
}
