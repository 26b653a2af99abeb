//go:build !goexperiment.jsonv2

package fxjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync/atomic"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Decoder reads JSON values from a stream. In memory it keeps only the current value, and the bytes
// after it that the last Read returned.
type Decoder struct {
	r     io.Reader
	buf   []byte // bytes read; its capacity always has room for padding after them
	at    int    // index in buf of the first byte that is not consumed yet
	past  int64  // number of bytes of the stream that came before buf
	count int64  // number of bytes of all values so far; added to the offsets of syntax errors
	scan  jsonscan.Scanner
	opt   UnmarshalOptions
	err   error // an error of the reader, or a syntax error; either ends the stream

	place place   // in the stream of tokens, see Token
	stack []place // the places of the open arrays and objects
}

// NewDecoder returns a decoder that reads from r. It may read more from r than
// the values asked for.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

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
	var readErr error
	if len(dec.buf) == dec.at {
		readErr = dec.read()
	}
	if n := dec.whole(); n >= 0 { // a value that is already complete needs no scanner
		dec.count += int64(n)
		dec.learn(n)
		return n, nil
	}
	dec.scan.Reset()
	n := 0 // bytes scanned
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
			dec.learn(n)
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
			dec.learn(n)
			return n, nil
		}
		if len(bytes.TrimLeft(dec.buf, " \t\r\n")) > 0 {
			readErr = io.ErrUnexpectedEOF
		}
	}
	dec.err = readErr
	return 0, readErr
}

// usual is the size in bytes of the values with which streams have begun lately. First buffers have room for one: then a value often
// arrives whole, and needs neither a larger buffer nor the scanner.
var usual atomic.Int64

// learn moves usual towards the size of a value if a stream begins with it.
func (dec *Decoder) learn(n int) {
	const most = 64 << 10
	if dec.past > 0 || dec.at > 0 {
		return
	}
	size, was := int64(min(n+n/8, most)), usual.Load()
	step := (size - was) / 16
	if size > was {
		step = (size - was + 7) / 8
	}
	if step != 0 {
		usual.Store(was + step)
	}
}

// whole returns the length of the next value if the buffer holds all of it, else -1. Most values
// arrive whole, so only the fast kernel checks them. dec.scan is slower, but can continue where it
// stopped.
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

// syntaxError returns the error that encoding/json reports for the next value.
func (dec *Decoder) syntaxError() error {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(dec.buf[dec.at:])).Decode(&v)
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		syntax.Offset += dec.count
	}
	if err == nil { // a later encoding/json might accept what the kernel refuses
		err = errors.New("fxjson: malformed JSON")
	}
	return err
}

// read calls the reader once. Before that it moves the bytes that are not consumed yet to the front
// of the buffer, and makes room for at least minRead more.
func (dec *Decoder) read() error {
	const minRead = 512
	if dec.at > 0 {
		dec.past += int64(dec.at)
		dec.buf = dec.buf[:copy(dec.buf, dec.buf[dec.at:])]
		dec.at = 0
	}
	if room := max(cap(dec.buf)-jsonwire.Pad, 0); room-len(dec.buf) < minRead {
		least := minRead
		if dec.buf == nil {
			least = max(least, int(usual.Load()))
		}
		buf := make([]byte, len(dec.buf), 2*room+least+jsonwire.Pad)
		copy(buf, dec.buf)
		dec.buf = buf
	}
	n, err := dec.r.Read(dec.buf[len(dec.buf) : cap(dec.buf)-jsonwire.Pad])
	dec.buf = dec.buf[:len(dec.buf)+n]
	clear(dec.buf[len(dec.buf) : len(dec.buf)+jsonwire.Pad])
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
