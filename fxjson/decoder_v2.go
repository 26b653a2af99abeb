//go:build goexperiment.jsonv2

package fxjson

import (
	"encoding/json"
	"io"
)

// Decoder reads JSON values from a stream. In this build encoding/json is its version 2, whose
// streams differ from those of version 1 in many details. So encoding/json's own decoder splits the
// stream into values and tokens here.
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

// SetOptions sets the options by which the next values are decoded. Once UseNumber was set, Token
// keeps returning a [Number], since encoding/json's Decoder cannot switch that off.
func (dec *Decoder) SetOptions(o UnmarshalOptions) {
	if o.UseNumber {
		dec.std.UseNumber()
	}
	dec.opt = o
}

// DisallowUnknownFields makes it an error if an object has a key for which its struct has no field.
func (dec *Decoder) DisallowUnknownFields() { dec.opt.DisallowUnknownFields = true }

// Buffered returns the bytes that were read but not decoded yet. They are valid until the next call
// of Decode.
func (dec *Decoder) Buffered() io.Reader { return dec.std.Buffered() }

// InputOffset returns the number of bytes of the stream up to the end of the last value or token.
func (dec *Decoder) InputOffset() int64 { return dec.std.InputOffset() }

// Decode reads the next value into v, a pointer. A syntax error or an error of the reader ends the
// stream: later calls fail too. After another error, such as a value of the wrong type, the next
// call reads the value after it.
func (dec *Decoder) Decode(v any) error {
	if err := dec.std.Decode(&dec.raw); err != nil {
		return err
	}
	return dec.opt.Unmarshal(dec.raw, v)
}

// Token returns the next token: a [Delim] for a bracket, and for a string, number, boolean or null
// what Decode stores in an interface. It checks commas and colons, but does not return them. At the
// end of the stream the error is io.EOF.
func (dec *Decoder) Token() (Token, error) { return dec.std.Token() }

// More reports whether there is another element in the current array or object.
func (dec *Decoder) More() bool { return dec.std.More() }
