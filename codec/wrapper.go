package codec

import "context"

// Wrapper is a Codec around another one, of which it changes neither the bytes
// nor the powers: Observe and Guarded return one.
//
// A wrapper that implemented every optional interface would claim powers that its codec lacks.
// Powers returns a value that implements all of them; [As] hands out only those that the wrapped
// codec has.
type Wrapper interface {
	Codec
	// Unwrap returns what is wrapped.
	Unwrap() Codec
	// Powers returns the wrapper in the form that implements all optional
	// interfaces it passes on. Their callers have asked As before.
	Powers() any
}

// As returns c as a P, one of the optional interfaces of this package or of
// yours, if it has that power. For a codec that wraps nothing this is the type
// assertion c.(P); a [Wrapper] has the powers of what it wraps. Always ask by As:
// a type assertion is right about plain codecs only.
//
//	if s, ok := codec.As[codec.Stable](c); ok {
//		return s.MarshalStable(v)
//	}
func As[P any](c Codec) (power P, ok bool) {
	w, wraps := c.(Wrapper)
	if !wraps {
		power, ok = c.(P)
		return power, ok
	}
	if _, ok = As[P](w.Unwrap()); ok {
		power, ok = w.Powers().(P)
	}
	return power, ok
}

// Unwrap returns the codec under all wrappers of c, which is c itself if there
// are none: the one to compare with or to print.
func Unwrap(c Codec) Codec {
	for {
		w, wraps := c.(Wrapper)
		if !wraps {
			return c
		}
		c = w.Unwrap()
	}
}

// Contextual is a Codec that wants to know on whose behalf it works: to make its
// span a child of the request's, or to choose by something that the request
// carries. Most codecs have no use for that.
type Contextual interface {
	// WithContext returns the codec for one request, with the same powers.
	WithContext(ctx context.Context) Codec
}

// WithContext returns c as it serves the request of ctx. That is c itself unless
// it is [Contextual]. Cancellation does not interrupt an operation.
func WithContext(ctx context.Context, c Codec) Codec {
	if x, ok := c.(Contextual); ok {
		return x.WithContext(ctx)
	}
	return c
}
