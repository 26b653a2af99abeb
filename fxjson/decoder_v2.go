//go:build goexperiment.jsonv2

package fxjson

import (
	"encoding/json"
	"io"
)

// Decoder reads JSON values from a stream. Where encoding/json is built on its
// version 2, whose streams differ from those of version 1 in many a detail, its
// own decoder cuts the stream into values and tokens.
type Decoder struct {
	std *json.Decoder
	opt UnmarshalOptions
	raw json.RawMessage
}

// NewDecoder returns a decoder that reads from r. It may read more from r than
// the values asked for.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{std: json.NewDecoder(r)} }

// UseNumber makes numbers in interfaces a [Number] in place of a float64.
func (dec *Decoder) UseNumber() {
	dec.std.UseNumber()
	dec.opt.UseNumber = true
}

// SetOptions makes the decoder read values by the options.
func (dec *Decoder) SetOptions(o UnmarshalOptions) {
	if o.UseNumber {
		dec.std.UseNumber()
	}
	dec.opt = o
}

// DisallowUnknownFields makes it an error when an object has a key that the
// struct it goes to does not have.
func (dec *Decoder) DisallowUnknownFields() { dec.opt.DisallowUnknownFields = true }

// Buffered returns what was read but not decoded yet. It is valid until the
// next call of Decode.
func (dec *Decoder) Buffered() io.Reader { return dec.std.Buffered() }

// InputOffset returns the place in the stream, in bytes: the end of the last
// value or token.
func (dec *Decoder) InputOffset() int64 { return dec.std.InputOffset() }

// Decode reads the next value into v, a pointer. Errors of the grammar and of
// the reader are final; after one of the value, the stream goes on behind it.
func (dec *Decoder) Decode(v any) error {
	if err := dec.std.Decode(&dec.raw); err != nil {
		return err
	}
	return dec.opt.Unmarshal(dec.raw, v)
}

// Token returns the next token: a [Delim] for a bracket, and strings, numbers,
// booleans and null as Decode into an interface gives them. Commas and colons
// are checked and left out. At the end of the stream the error is io.EOF.
func (dec *Decoder) Token() (Token, error) { return dec.std.Token() }

// More reports whether the array or object at hand has another element.
func (dec *Decoder) More() bool { return dec.std.More() }
