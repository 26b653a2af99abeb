package codec

import (
	"io"

	"github.com/zmylab/zmy/fxjson"
)

// FXJSON is package fxjson: the same bytes as encoding/json, faster for types with generated code.
// Its name is "fxjson", its media types are application/json and text/json. In a [Registry] that
// also has [StdJSON], the media types belong to the one registered first. Its streams are values
// separated by line feeds.
type FXJSON struct{}

var (
	_ Appender   = FXJSON{}
	_ Stable     = FXJSON{}
	_ Streamer   = FXJSON{}
	_ MediaTyped = FXJSON{}
)

// Name returns "fxjson".
func (FXJSON) Name() string { return "fxjson" }

// MediaTypes returns application/json and text/json.
func (FXJSON) MediaTypes() []string { return jsonTypes }

// Marshal is fxjson.Marshal.
func (c FXJSON) Marshal(v any) ([]byte, error) {
	b, err := fxjson.Marshal(v)
	return b, NewError(c, OpMarshal, v, err)
}

// MarshalStable is Marshal, which writes maps in the order of their keys.
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
func (c FXJSON) NewEncoder(w io.Writer) Encoder { return encoder(c, fxjson.NewEncoder(w)) }

// NewDecoder returns a fxjson.Decoder.
func (c FXJSON) NewDecoder(r io.Reader) Decoder { return decoder(c, fxjson.NewDecoder(r)) }
