// Package adapt has the code that adapters of codecs (adapters/…x) share. It closes the gaps
// between the interfaces of other libraries and the promises of package codec.
package adapt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"sync"

	"github.com/zmylab/zmy/codec"
)

// Writer appends the bytes that are written to it to B.
type Writer struct{ B []byte }

// Write appends p to B. It never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.B = append(w.B, p...)
	return len(p), nil
}

// WriteByte appends c to B. It never fails.
func (w *Writer) WriteByte(c byte) error {
	w.B = append(w.B, c)
	return nil
}

// WriteString appends s to B. It never fails.
func (w *Writer) WriteString(s string) (int, error) {
	w.B = append(w.B, s...)
	return len(s), nil
}

// AppendBuffer appends to dst the bytes that write writes to a buffer. It is for libraries that
// take a *bytes.Buffer. If write fails, it returns dst and the error.
func AppendBuffer(dst []byte, write func(*bytes.Buffer) error) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	*buf = *bytes.NewBuffer(dst)
	err := write(buf)
	b := buf.Bytes()
	*buf = bytes.Buffer{}
	buffers.Put(buf)
	if err != nil {
		return dst, err
	}
	return b, nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// IsNil reports whether v is nil or a nil pointer.
func IsNil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

// Pointer returns v if it is a pointer, else a pointer to a copy of v. It is for libraries that
// look for methods of *T.
func Pointer(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer {
		return v
	}
	p := reflect.New(r.Type())
	p.Elem().Set(r)
	return p.Interface()
}

// Encoder wraps the stream encoder of another library. It returns the errors of package codec.
type Encoder struct {
	Codec codec.Codec
	To    codec.Encoder
	// Class gives errors their class. If it is nil, codec.ClassOf does.
	Class func(error) error
}

// Encode writes one message.
func (e Encoder) Encode(v any) error {
	err := e.To.Encode(v)
	if err != nil && e.Class != nil {
		err = e.Class(err)
	}
	return codec.NewError(e.Codec, codec.OpEncode, v, err)
}

// Appender is a codec that appends messages.
type Appender interface {
	codec.Codec
	codec.Appender
}

// AppendEncoder returns a stream encoder that marshals messages with c and writes the text end
// after each. It is for libraries without a stream encoder.
func AppendEncoder(c Appender, w io.Writer, end string) codec.Encoder {
	return &appendEncoder{c: c, w: w, end: end}
}

type appendEncoder struct {
	c   Appender
	w   io.Writer
	end string
	buf []byte // reused
}

// Encode writes a message with one call of Write.
func (e *appendEncoder) Encode(v any) error {
	b, err := e.c.AppendMarshal(e.buf[:0], v)
	if err != nil {
		return err
	}
	e.buf = append(b, e.end...)
	_, err = e.w.Write(e.buf)
	return codec.NewError(e.c, codec.OpEncode, v, err)
}

// Decoder wraps the stream decoder of another library. It keeps the promise of codec.Decoder that
// io.EOF means the end between two messages. Some libraries return io.EOF inside a message too.
// They must read from Source, because it tells Decoder whether any byte of the message was read.
type Decoder struct {
	Codec  codec.Codec
	From   codec.Decoder
	Source *Source
	Class  func(error) error // see Encoder
}

// Decode reads one message.
func (d Decoder) Decode(v any) error {
	if IsNil(v) {
		return codec.NewError(d.Codec, codec.OpDecode, v, codec.ErrNilTarget)
	}
	before := d.Source.taken
	err := d.From.Decode(v)
	if err == io.EOF {
		if d.Source.taken == before {
			return io.EOF
		}
		err = io.ErrUnexpectedEOF
	}
	if err != nil && d.Class != nil {
		err = d.Class(err)
	}
	return codec.NewError(d.Codec, codec.OpDecode, v, err)
}

// Source is a buffered reader that counts the bytes read from it.
type Source struct {
	r     *bufio.Reader
	taken int64
}

// NewSource returns a Source that reads r.
func NewSource(r io.Reader) *Source { return &Source{r: bufio.NewReader(r)} }

// Read reads up to len(p) bytes.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.taken += int64(n)
	return n, err
}

// ReadByte reads one byte.
func (s *Source) ReadByte() (byte, error) {
	c, err := s.r.ReadByte()
	if err == nil {
		s.taken++
	}
	return c, err
}

// UnreadByte unreads the last byte.
func (s *Source) UnreadByte() error {
	err := s.r.UnreadByte()
	if err == nil {
		s.taken--
	}
	return err
}

// JSONDecoder returns a decoder of JSON values, one after the other. encoding/json finds the end of
// each value, and c unmarshals it. It is for libraries whose own stream decoders lose bytes, or
// cannot tell a truncated value from the end of the stream.
func JSONDecoder(c codec.Codec, r io.Reader) codec.Decoder {
	return &jsonDecoder{c: c, d: json.NewDecoder(r)}
}

type jsonDecoder struct {
	c   codec.Codec
	d   *json.Decoder
	raw json.RawMessage // memory for one value, reused because codecs keep no reference to their input
}

func (d *jsonDecoder) Decode(v any) error {
	if err := d.d.Decode(&d.raw); err != nil {
		if err == io.EOF {
			return io.EOF
		}
		return codec.NewError(d.c, codec.OpDecode, v, err)
	}
	return d.c.Unmarshal(d.raw, v)
}
