// Package sonicx is a codec of JSON by github.com/bytedance/sonic.
//
//	codecs := codec.NewRegistry(sonicx.Codec{}, codec.Gob{})
//
// Unless told otherwise it has the options of sonic.ConfigStd, which keep the contract of
// encoding/json; those of sonic.Marshal are sonic.ConfigDefault. The library generates machine code
// on the first use of a type (see [Pretouch]), on amd64 and arm64 and for the versions of Go that
// it knows; elsewhere it is encoding/json.
package sonicx

import (
	"errors"
	"io"
	"reflect"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/decoder"
	"github.com/bytedance/sonic/encoder"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is that JSON. Name "sonic", media type application/json. Its streams are
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

// Pretouch compiles a type before its first use, for a program that wants to be
// fast from the first request: milliseconds each.
func Pretouch(t reflect.Type) error { return sonic.Pretouch(t) }

// Name is "sonic".
func (Codec) Name() string { return "sonic" }

// MediaTypes are those of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := c.api().Marshal(v)
	return b, codec.NewError(c, codec.OpMarshal, v, classed(err))
}

// MarshalStable returns one document with the keys of maps sorted, by sonic.ConfigStd.
func (c Codec) MarshalStable(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// AppendMarshal appends one document; one of another configuration than sonic.ConfigStd is copied
// once.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if c.API != nil {
		b, err := c.Marshal(v)
		return append(dst, b...), err
	}
	const std = encoder.CompatibleWithStd | encoder.ValidateString // of sonic.ConfigStd
	b := dst
	if err := encoder.EncodeInto(&b, v, std); err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	return b, nil
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(c.api().Unmarshal(b, v)))
}

// NewEncoder writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return adapt.Encoder{Codec: c, To: c.api().NewEncoder(w), Class: classed}
}

// NewDecoder reads values. encoding/json finds where each ends: of a number that
// arrives in parts the library's own decoder (v1.15.5) returns the first part.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder { return adapt.JSONDecoder(c, r) }

// classed gives errors of the library a class.
func classed(err error) error {
	if err == nil || codec.ClassOf(err) != codec.ClassOther {
		return err
	}
	if errors.As(err, new(decoder.SyntaxError)) || errors.As(err, new(*decoder.SyntaxError)) {
		return codec.WithClass(codec.ClassSyntax, err)
	}
	if errors.As(err, new(*decoder.MismatchTypeError)) {
		return codec.WithClass(codec.ClassType, err)
	}
	return err
}
