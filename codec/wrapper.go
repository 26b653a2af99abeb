package codec

import "context"

// Wrapper is a Codec around another one. It changes neither the bytes nor the powers of that codec.
// Observe and Guarded return Wrappers.
//
// A wrapper that implemented every optional interface would claim powers that its codec lacks.
// Powers returns a value that implements all of them; [As] hands out only those that the wrapped
// codec has.
type Wrapper interface {
	Codec
	// Unwrap returns the wrapped codec.
	Unwrap() Codec
	// Powers returns a value that implements every optional interface which the wrapper can pass
	// on. Only As calls it, after it has found the power in the wrapped codec.
	Powers() any
}

// As returns c as a P, an optional interface of this package or of yours, if c has that power. For
// a codec that wraps nothing, As is the type assertion c.(P). A [Wrapper] has the powers of the
// codec that it wraps. Always use As: a type assertion is wrong for wrappers.
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

// Unwrap returns the codec under all wrappers of c, or c itself if c is not a wrapper. Compare or
// print this one.
func Unwrap(c Codec) Codec {
	for {
		w, wraps := c.(Wrapper)
		if !wraps {
			return c
		}
		c = w.Unwrap()
	}
}

// Contextual is a Codec that needs the context of a request: to make its span a child of the
// request's, or to choose by something that the request carries. Most codecs do not.
type Contextual interface {
	// WithContext returns the codec for one request. It has the same powers.
	WithContext(ctx context.Context) Codec
}

// WithContext returns c for the request of ctx. If c is not [Contextual], that is c itself. A
// context that ends does not interrupt an operation.
func WithContext(ctx context.Context, c Codec) Codec {
	if x, ok := c.(Contextual); ok {
		return x.WithContext(ctx)
	}
	return c
}
