package canary

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/zmylab/zmy/codec"
)

var (
	_ codec.Wrapper    = (*armCodec)(nil)
	_ codec.Contextual = (*armCodec)(nil)
	_ codec.Wrapper    = (*routed)(nil)
	_ codec.Contextual = (*routed)(nil)
	_ everyPower       = (*armPowers)(nil)
	_ everyPower       = (*routedPowers)(nil)
)

type everyPower interface {
	codec.Appender
	codec.Stable
	codec.Pooled
	codec.Viewer
	codec.Streamer
	codec.MediaTyped
}

// armCodec is the codec of an arm: it records, and asks the incumbent where the
// candidate fails.
type armCodec struct {
	codec.Codec
	rec    *recorder
	rescue *armCodec // nil: failures are the caller's
}

// Unwrap returns the codec of the arm.
func (c *armCodec) Unwrap() codec.Codec { return c.Codec }

// Powers returns it with those of the codec of the arm.
func (c *armCodec) Powers() any { return (*armPowers)(c) }

// WithContext hands the context on to codecs that want it.
func (c *armCodec) WithContext(ctx context.Context) codec.Codec { return c.withContext(ctx) }

func (c *armCodec) withContext(ctx context.Context) *armCodec {
	_, wanted := c.Codec.(codec.Contextual)
	rescue := c.rescue
	if rescue != nil {
		rescue = rescue.withContext(ctx)
	}
	if !wanted && rescue == c.rescue {
		return c
	}
	return &armCodec{codec.WithContext(ctx, c.Codec), c.rec, rescue}
}

// try calls f and records it. Where the arm can be rescued a panic becomes an error,
// else it goes on to whoever recovers it, after it was counted.
func (c *armCodec) try(op codec.Op, f func() (size int, err error)) (err error) {
	size, done := 0, false
	start := time.Now()
	defer func() {
		if !done {
			err = codec.ErrPanicked
		}
		c.rec.record(int(op), time.Since(start), size, err)
		if !done && c.rescue != nil {
			if r := recover(); r != nil {
				err = fmt.Errorf("%w: %v", codec.ErrPanicked, r)
			}
		}
	}()
	size, err = f()
	done = true
	return err
}

// Marshal marshals with the codec of the arm.
func (c *armCodec) Marshal(v any) (b []byte, err error) {
	err = c.try(codec.OpMarshal, func() (int, error) {
		b, err = c.Codec.Marshal(v)
		return len(b), err
	})
	if err != nil && c.rescue != nil {
		return c.rescue.Marshal(v)
	}
	return b, err
}

// Unmarshal unmarshals with the codec of the arm.
func (c *armCodec) Unmarshal(b []byte, v any) error {
	return c.unmarshal(b, v, codec.Codec.Unmarshal, (*armCodec).Unmarshal)
}

// unmarshal is rescued only if v was zero before, and is so again: what else a
// failed attempt has left in it cannot be told.
func (c *armCodec) unmarshal(b []byte, v any, own func(codec.Codec, []byte, any) error, rescue func(*armCodec, []byte, any) error) error {
	safe := c.rescue != nil && isZeroTarget(v)
	err := c.try(codec.OpUnmarshal, func() (int, error) { return len(b), own(c.Codec, b, v) })
	if err == nil || !safe {
		return err
	}
	reflect.ValueOf(v).Elem().SetZero()
	return rescue(c.rescue, b, v)
}

func isZeroTarget(v any) bool {
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().IsZero()
}

// armPowers is an armCodec with the optional interfaces.
type armPowers armCodec

func (c *armPowers) AppendMarshal(dst []byte, v any) (b []byte, err error) {
	err = (*armCodec)(c).try(codec.OpMarshal, func() (int, error) {
		b, err = codec.Append(c.Codec, dst, v)
		return len(b) - len(dst), err
	})
	switch {
	case err == nil:
		return b, nil
	case c.rescue != nil:
		return (*armPowers)(c.rescue).AppendMarshal(dst, v)
	}
	return dst, err
}

func (c *armPowers) MarshalStable(v any) (b []byte, err error) {
	err = (*armCodec)(c).try(codec.OpMarshal, func() (int, error) {
		b, err = codec.MarshalStable(c.Codec, v)
		return len(b), err
	})
	if err == nil || c.rescue == nil {
		return b, err
	}
	if _, ok := codec.As[codec.Stable](c.rescue.Codec); !ok {
		return nil, err
	}
	return (*armPowers)(c.rescue).MarshalStable(v)
}

func (c *armPowers) MarshalPooled(p *codec.Pool, v any) (b *codec.Buffer, err error) {
	err = (*armCodec)(c).try(codec.OpMarshal, func() (int, error) {
		if b, err = codec.MarshalPooled(c.Codec, p, v); err != nil {
			return 0, err
		}
		return len(b.B), nil
	})
	switch {
	case err == nil:
		return b, nil
	case c.rescue != nil:
		return (*armPowers)(c.rescue).MarshalPooled(p, v)
	}
	return nil, err
}

func (c *armPowers) UnmarshalView(b []byte, v any) error {
	return (*armCodec)(c).unmarshal(b, v, codec.UnmarshalView, func(r *armCodec, b []byte, v any) error {
		return (*armPowers)(r).UnmarshalView(b, v)
	})
}

func (c *armPowers) MediaTypes() []string {
	m, _ := codec.As[codec.MediaTyped](c.Codec)
	return m.MediaTypes()
}

// NewEncoder's stream is recorded, without sizes; nobody is asked in its place.
func (c *armPowers) NewEncoder(w io.Writer) codec.Encoder {
	s, _ := codec.As[codec.Streamer](c.Codec)
	return armEncoder{c.rec, s.NewEncoder(w)}
}

func (c *armPowers) NewDecoder(r io.Reader) codec.Decoder {
	s, _ := codec.As[codec.Streamer](c.Codec)
	return armDecoder{c.rec, s.NewDecoder(r)}
}

type armEncoder struct {
	rec *recorder
	e   codec.Encoder
}

func (e armEncoder) Encode(v any) error {
	err := codec.ErrPanicked // unless Encode returns
	start := time.Now()
	defer func() { e.rec.record(int(codec.OpEncode), time.Since(start), 0, err) }()
	err = e.e.Encode(v)
	return err
}

type armDecoder struct {
	rec *recorder
	d   codec.Decoder
}

// Decode does not count the end of a stream.
func (d armDecoder) Decode(v any) error {
	err := codec.ErrPanicked // unless Decode returns
	start := time.Now()
	defer func() {
		if err != io.EOF {
			d.rec.record(int(codec.OpDecode), time.Since(start), 0, err)
		}
	}()
	err = d.d.Decode(v)
	return err
}
