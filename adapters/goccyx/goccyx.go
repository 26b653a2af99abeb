// Package goccyx is a codec of JSON by github.com/goccy/go-json.
//
//	codecs := codec.NewRegistry(goccyx.Codec{}, codec.Gob{})
package goccyx

import (
	"io"

	"github.com/goccy/go-json"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is JSON by that library. Its name is "go-json", its media type application/json. A stream
// is values separated by line feeds. Keys of maps are sorted and HTML is escaped, as by
// encoding/json.
type Codec struct{}

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// Name returns "go-json".
func (Codec) Name() string { return "go-json" }

// MediaTypes returns the media types of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// MarshalStable is Marshal, which sorts the keys of maps.
func (c Codec) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal appends one document. The library copies it once from a buffer of its own.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	w := adapt.Writer{B: dst}
	if err := json.NewEncoder(&w).Encode(v); err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
	}
	return w.B[:len(w.B)-1], nil // without the encoder's line feed
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classes.Of(json.Unmarshal(b, v)))
}

// NewEncoder returns an encoder that writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: json.NewEncoder(w), Class: classes.Of}
}

// NewDecoder returns a decoder of values. It finds the end of each value with encoding/json,
// because the library's own decoder takes a line feed after the last value for another value.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder { return adapt.JSONDecoder(c, r) }

// classes leaves out the errors that have no types of their own.
var classes = adapt.Classes{
	{codec.ClassUnsupported, adapt.As[*json.UnsupportedTypeError]},
	{codec.ClassUnsupported, adapt.As[*json.UnsupportedValueError]},
	{codec.ClassType, adapt.As[*json.UnmarshalTypeError]},
	{codec.ClassType, adapt.As[*json.InvalidUnmarshalError]},
	{codec.ClassSyntax, adapt.As[*json.SyntaxError]},
}
