package worker

import "fmt"

// task returns a function that makes the work of one goroutine: a function that is called with the
// index of a value and returns the number of bytes on the wire.
func (b *bench[N]) task(t Task) (func() func(i int) (int, error), error) {
	wire, err := b.encoded()
	if err != nil {
		return nil, err
	}
	var e *Encoder[N]
	var d *Decoder[N]
	for i := range b.codec.Encoders {
		if m := b.codec.Encoders[i].Mode; e == nil && (t.Encode == "" || t.Encode == m) {
			e = &b.codec.Encoders[i]
		}
	}
	for i := range b.codec.Decoders {
		if m := b.codec.Decoders[i].Mode; d == nil && (t.Decode == "" || t.Decode == m) {
			d = &b.codec.Decoders[i]
		}
	}
	if e == nil || d == nil {
		return nil, fmt.Errorf("%s has no mode %s %s", b.codec.Name, t.Encode, t.Decode)
	}
	in, err := b.input(d)
	if err != nil {
		return nil, err
	}
	switch t.Op {
	case "encode":
		return func() func(int) (int, error) { return b.encodeOne(e) }, nil
	case "decode":
		return func() func(int) (int, error) {
			dec := b.decodeOne(d)
			return func(i int) (int, error) { return len(in[i]), dec(in[i]) }
		}, nil
	case OpTrip:
		if d.Input != nil {
			wire = in // this decoder does not read what the encoder writes
		}
		return func() func(int) (int, error) {
			enc, dec := b.encodeBytes(e), b.decodeOne(d)
			return func(i int) (int, error) {
				out, err := enc(i)
				if err != nil {
					return 0, err
				}
				if d.Input != nil {
					out = wire[i]
				}
				return len(out), dec(out)
			}
		}, nil
	}
	return nil, fmt.Errorf("there is no op %q", t.Op)
}

// encodeBytes returns a function that encodes value i: in mode fresh into new memory, else into its
// last result.
func (b *bench[N]) encodeBytes(e *Encoder[N]) func(i int) ([]byte, error) {
	enc, fresh := e.New(), e.Mode == "fresh"
	var dst []byte
	return func(i int) ([]byte, error) {
		out, err := enc(dst, &b.vals[i])
		if !fresh && err == nil {
			dst = out[:0]
		}
		return out, err
	}
}

func (b *bench[N]) encodeOne(e *Encoder[N]) func(i int) (int, error) {
	enc := b.encodeBytes(e)
	return func(i int) (int, error) {
		out, err := enc(i)
		return len(out), err
	}
}

// decodeOne returns a function that decodes a message into its own target, which it zeroes before
// each message unless the mode reuses it.
func (b *bench[N]) decodeOne(d *Decoder[N]) func(in []byte) error {
	dec, target := d.New(), new(N)
	return func(in []byte) error {
		if !d.Reuse {
			var zero N
			*target = zero
		}
		return dec(in, target)
	}
}
