// Package sonicx is a codec of JSON by github.com/bytedance/sonic.
//
//	codecs := codec.NewRegistry(sonicx.Codec{}, codec.Gob{})
//
// By default it uses the options of sonic.ConfigStd, which make sonic behave as encoding/json does.
// The options of sonic.Marshal are sonic.ConfigDefault. On amd64 and arm64, for the versions of Go
// that it knows, the library generates machine code at the first use of a type (see [Pretouch]);
// elsewhere it uses encoding/json.
package sonicx

import (
	"io"
	"reflect"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/decoder"
	"github.com/bytedance/sonic/encoder"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is JSON by that library. Its name is "sonic", its media type application/json. A stream is
// values separated by line feeds.
type Codec struct {
	// API is the library's configuration; nil means sonic.ConfigStd.
	API sonic.API
}

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

func (c Codec) api() sonic.API {
	if c.API == nil {
		return sonic.ConfigStd
	}
	return c.API
}

// Pretouch compiles a type before its first use, so that a program is fast from the first request
// on. It takes milliseconds for each type.
func Pretouch(t reflect.Type) error { return sonic.Pretouch(t) }

// Name returns "sonic".
func (Codec) Name() string { return "sonic" }

// MediaTypes returns the media types of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.api().Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
}

// MarshalStable returns one document with sorted keys of maps. It uses sonic.ConfigStd, whatever
// API is.
func (c Codec) MarshalStable(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// AppendMarshal appends one document. If API is set, the document is copied once.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if c.API != nil {
		b, err := c.Marshal(v)
		return append(dst, b...), err
	}
	const std = encoder.CompatibleWithStd | encoder.ValidateString // the options of sonic.ConfigStd
	b := dst
	if err := encoder.EncodeInto(&b, v, std); err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
	}
	return b, nil
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classes.Of(c.api().Unmarshal(b, v)))
}

// NewEncoder returns an encoder that writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: c.api().NewEncoder(w), Class: classes.Of}
}

// NewDecoder returns a decoder of values. It finds the end of each value with encoding/json,
// because the library's own decoder (v1.15.5) returns only the first part of a number that arrives
// in parts.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder { return adapt.JSONDecoder(c, r) }

var classes = adapt.Classes{
	{codec.ClassSyntax, adapt.As[decoder.SyntaxError]},
	{codec.ClassSyntax, adapt.As[*decoder.SyntaxError]},
	{codec.ClassType, adapt.As[*decoder.MismatchTypeError]},
}
