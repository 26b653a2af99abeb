package codec

import (
	"fmt"
	"io"
)

// Appender is a Codec that can append a message to bytes that exist already.
type Appender interface {
	// AppendMarshal appends the message of v to dst and returns the longer slice. After an error it
	// returns dst unchanged.
	AppendMarshal(dst []byte, v any) ([]byte, error)
}

// Stable is a Codec that can marshal equal values to equal bytes, in whatever order maps are
// ranged. Signatures, caches and comparisons need that.
type Stable interface {
	MarshalStable(v any) ([]byte, error)
}

// Pooled is a Codec that takes a better buffer from a pool than [MarshalPooled] would, for instance
// because it knows the size of a message beforehand.
type Pooled interface {
	// MarshalPooled returns the message of v in a buffer, which the caller releases. With an error
	// it returns no buffer.
	MarshalPooled(p *Pool, v any) (*Buffer, error)
}

// Streamer is a Codec that can write and read many messages on one stream.
type Streamer interface {
	// NewEncoder returns an encoder for one goroutine. It does not close w.
	NewEncoder(w io.Writer) Encoder
	// NewDecoder returns a decoder for one goroutine. It may read ahead, beyond the messages that
	// it has returned.
	NewDecoder(r io.Reader) Decoder
}

// Encoder writes messages to a stream.
type Encoder interface {
	Encode(v any) error
}

// Decoder reads messages from a stream.
type Decoder interface {
	// Decode stores the next message into v, a non-nil pointer. After the last whole message it
	// returns [io.EOF] itself. If the stream ends within a message, it returns another error.
	Decode(v any) error
}

// Viewer is a Codec that can read a message in place, without copying its bytes.
type Viewer interface {
	// UnmarshalView is Unmarshal, but strings and byte slices of v may be parts of b instead of
	// copies. b must not change while v, or anything taken from it, is in use. A buffer of a pool
	// must not be released before that, see [Lease]. (The generated views of ZMY native, which
	// functions such as ViewOrder open, decode nothing and need no codec.)
	UnmarshalView(b []byte, v any) error
}

// MediaTyped is a Codec whose messages have media types (RFC 6838).
type MediaTyped interface {
	// MediaTypes returns media types in lower case and without parameters, such as
	// "application/json", the preferred one first. The caller does not change the slice.
	MediaTypes() []string
}

// Append appends the message of v to dst. If c is not an [Appender], it marshals v and copies the
// result. After an error the result is dst.
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

// MarshalStable marshals v so that equal values give equal bytes. If c is not [Stable], the error
// wraps [ErrUnsupported].
func MarshalStable(c Codec, v any) ([]byte, error) {
	s, ok := As[Stable](c)
	if !ok {
		return nil, fmt.Errorf("codec: %s: %w: its bytes may differ between two runs; choose a codec that is codec.Stable",
			c.Name(), ErrUnsupported)
	}
	return s.MarshalStable(v)
}

// UnmarshalView reads b into v in place if c is a [Viewer], else with copies. b must not change
// while v is in use.
func UnmarshalView(c Codec, b []byte, v any) error {
	if w, ok := As[Viewer](c); ok {
		return w.UnmarshalView(b, v)
	}
	return c.Unmarshal(b, v)
}

// Stream returns c itself as a Streamer if c has that power. Otherwise it returns a Streamer that
// writes the messages of c in frames of at most limit bytes (see [Framed]).
func Stream(c Codec, limit int) Streamer {
	if s, ok := As[Streamer](c); ok {
		return s
	}
	return Framed(c, limit)
}

// MediaType returns the preferred media type of c, or application/octet-stream if c has none.
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
