// Package segmentiox is a codec of JSON by github.com/segmentio/encoding/json.
//
//	codecs := codec.NewRegistry(segmentiox.Codec{}, codec.Gob{})
//
// It uses the flags of that library's own Marshal and Unmarshal, and so behaves as encoding/json
// does.
package segmentiox

import (
	"bytes"
	"errors"
	"io"

	"github.com/segmentio/encoding/json"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is JSON by that library. Its name is "segmentio", its media type application/json. A stream
// is values separated by line feeds.
type Codec struct{}

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Viewer     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// Name returns "segmentio".
func (Codec) Name() string { return "segmentio" }

// MediaTypes returns the media types of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, err)
}

// MarshalStable is Marshal, which sorts the keys of maps.
func (c Codec) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal appends one document.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := json.Append(dst, v, json.EscapeHTML|json.SortMapKeys)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, err)
	}
	return b, nil
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, torn(json.Unmarshal(b, v)))
}

// UnmarshalView reads one document. Strings without escapes, numbers and raw messages in v point
// into b.
func (c Codec) UnmarshalView(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	rest, err := json.Parse(b, v, json.ZeroCopy)
	if err == nil && len(bytes.TrimLeft(rest, " \t\r\n")) > 0 { // white space (RFC 8259, section 2) may follow
		err = codec.ErrTrailingData
	}
	return codec.NewError(c, codec.OpUnmarshal, v, torn(err))
}

// torn replaces io.EOF by io.ErrUnexpectedEOF: io.EOF is reserved for the end of streams.
func torn(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// NewEncoder returns an encoder that writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: json.NewEncoder(w)}
}

// NewDecoder returns a decoder of values.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder {
	s := adapt.NewSource(r)
	return adapt.Decoder{Codec: c, From: json.NewDecoder(s), Source: s}
}
