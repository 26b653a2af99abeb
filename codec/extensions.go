package codec

import (
	"fmt"
	"io"
)

// Appender is a Codec that can marshal behind bytes that exist already.
type Appender interface {
	// AppendMarshal appends the bytes of v to dst and returns the longer slice.
	// After an error the result is dst as it was handed in.
	AppendMarshal(dst []byte, v any) ([]byte, error)
}

// Stable is a Codec that can marshal equal values to equal bytes, whatever the
// order in which a map is ranged: what signatures, caches and comparisons need.
type Stable interface {
	MarshalStable(v any) ([]byte, error)
}

// Pooled is a Codec that knows better than [MarshalPooled] which buffer of a pool
// it needs: one whose messages tell their size beforehand, for instance.
type Pooled interface {
	// MarshalPooled returns the bytes of v in a buffer that the caller releases, or
	// an error and no buffer.
	MarshalPooled(p *Pool, v any) (*Buffer, error)
}

// Streamer is a Codec with a form for many messages on one stream.
type Streamer interface {
	// NewEncoder returns an encoder for one goroutine. It does not close w.
	NewEncoder(w io.Writer) Encoder
	// NewDecoder returns a decoder for one goroutine. It may read more from r than
	// the messages it returns.
	NewDecoder(r io.Reader) Decoder
}

// Encoder writes messages to a stream.
type Encoder interface {
	Encode(v any) error
}

// Decoder reads messages from a stream.
type Decoder interface {
	// Decode stores the next message into v, a non-nil pointer. It returns
	// [io.EOF] itself after the last whole message, and another error when the
	// stream ends within one.
	Decode(v any) error
}

// Viewer is a Codec that can read a message in place.
type Viewer interface {
	// UnmarshalView is Unmarshal, but strings and byte slices of v may be parts of b
	// instead of copies. b must not change while v, or anything taken from it, is in
	// use: a buffer of a pool is released after that, see [Lease]. (Generated views
	// of ZMY native, as ViewOrder opens them, decode nothing at all and need no codec.)
	UnmarshalView(b []byte, v any) error
}

// MediaTyped is a Codec whose bytes have media types (RFC 6838).
type MediaTyped interface {
	// MediaTypes returns lower-case types without parameters, the preferred one
	// first: "application/json". The caller does not change the slice.
	MediaTypes() []string
}

// Append marshals v behind dst with c, without an allocation of its own where c
// is an [Appender]. After an error the result is dst.
func Append(c Codec, dst []byte, v any) ([]byte, error) {
	if a, ok := As[Appender](c); ok {
		return a.AppendMarshal(dst, v)
	}
	b, err := c.Marshal(v)
	if err != nil {
		return dst, err
	}
	return append(dst, b...), nil
}

// MarshalStable marshals v so that equal values give equal bytes. It fails with
// an error that wraps [ErrUnsupported] unless c is [Stable].
func MarshalStable(c Codec, v any) ([]byte, error) {
	s, ok := As[Stable](c)
	if !ok {
		return nil, fmt.Errorf("codec: %s: %w: its bytes may differ between two runs; choose a codec that is codec.Stable",
			c.Name(), ErrUnsupported)
	}
	return s.MarshalStable(v)
}

// UnmarshalView stores b into v in place if c is a [Viewer], and else by copies.
// b must not change while v is in use.
func UnmarshalView(c Codec, b []byte, v any) error {
	if w, ok := As[Viewer](c); ok {
		return w.UnmarshalView(b, v)
	}
	return c.Unmarshal(b, v)
}

// Stream returns the streaming form of c: its own, or else frames of at most
// limit bytes around its messages (see [Framed]).
func Stream(c Codec, limit int) Streamer {
	if s, ok := As[Streamer](c); ok {
		return s
	}
	return Framed(c, limit)
}

// MediaType returns the preferred media type of c, or application/octet-stream
// if it names none.
func MediaType(c Codec) string {
	if types := mediaTypes(c); len(types) > 0 {
		return types[0]
	}
	return "application/octet-stream"
}

func mediaTypes(c Codec) []string {
	if m, ok := As[MediaTyped](c); ok {
		return m.MediaTypes()
	}
	return nil
}
