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
// rescued, a panic becomes an error. Otherwise try records the panic and does not recover it.
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
func (c *armCodec) Marshal(v any) ([]byte, error) {
	return marshal(c, v, c.rescued, codec.Codec.Marshal, bytesOf)
}

func bytesOf(b []byte) int { return len(b) }

// marshal calls do with the codec of the arm. If that fails and rescued is set, it calls do with
// the incumbent, which records its own operation. size returns the number of bytes in the message.
func marshal[B any](c *armCodec, v any, rescued bool, do func(codec.Codec, any) (B, error), size func(B) int) (b B, err error) {
	err = c.try(codec.OpMarshal, func() (int, error) {
		if b, err = do(c.Codec, v); err != nil {
			return 0, err
		}
		return size(b), nil
	})
	switch {
	case err == nil:
		return b, nil
	case rescued:
		err = c.rescue(codec.OpMarshal, err, func(in *armCodec) (err error) { b, err = do(in, v); return err })
		return b, err
	}
	return b, c.failed(codec.OpMarshal, err, func(in codec.Codec) error { _, err := in.Marshal(v); return err })
}

// Unmarshal unmarshals with the codec of the arm.
func (c *armCodec) Unmarshal(b []byte, v any) error {
	return c.unmarshal(b, v, codec.Codec.Unmarshal, (*armCodec).Unmarshal)
}

// unmarshal lets the incumbent answer only if v was zero before the attempt. It then makes v zero
// again, because the failed attempt may have changed anything in v. If v was not zero, the
// incumbent reads into a new value, for comparison only.
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

func (c *armPowers) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := marshal((*armCodec)(c), v, c.rescued,
		func(to codec.Codec, v any) ([]byte, error) { return codec.Append(to, dst, v) },
		func(b []byte) int { return len(b) - len(dst) })
	if err != nil {
		return dst, err // b is nil after a panic
	}
	return b, nil
}

// MarshalStable is not rescued by an incumbent that is not Stable, because its bytes may differ
// each time.
func (c *armPowers) MarshalStable(v any) ([]byte, error) {
	rescued := c.rescued
	if rescued {
		_, rescued = codec.As[codec.Stable](c.incumbent.Codec)
	}
	return marshal((*armCodec)(c), v, rescued, codec.MarshalStable, bytesOf)
}

func (c *armPowers) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	return marshal((*armCodec)(c), v, c.rescued,
		func(to codec.Codec, v any) (*codec.Buffer, error) { return codec.MarshalPooled(to, p, v) },
		func(b *codec.Buffer) int { return len(b.B) })
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
	return stream{c.rec, codec.OpEncode, s.NewEncoder(w).Encode}
}

func (c *armPowers) NewDecoder(r io.Reader) codec.Decoder {
	s, _ := codec.As[codec.Streamer](c.Codec)
	return stream{c.rec, codec.OpDecode, s.NewDecoder(r).Decode}
}

type stream struct {
	rec *recorder
	op  codec.Op
	do  func(any) error
}

func (s stream) Encode(v any) error { return s.call(v) }
func (s stream) Decode(v any) error { return s.call(v) }

// call records the operation, unless a decoder has met the end of its stream.
func (s stream) call(v any) error {
	err := codec.ErrPanicked // if do does not return
	start := time.Now()
	defer func() {
		if s.op != codec.OpDecode || err != io.EOF {
			s.rec.streamed(s.op, time.Since(start), err)
		}
	}()
	err = s.do(v)
	return err
}
