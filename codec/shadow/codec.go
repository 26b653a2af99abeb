package shadow

import (
	"context"
	"io"
	"reflect"
	"time"

	"github.com/zmylab/zmy/codec"
)

var (
	_ codec.Wrapper    = (*Codec)(nil)
	_ codec.Contextual = (*Codec)(nil)
	_ interface {
		codec.Appender
		codec.Stable
		codec.Pooled
		codec.Viewer
		codec.Streamer
		codec.MediaTyped
	} = (*powers)(nil)
)

// Name returns the incumbent's name.
func (c *Codec) Name() string { return c.incumbent.Name() }

// Unwrap returns the incumbent.
func (c *Codec) Unwrap() codec.Codec { return c.incumbent }

// Powers returns the incumbent with every power that it can pass on. Operations through these
// powers are also tried on the candidate, except streams.
func (c *Codec) Powers() any { return (*powers)(c) }

// Candidate returns the codec that is tried.
func (c *Codec) Candidate() codec.Codec { return c.candidate }

// WithContext passes the context on to an incumbent that is Contextual.
func (c *Codec) WithContext(ctx context.Context) codec.Codec {
	if _, ok := c.incumbent.(codec.Contextual); !ok {
		return c
	}
	return &Codec{codec.WithContext(ctx, c.incumbent), c.trials}
}

// Marshal marshals with the incumbent.
func (c *Codec) Marshal(v any) ([]byte, error) {
	if !c.sampled() {
		return c.incumbent.Marshal(v)
	}
	start := time.Now()
	b, err := c.incumbent.Marshal(v)
	c.marshaled(v, b, err, time.Since(start))
	return b, err
}

// Unmarshal unmarshals with the incumbent.
func (c *Codec) Unmarshal(b []byte, v any) error { return c.unmarshal(b, v, codec.Codec.Unmarshal) }

func (c *Codec) unmarshal(b []byte, v any, do func(incumbent codec.Codec, b []byte, v any) error) error {
	if !c.sampled() {
		return do(c.incumbent, b, v)
	}
	fresh := isFresh(v)
	start := time.Now()
	err := do(c.incumbent, b, v)
	c.unmarshaled(b, v, err, fresh, time.Since(start))
	return err
}

// isFresh reports whether v points to a zero value. If the target was not zero, a trial cannot
// repeat the operation, since it does not know what the target held.
func isFresh(v any) bool {
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().IsZero()
}

// powers is a Codec with the optional interfaces of package codec.
type powers Codec

func (c *powers) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if !c.sampled() {
		return codec.Append(c.incumbent, dst, v)
	}
	start := time.Now()
	out, err := codec.Append(c.incumbent, dst, v)
	c.marshaled(v, out[len(dst):], err, time.Since(start))
	return out, err
}

func (c *powers) MarshalStable(v any) ([]byte, error) {
	if !c.sampled() {
		return codec.MarshalStable(c.incumbent, v)
	}
	start := time.Now()
	b, err := codec.MarshalStable(c.incumbent, v)
	c.marshaled(v, b, err, time.Since(start))
	return b, err
}

func (c *powers) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	if !c.sampled() {
		return codec.MarshalPooled(c.incumbent, p, v)
	}
	start := time.Now()
	b, err := codec.MarshalPooled(c.incumbent, p, v)
	if err != nil {
		c.marshaled(v, nil, err, time.Since(start))
		return nil, err
	}
	c.marshaled(v, b.B, nil, time.Since(start))
	return b, nil
}

func (c *powers) UnmarshalView(b []byte, v any) error {
	return (*Codec)(c).unmarshal(b, v, codec.UnmarshalView)
}

func (c *powers) MediaTypes() []string {
	m, _ := codec.As[codec.MediaTyped](c.incumbent)
	return m.MediaTypes()
}

func (c *powers) NewEncoder(w io.Writer) codec.Encoder {
	s, _ := codec.As[codec.Streamer](c.incumbent)
	return s.NewEncoder(w)
}

func (c *powers) NewDecoder(r io.Reader) codec.Decoder {
	s, _ := codec.As[codec.Streamer](c.incumbent)
	return s.NewDecoder(r)
}
