//go:build !goexperiment.jsonv2

package fxjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Decoder reads JSON values from a stream. It holds the value at hand and what
// a Read brought beyond it, no more.
type Decoder struct {
	r     io.Reader
	buf   []byte // what was read; within its capacity there is always room for padding
	at    int    // begin of what was not consumed
	past  int64  // bytes of the stream before buf
	count int64  // bytes of all values; errors of the grammar are counted in them
	scan  jsonscan.Scanner
	opt   UnmarshalOptions
	err   error // of the reader or the grammar: the end

	place place   // in the stream of tokens
	stack []place // that of the arrays and objects around
}

// NewDecoder returns a decoder that reads from r. It may read more from r than
// the values asked for.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// UseNumber makes numbers in interfaces a [Number] in place of a float64.
func (dec *Decoder) UseNumber() { dec.opt.UseNumber = true }

// SetOptions makes the decoder read values by the options.
func (dec *Decoder) SetOptions(o UnmarshalOptions) {
	dec.opt = o
}

// DisallowUnknownFields makes it an error when an object has a key that the
// struct it goes to does not have.
func (dec *Decoder) DisallowUnknownFields() { dec.opt.DisallowUnknownFields = true }

// Buffered returns what was read but not decoded yet. It is valid until the
// next call of Decode.
func (dec *Decoder) Buffered() io.Reader { return bytes.NewReader(dec.buf[dec.at:]) }

// InputOffset returns the place in the stream, in bytes: the end of the last
// value or token.
func (dec *Decoder) InputOffset() int64 { return dec.past + int64(dec.at) }

// Decode reads the next value into v, a pointer. Errors of the grammar and of
// the reader are final; after one of the value, the stream goes on behind it.
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
	n, err := dec.value()
	if err != nil {
		return err
	}
	doc := dec.buf[dec.at : dec.at+n]
	dec.at += n
	err = dec.opt.Unmarshal(doc, v)
	dec.place = dec.place.after()
	return err
}

// value makes sure that the next value is in the buffer and returns its length,
// white space before it included.
func (dec *Decoder) value() (int, error) {
	if n := dec.whole(); n >= 0 {
		dec.count += int64(n)
		return n, nil
	}
	dec.scan.Reset()
	n := 0 // bytes scanned
	var readErr error
	if len(dec.buf) == dec.at { // nothing was there: a value that one read brings needs no scanner either
		readErr = dec.read()
		if n := dec.whole(); n >= 0 {
			dec.count += int64(n)
			return n, nil
		}
	}
	for {
		switch e := dec.scan.Scan(dec.buf[dec.at+n:]); e {
		case jsonscan.More:
			n = len(dec.buf) - dec.at
		case jsonscan.Bad:
			dec.err = dec.syntaxError()
			return 0, dec.err
		default:
			n += e
			dec.count += int64(n)
			return n, nil
		}
		if readErr != nil {
			break
		}
		readErr = dec.read()
	}
	dec.count += int64(n)
	if readErr == io.EOF {
		if dec.scan.Complete() {
			return n, nil
		}
		if len(bytes.TrimLeft(dec.buf, " \t\r\n")) > 0 {
			readErr = io.ErrUnexpectedEOF
		}
	}
	dec.err = readErr
	return 0, readErr
}

// whole returns the length of the next value if all of it is in the buffer,
// else a negative number: most values are looked at by the fast kernel only.
func (dec *Decoder) whole() int {
	if dec.at == len(dec.buf) {
		return -1
	}
	padded := dec.buf[dec.at : len(dec.buf)+jsonwire.Pad]
	e := jsonwire.Skip(padded, 0, 0)
	if e < 0 {
		return -1
	}
	if c := padded[e-1]; c == '}' || c == ']' || dec.at+e < len(dec.buf) {
		return e
	}
	return -1 // a number may go on
}

// syntaxError is the error of encoding/json for the value at hand.
func (dec *Decoder) syntaxError() error {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(dec.buf[dec.at:])).Decode(&v)
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		syntax.Offset += dec.count
	}
	if err == nil { // not this encoding/json, but another might be more tolerant
		err = errors.New("fxjson: malformed JSON")
	}
	return err
}

// read reads once, into a buffer that has room for at least minRead bytes.
func (dec *Decoder) read() error {
	const minRead = 512
	if dec.at > 0 {
		dec.past += int64(dec.at)
		dec.buf = dec.buf[:copy(dec.buf, dec.buf[dec.at:])]
		dec.at = 0
	}
	if room := max(cap(dec.buf)-jsonwire.Pad, 0); room-len(dec.buf) < minRead {
		buf := make([]byte, len(dec.buf), 2*room+minRead+jsonwire.Pad)
		copy(buf, dec.buf)
		dec.buf = buf
	}
	n, err := dec.r.Read(dec.buf[len(dec.buf) : cap(dec.buf)-jsonwire.Pad])
	dec.buf = dec.buf[:len(dec.buf)+n]
	clear(dec.buf[len(dec.buf) : len(dec.buf)+jsonwire.Pad])
	return err
}

// peek returns the next byte that is no white space.
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
