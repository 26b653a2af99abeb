package canary

import (
	"context"
	"io"
	"reflect"
	"runtime/debug"
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

// armCodec is the codec of an arm. It records operations, and asks the incumbent if the candidate
// fails.
type armCodec struct {
	codec.Codec
	rec       *recorder
	incumbent *armCodec // nil in the incumbent's own armCodec
	reads     bool      // the incumbent can read the candidate's bytes: they have the same media type
	rescued   bool      // if the candidate fails, the incumbent's result is returned
}

// Unwrap returns the codec of the arm.
func (c *armCodec) Unwrap() codec.Codec { return c.Codec }

// Powers returns the arm's codec with every power that it can pass on.
func (c *armCodec) Powers() any { return (*armPowers)(c) }

// WithContext passes the context on to a codec that is Contextual.
func (c *armCodec) WithContext(ctx context.Context) codec.Codec { return c.withContext(ctx) }

func (c *armCodec) withContext(ctx context.Context) *armCodec {
	_, wanted := c.Codec.(codec.Contextual)
	incumbent := c.incumbent
	if incumbent != nil {
		incumbent = incumbent.withContext(ctx)
	}
	if !wanted && incumbent == c.incumbent {
		return c
	}
	return &armCodec{codec.WithContext(ctx, c.Codec), c.rec, incumbent, c.reads, c.rescued}
}

// try calls f, and records the operation if it succeeds. The caller records errors. If the arm is
// rescued, a panic becomes an error. Otherwise try records it and lets it go on.
func (c *armCodec) try(op codec.Op, f func() (size int, err error)) (err error) {
	done := false
	start := time.Now()
	defer func() {
		if done {
			return
		}
		if c.rescued {
			if r := recover(); r != nil {
				err = &codec.PanicError{Value: r, Stack: debug.Stack()}
				return
			}
		}
		c.rec.fail(int(op), true)
	}()
	size, err := f()
	done = true
	if err == nil {
		c.rec.record(int(op), time.Since(start), size, nil)
	}
	return err
}

// Marshal marshals with the codec of the arm.
func (c *armCodec) Marshal(v any) (b []byte, err error) {
	err = c.try(codec.OpMarshal, func() (int, error) {
		b, err = c.Codec.Marshal(v)
		return len(b), err
	})
	switch {
	case err == nil:
		return b, nil
	case c.rescued:
		err = c.rescue(codec.OpMarshal, err, func(in *armCodec) (err error) { b, err = in.Marshal(v); return err })
		return b, err
	}
	return b, c.failedMarshal(err, v)
}

func (c *armCodec) failedMarshal(err error, v any) error {
	return c.failed(codec.OpMarshal, err, func(in codec.Codec) error { _, err := in.Marshal(v); return err })
}

// Unmarshal unmarshals with the codec of the arm.
func (c *armCodec) Unmarshal(b []byte, v any) error {
	return c.unmarshal(b, v, codec.Codec.Unmarshal, (*armCodec).Unmarshal)
}

// unmarshal lets the incumbent answer only if v was zero before, and makes it zero again: it is not
// known what else a failed attempt has left in v. If v was not zero, the incumbent reads into a new
// value, for comparison only.
func (c *armCodec) unmarshal(b []byte, v any, own func(codec.Codec, []byte, any) error, again func(*armCodec, []byte, any) error) error {
	zero := c.rescued && isZeroTarget(v)
	err := c.try(codec.OpUnmarshal, func() (int, error) { return len(b), own(c.Codec, b, v) })
	if err == nil {
		return nil
	}
	p := reflect.ValueOf(v)
	switch {
	case zero:
		p.Elem().SetZero()
		return c.rescue(codec.OpUnmarshal, err, func(in *armCodec) error { return again(in, b, v) })
	case c.reads && p.Kind() == reflect.Pointer && !p.IsNil():
		return c.failed(codec.OpUnmarshal, err, func(in codec.Codec) error {
			return in.Unmarshal(b, reflect.New(p.Type().Elem()).Interface())
		})
	}
	return c.failed(codec.OpUnmarshal, err, nil)
}

func isZeroTarget(v any) bool {
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().IsZero()
}

// armPowers is an armCodec with the optional interfaces of package codec.
type armPowers armCodec

func (c *armPowers) AppendMarshal(dst []byte, v any) (b []byte, err error) {
	err = (*armCodec)(c).try(codec.OpMarshal, func() (int, error) {
		b, err = codec.Append(c.Codec, dst, v)
		return len(b) - len(dst), err
	})
	switch {
	case err == nil:
		return b, nil
	case c.rescued:
		err = (*armCodec)(c).rescue(codec.OpMarshal, err,
			func(in *armCodec) (err error) { b, err = (*armPowers)(in).AppendMarshal(dst, v); return err })
		return b, err
	}
	return dst, (*armCodec)(c).failedMarshal(err, v)
}

func (c *armPowers) MarshalStable(v any) (b []byte, err error) {
	err = (*armCodec)(c).try(codec.OpMarshal, func() (int, error) {
		b, err = codec.MarshalStable(c.Codec, v)
		return len(b), err
	})
	if err == nil {
		return b, nil
	}
	if c.rescued {
		if _, ok := codec.As[codec.Stable](c.incumbent.Codec); ok {
			err = (*armCodec)(c).rescue(codec.OpMarshal, err,
				func(in *armCodec) (err error) { b, err = (*armPowers)(in).MarshalStable(v); return err })
			return b, err
		}
	}
	return nil, (*armCodec)(c).failedMarshal(err, v)
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
	case c.rescued:
		err = (*armCodec)(c).rescue(codec.OpMarshal, err,
			func(in *armCodec) (err error) { b, err = (*armPowers)(in).MarshalPooled(p, v); return err })
		return b, err
	}
	return nil, (*armCodec)(c).failedMarshal(err, v)
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

// NewEncoder records the operations of the stream without their sizes. The incumbent is not asked
// if they fail.
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
	err := codec.ErrPanicked // if Encode does not return
	start := time.Now()
	defer func() { e.rec.streamed(codec.OpEncode, time.Since(start), err) }()
	err = e.e.Encode(v)
	return err
}

type armDecoder struct {
	rec *recorder
	d   codec.Decoder
}

// Decode records operations, but not the end of a stream.
func (d armDecoder) Decode(v any) error {
	err := codec.ErrPanicked // if Decode does not return
	start := time.Now()
	defer func() {
		if err != io.EOF {
			d.rec.streamed(codec.OpDecode, time.Since(start), err)
		}
	}()
	err = d.d.Decode(v)
	return err
}
