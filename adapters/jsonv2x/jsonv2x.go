// Package jsonv2x is a codec of JSON by version 2 of encoding/json.
//
//	codecs := codec.NewRegistry(jsonv2x.Codec{}, codec.Gob{})
//
// It uses github.com/go-json-experiment/json, which provides that version for every Go. In programs
// that are built with GOEXPERIMENT=jsonv2 that package is another name for the standard library's
// encoding/json/v2.
package jsonv2x

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is JSON by the rules of version 2: names of members match only in the same case, and nil
// slices and maps are [] and {}. Duplicate names, and text that is not UTF-8, are refused. Its name
// is "json-v2", its media type application/json. A stream is values separated by line feeds.
//
// Options are the library's options. json.JoinOptions joins several; v1.DefaultOptionsV1 returns
// the rules of version 1.
type Codec struct{ Options json.Options }

var (
	_ codec.Appender   = Codec{}
	_ codec.Stable     = Codec{}
	_ codec.Streamer   = Codec{}
	_ codec.MediaTyped = Codec{}
)

// Name returns "json-v2".
func (Codec) Name() string { return "json-v2" }

// MediaTypes returns the media types of JSON.
func (Codec) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

func (c Codec) options() json.Options {
	if c.Options == nil {
		return none
	}
	return c.Options
}

var none = json.JoinOptions()

// Marshal returns one document.
func (c Codec) Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v, c.options())
	return b, c.failed(codec.OpMarshal, v, err)
}

// MarshalStable is Marshal, except that it writes the entries of maps in the order of their keys.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	b, err := json.Marshal(v, c.options(), json.Deterministic(true))
	return b, c.failed(codec.OpMarshal, v, err)
}

// AppendMarshal appends one document.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := adapt.AppendBuffer(dst, func(buf *bytes.Buffer) error { return json.MarshalWrite(buf, v, c.options()) })
	return b, c.failed(codec.OpMarshal, v, err)
}

// Unmarshal reads one document.
func (c Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	return c.failed(codec.OpUnmarshal, v, json.Unmarshal(b, v, c.options()))
}

// NewEncoder returns an encoder that writes values, each followed by a line feed.
func (c Codec) NewEncoder(w io.Writer) codec.Encoder {
	return &encoder{c, jsontext.NewEncoder(w, c.options())}
}

// NewDecoder returns a decoder of values.
func (c Codec) NewDecoder(r io.Reader) codec.Decoder {
	return &decoder{c, jsontext.NewDecoder(r, c.options())}
}

type encoder struct {
	c Codec
	e *jsontext.Encoder
}

func (e *encoder) Encode(v any) error {
	return e.c.failed(codec.OpEncode, v, json.MarshalEncode(e.e, v))
}

type decoder struct {
	c Codec
	d *jsontext.Decoder
}

func (d *decoder) Decode(v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(d.c, codec.OpDecode, v, codec.ErrNilTarget)
	}
	err := json.UnmarshalDecode(d.d, v)
	if err == io.EOF {
		return io.EOF
	}
	return d.c.failed(codec.OpDecode, v, err)
}

// failed wraps an error and gives errors of the library a class of package codec.
func (c Codec) failed(op codec.Op, v any, err error) error {
	if err != nil && codec.ClassOf(err) == codec.ClassOther {
		if errors.As(err, new(*jsontext.SyntacticError)) {
			err = codec.WithClass(codec.ClassSyntax, err)
		} else if errors.As(err, new(*json.SemanticError)) {
			class := codec.ClassType
			if op == codec.OpMarshal || op == codec.OpEncode {
				class = codec.ClassUnsupported
			}
			err = codec.WithClass(class, err)
		}
	}
	return codec.NewError(c, op, v, err)
}
