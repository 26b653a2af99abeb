package codec

import (
	"io"

	"github.com/zmylab/zmy/fxjson"
)

// FXJSON is package fxjson: the bytes of encoding/json, faster for types with
// generated code. Name "fxjson", media type application/json; in a [Registry]
// beside [StdJSON] the one registered first has the media type. Its streams are
// values separated by line feeds.
type FXJSON struct{}

var (
	_ Appender   = FXJSON{}
	_ Stable     = FXJSON{}
	_ Streamer   = FXJSON{}
	_ MediaTyped = FXJSON{}
)

// Name is "fxjson".
func (FXJSON) Name() string { return "fxjson" }

// MediaTypes are those of JSON.
func (FXJSON) MediaTypes() []string { return jsonTypes }

// Marshal is fxjson.Marshal.
func (c FXJSON) Marshal(v any) ([]byte, error) {
	b, err := fxjson.Marshal(v)
	return b, NewError(c, OpMarshal, v, err)
}

// MarshalStable is Marshal: maps are written in the order of their keys.
func (c FXJSON) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal is fxjson.Append.
func (c FXJSON) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := fxjson.Append(dst, v)
	return b, NewError(c, OpMarshal, v, err)
}

// Unmarshal is fxjson.Unmarshal.
func (c FXJSON) Unmarshal(b []byte, v any) error {
	return NewError(c, OpUnmarshal, v, fxjson.Unmarshal(b, v))
}

// NewEncoder returns a fxjson.Encoder.
func (c FXJSON) NewEncoder(w io.Writer) Encoder { return encoder{c, fxjson.NewEncoder(w)} }

// NewDecoder returns a fxjson.Decoder.
func (c FXJSON) NewDecoder(r io.Reader) Decoder { return decoder{c, fxjson.NewDecoder(r)} }
