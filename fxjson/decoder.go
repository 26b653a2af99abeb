//go:build !goexperiment.jsonv2

package fxjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decoder reads JSON values from a stream. In memory it keeps only the current value, and the bytes
// after it that the last Read returned.
type Decoder struct {
	input
	count int64 // number of bytes of all values so far; added to the offsets of syntax errors
	opt   UnmarshalOptions
	err   error // an error of the reader, or a syntax error; either ends the stream

	place place   // in the stream of tokens, see Token
	stack []place // the places of the open arrays and objects
}

// NewDecoder returns a decoder that reads from r. It may read more from r than
// the values asked for.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{input: input{r: r}} }

// UseNumber makes numbers in interfaces a [Number] in place of a float64.
func (dec *Decoder) UseNumber() { dec.opt.UseNumber = true }

// SetOptions sets the options by which the next values are decoded.
func (dec *Decoder) SetOptions(o UnmarshalOptions) {
	dec.opt = o
}

// DisallowUnknownFields makes it an error if an object has a key for which its struct has no field.
func (dec *Decoder) DisallowUnknownFields() { dec.opt.DisallowUnknownFields = true }

// Buffered returns the bytes that were read but not decoded yet. They are valid until the next call
// of Decode.
func (dec *Decoder) Buffered() io.Reader { return bytes.NewReader(dec.buf[dec.at:]) }

// InputOffset returns the number of bytes of the stream up to the end of the last value or token.
func (dec *Decoder) InputOffset() int64 { return dec.past + int64(dec.at) }

// Decode reads the next value into v, a pointer. A syntax error or an error of the reader ends the
// stream: later calls fail too. After any other error, such as a value of the wrong type, the next
// call of Decode goes on with the following value.
func (dec *Decoder) Decode(v any) error {
	if dec.err != nil {
		return dec.err
	}
	if err := dec.separator(); err != nil {
		return err
	}
	if !dec.place.value() {
		return dec.misplaced(0, true)
	}
	n, found, err := dec.decode(v, &dec.opt)
	if !found {
		switch err {
		case errMalformed:
			err = dec.syntaxError()
		case errCut:
			err = io.ErrUnexpectedEOF
		}
		dec.err = err
		return err
	}
	dec.count += int64(n)
	dec.place = dec.place.after()
	return err
}

// syntaxError returns the error that encoding/json reports for the next value.
func (dec *Decoder) syntaxError() error {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(dec.buf[dec.at:])).Decode(&v)
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		syntax.Offset += dec.count
	}
	if err == nil { // a later encoding/json might accept what the kernel refuses
		err = errMalformed
	}
	return err
}

// peek returns the next byte that is no white space, and consumes the white space before it.
func (dec *Decoder) peek() (byte, error) {
	var err error
	for {
		for i, c := range dec.buf[dec.at:] {
			if !isSpace(c) {
				dec.at += i
				return c, nil
			}
		}
		if err != nil {
			return 0, err
		}
		err = dec.read()
	}
}
