// Package adapt holds what adapters of codecs (adapters/…x) share: small pieces
// between the interfaces of other libraries and the promises of package codec.
package adapt

import (
	"bufio"
	"bytes"
	"io"
	"reflect"
	"sync"

	"github.com/zmylab/zmy/codec"
)

// Writer appends to B what is written to it, without a copy between.
type Writer struct{ B []byte }

// Write never fails.
func (w *Writer) Write(p []byte) (int, error) {
	w.B = append(w.B, p...)
	return len(p), nil
}

// WriteByte never fails.
func (w *Writer) WriteByte(c byte) error {
	w.B = append(w.B, c)
	return nil
}

// WriteString never fails.
func (w *Writer) WriteString(s string) (int, error) {
	w.B = append(w.B, s...)
	return len(s), nil
}

// AppendBuffer appends to dst what write puts into a buffer: for libraries that take
// a *bytes.Buffer, one of which is reused. After an error the result is dst.
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

// Pointer returns v if it is a pointer, else a pointer to a copy of it: for
// libraries that look for methods of *T.
func Pointer(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer {
		return v
	}
	p := reflect.New(r.Type())
	p.Elem().Set(r)
	return p.Interface()
}

// Encoder gives a stream of another library the errors of package codec.
type Encoder struct {
	Codec codec.Codec
	To    codec.Encoder
	// Class tells the classes of errors; nil leaves that to codec.ClassOf.
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

// Decoder gives a stream of another library the promise of codec.Decoder: io.EOF
// means the end between two messages. Libraries that return it anywhere read from
// Source, which tells where a message began.
type Decoder struct {
	Codec  codec.Codec
	From   codec.Decoder
	Source *Source
	Class  func(error) error // as of Encoder
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

// Source is a buffered reader that counts the bytes taken from it.
type Source struct {
	r     *bufio.Reader
	taken int64
}

// NewSource returns a Source that reads r.
func NewSource(r io.Reader) *Source { return &Source{r: bufio.NewReader(r)} }

// Read takes what is there, up to len(p) bytes.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.taken += int64(n)
	return n, err
}

// ReadByte takes one byte.
func (s *Source) ReadByte() (byte, error) {
	c, err := s.r.ReadByte()
	if err == nil {
		s.taken++
	}
	return c, err
}

// UnreadByte gives the last byte back.
func (s *Source) UnreadByte() error {
	err := s.r.UnreadByte()
	if err == nil {
		s.taken--
	}
	return err
}
