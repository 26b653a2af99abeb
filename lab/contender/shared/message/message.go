//go:build ignore

// Package message makes contenders from codecs that work on generated messages: on the user's type
// through conversions, and on the messages themselves.
package message

import "github.com/zmylab/zmy/lab/worker"

// Codec is a codec for its message M.
type Codec[M any] struct {
	Marshal func(m *M) ([]byte, error)
	Append  func(dst []byte, m *M) ([]byte, error)
	// Reset empties a message before a conversion writes into it.
	Reset func(m *M)
	// Unmarshal receives an empty message, or a used one after a call of Clear.
	Unmarshal func(b []byte, m *M) error
	// Alias is an Unmarshal whose strings and byte slices point into b; nil if the codec has none.
	Alias func(b []byte, m *M) error
	// Clear prepares a used message for Unmarshal, and may keep its memory for that. It is nil if
	// Unmarshal does so itself.
	Clear func(m *M)
	// Get takes an empty message from the codec's own pool. Put returns it, with everything that it
	// refers to. Both are nil if the codec has no pool.
	Get func() *M
	Put func(m *M)
}

// Append returns a Codec.Append made of size and marshalTo. marshalTo gets a slice of exactly the
// size that the message needs.
func Append[M any](size func(*M) int, marshalTo func(*M, []byte) (int, error)) func([]byte, *M) ([]byte, error) {
	return func(dst []byte, m *M) ([]byte, error) {
		n, at := size(m), len(dst)
		if cap(dst)-at < n {
			dst = append(make([]byte, 0, at+n), dst...)
		}
		dst = dst[:at+n]
		_, err := marshalTo(m, dst[at:])
		return dst, err
	}
}

// New returns the contender that works on the user's type. It measures conversion and codec
// together. Mode reused keeps one message.
func New[T, M any](c Codec[M], to func(*M, *T) error, from func(*T, *M) error) worker.Contender[T] {
	fresh := func(unmarshal func([]byte, *M) error) func() func([]byte, *T) error {
		return worker.Stateless(func(b []byte, v *T) error {
			m := new(M)
			if err := unmarshal(b, m); err != nil {
				return err
			}
			return from(v, m)
		})
	}
	reused := func(unmarshal func([]byte, *M) error) func() func([]byte, *T) error {
		return func() func([]byte, *T) error {
			m := new(M)
			return func(b []byte, v *T) error {
				if c.Clear != nil {
					c.Clear(m)
				}
				if err := unmarshal(b, m); err != nil {
					return err
				}
				return from(v, m)
			}
		}
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) {
				m := new(M)
				if err := to(m, v); err != nil {
					return nil, err
				}
				return c.Marshal(m)
			})},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) {
				m := new(M)
				return func(dst []byte, v *T) ([]byte, error) {
					c.Reset(m)
					if err := to(m, v); err != nil {
						return nil, err
					}
					return c.Append(dst, m)
				}
			}, Keeps: true},
		},
		Decoders: decoders(c, fresh, reused),
		Mapped: func(v *T) (any, error) {
			var m M
			var back T
			if err := to(&m, v); err != nil {
				return nil, err
			}
			err := from(&back, &m)
			return back, err
		},
	}
}

// NewNative returns the contender that works on the generated message.
func NewNative[T, M any](c Codec[M], to func(*M, *T) error, from func(*T, *M) error) worker.Contender[*M] {
	fresh := func(unmarshal func([]byte, *M) error) func() func([]byte, **M) error {
		return worker.Stateless(func(b []byte, m **M) error {
			*m = new(M)
			return unmarshal(b, *m)
		})
	}
	reused := func(unmarshal func([]byte, *M) error) func() func([]byte, **M) error {
		return worker.Stateless(func(b []byte, m **M) error {
			if *m == nil {
				*m = new(M)
			}
			if c.Clear != nil {
				c.Clear(*m)
			}
			return unmarshal(b, *m)
		})
	}
	value := func(m **M) (any, error) {
		var v T
		err := from(&v, *m)
		return v, err
	}
	modes := decoders(c, fresh, reused)
	if c.Get != nil {
		modes = append(modes, pooled(c))
	}
	return worker.Contender[*M]{
		Encoders: []worker.Encoder[*M]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, m **M) ([]byte, error) { return c.Marshal(*m) })},
			{Mode: "append", New: worker.Stateless(func(dst []byte, m **M) ([]byte, error) { return c.Append(dst, *m) }), Keeps: true},
		},
		Decoders: modes,
		Compare:  value,
		Mapped:   value,
	}
}

// decoders returns the decoders for c.Unmarshal and, if there is one, c.Alias. N is the type of the
// values that they fill.
func decoders[M, N any](c Codec[M], fresh, reused func(func([]byte, *M) error) func() func([]byte, *N) error) []worker.Decoder[N] {
	out := []worker.Decoder[N]{
		{Mode: "fresh", New: fresh(c.Unmarshal)},
		{Mode: "reused", Reuse: true, New: reused(c.Unmarshal)},
	}
	if c.Alias != nil {
		out = append(out,
			worker.Decoder[N]{Mode: "alias", Alias: true, New: fresh(c.Alias)},
			worker.Decoder[N]{Mode: "alias-reused", Alias: true, Reuse: true, New: reused(c.Alias)})
	}
	return out
}

// pooled returns a decoder that takes a message from the codec's pool for each call, and puts the
// previous one back.
func pooled[M any](c Codec[M]) worker.Decoder[*M] {
	return worker.Decoder[*M]{Mode: "pooled", Reuse: true, New: worker.Stateless(func(b []byte, m **M) error {
		if *m != nil {
			c.Put(*m)
		}
		*m = c.Get()
		return c.Unmarshal(b, *m)
	})}
}

// Convert returns a function that makes a new message of each value, for the native row.
func Convert[T, M any](to func(*M, *T) error) func(*T) (*M, error) {
	return func(v *T) (*M, error) {
		m := new(M)
		return m, to(m, v)
	}
}

// VT is a pointer to a generated message M, with the methods that vtprotobuf's generator adds.
// Other generators add methods with these names too.
type VT[M any] interface {
	*M
	Reset()
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// VTCodec returns the codec of message M. Before a message is reused, Reset empties it.
func VTCodec[M any, P VT[M]]() Codec[M] {
	c := Own[M]{
		Size:      func(m *M) int { return P(m).SizeVT() },
		Marshal:   func(m *M) ([]byte, error) { return P(m).MarshalVT() },
		MarshalTo: func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBufferVT(b) },
		Unmarshal: func(b []byte, m *M) error { return P(m).UnmarshalVT(b) },
		Reset:     func(m *M) { P(m).Reset() },
	}.Codec()
	c.Alias = func(b []byte, m *M) error { return P(m).UnmarshalVTUnsafe(b) }
	return c
}

// Own has the methods of messages that marshal themselves into a buffer of the right size. Their
// Unmarshal adds to the content that the message has.
type Own[M any] struct {
	Size      func(m *M) int
	Marshal   func(m *M) ([]byte, error)
	MarshalTo func(m *M, b []byte) (int, error)
	Unmarshal func(b []byte, m *M) error
	Reset     func(m *M)
}

// Codec returns the codec for these methods.
func (o Own[M]) Codec() Codec[M] {
	return Codec[M]{Marshal: o.Marshal, Append: Append(o.Size, o.MarshalTo), Reset: o.Reset, Unmarshal: o.Unmarshal, Clear: o.Reset}
}
