//go:build goexperiment.jsonv2

package fxjson

import (
	"bytes"
	"encoding/json"
	"io"
)

// Decoder reads JSON values from a stream. In memory it keeps only the current value, and the bytes
// after it that the last Read returned.
//
// In this build encoding/json is its version 2, whose streams differ from those of version 1 in
// many details. So encoding/json's own decoder reads the stream from the first error or token on.
type Decoder struct {
	input
	opt    UnmarshalOptions
	number bool          // UseNumber was set once
	std    *json.Decoder // reads what follows past, nil before it is needed
	raw    json.RawMessage
}

// NewDecoder returns a decoder that reads from r. It may read more from r than
// the values asked for.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{input: input{r: r}} }

// UseNumber makes numbers in interfaces a [Number] in place of a float64.
func (dec *Decoder) UseNumber() {
	dec.opt.UseNumber = true
	dec.useNumber()
}

// SetOptions sets the options by which the next values are decoded. Once UseNumber was set, Token
// keeps returning a [Number], since encoding/json's Decoder cannot switch that off.
func (dec *Decoder) SetOptions(o UnmarshalOptions) {
	dec.opt = o
	if o.UseNumber {
		dec.useNumber()
	}
}

func (dec *Decoder) useNumber() {
	dec.number = true
	if dec.std != nil {
		dec.std.UseNumber()
	}
}

// DisallowUnknownFields makes it an error if an object has a key for which its struct has no field.
func (dec *Decoder) DisallowUnknownFields() { dec.opt.DisallowUnknownFields = true }

// Buffered returns the bytes that were read but not decoded yet. They are valid until the next call
// of Decode.
func (dec *Decoder) Buffered() io.Reader {
	if dec.std != nil {
		return dec.std.Buffered()
	}
	return bytes.NewReader(dec.buf[dec.at:])
}

// InputOffset returns the number of bytes of the stream up to the end of the last value or token.
func (dec *Decoder) InputOffset() int64 {
	if dec.std != nil {
		return dec.past + dec.std.InputOffset()
	}
	return dec.past + int64(dec.at)
}

// Decode reads the next value into v, a pointer. A syntax error or an error of the reader ends the
// stream: later calls fail too. After another error, such as a value of the wrong type, the next
// call reads the value after it.
func (dec *Decoder) Decode(v any) error {
	if dec.std == nil {
		_, found, err := dec.decode(v, &dec.opt)
		if found {
			return err
		}
		dec.handOver(err)
	}
	if err := dec.std.Decode(&dec.raw); err != nil {
		return dec.located(err)
	}
	return dec.opt.Unmarshal(dec.raw, v)
}

// handOver has encoding/json read what is not consumed yet. err is the error that the reader has
// returned, if it is one.
func (dec *Decoder) handOver(err error) {
	if dec.std != nil {
		return
	}
	rest := dec.buf[dec.at:]
	dec.past += int64(dec.at)
	dec.buf, dec.own, dec.at = nil, nil, 0
	switch err {
	case errMalformed:
		err = nil
	case errCut:
		err = io.EOF
	}
	dec.std = json.NewDecoder(&again{rest, err, dec.r})
	if dec.number {
		dec.std.UseNumber()
	}
}

// again returns once more what a reader has returned, and then reads on.
type again struct {
	rest []byte
	err  error
	r    io.Reader
}

func (a *again) Read(p []byte) (int, error) {
	if len(a.rest) > 0 {
		n := copy(p, a.rest)
		a.rest = a.rest[n:]
		return n, nil
	}
	if err := a.err; err != nil {
		a.err = nil
		return 0, err
	}
	return a.r.Read(p)
}

// located adds to an offset the bytes of the stream that encoding/json has not read.
func (dec *Decoder) located(err error) error {
	s, ok := err.(*SyntaxError)
	if !ok || dec.past == 0 {
		return err
	}
	moved := *s
	moved.Offset += dec.past
	return &moved
}

// Token returns the next token: a [Delim] for a bracket, and for a string, number, boolean or null
// what Decode stores in an interface. It checks commas and colons, but does not return them. At the
// end of the stream the error is io.EOF.
func (dec *Decoder) Token() (Token, error) {
	dec.handOver(nil)
	t, err := dec.std.Token()
	if e, ok := err.(*UnmarshalTypeError); ok && dec.past > 0 { // of a number
		moved := *e
		moved.Offset += dec.past
		err = &moved
	}
	return t, dec.located(err)
}

// More reports whether there is another element in the current array or object.
func (dec *Decoder) More() bool {
	dec.handOver(nil)
	return dec.std.More()
}
