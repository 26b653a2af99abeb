package adapt

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zmylab/zmy/codec"
)

func TestWriter(t *testing.T) {
	w := Writer{B: []byte("a")}
	_, err1 := w.Write([]byte("b"))
	_, err2 := w.WriteString("c")
	if err := errors.Join(err1, err2, w.WriteByte('d')); err != nil || string(w.B) != "abcd" {
		t.Errorf("%q, %v", w.B, err)
	}
}

func TestAppendBuffer(t *testing.T) {
	dst := append(make([]byte, 0, 64), "dst"...)
	text := []byte(" and more")
	write := func(buf *bytes.Buffer) error { _, err := buf.Write(text); return err }
	b, err := AppendBuffer(dst, write)
	if err != nil || string(b) != "dst and more" || &b[0] != &dst[0] {
		t.Errorf("%q, %v", b, err)
	}
	b, err = AppendBuffer(dst, func(buf *bytes.Buffer) error { _ = write(buf); return io.ErrClosedPipe })
	if err != io.ErrClosedPipe || string(b) != "dst" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestJSONDecoder(t *testing.T) {
	d := JSONDecoder(codec.FXJSON{}, iotest.OneByteReader(strings.NewReader("70000 8\n{")))
	var n, m int
	if err := errors.Join(d.Decode(&n), d.Decode(&m)); err != nil || n != 70_000 || m != 8 {
		t.Errorf("%d, %d, %v", n, m, err)
	}
	if err := d.Decode(&n); err == nil || err == io.EOF {
		t.Errorf("a torn value: %v", err)
	}
	d = JSONDecoder(codec.FXJSON{}, strings.NewReader("1\n"))
	if err := d.Decode(&n); err != nil {
		t.Error(err)
	}
	if err := d.Decode(&n); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestPointers(t *testing.T) {
	n := 7
	if p, ok := Pointer(n).(*int); !ok || *p != 7 || Pointer(&n) != any(&n) || Pointer(nil) != nil {
		t.Error("Pointer")
	}
	for _, c := range []struct {
		v    any
		want bool
	}{{nil, true}, {(*int)(nil), true}, {&n, false}, {0, false}, {[]int(nil), false}} {
		if got := IsNil(c.v); got != c.want {
			t.Errorf("IsNil(%#v) = %v", c.v, got)
		}
	}
}

func TestSource(t *testing.T) {
	s := NewSource(strings.NewReader("abc"))
	c, err := s.ReadByte()
	if c != 'a' || err != nil || s.UnreadByte() != nil || s.taken != 0 {
		t.Errorf("%q, %v, %d taken", c, err, s.taken)
	}
	if b, err := io.ReadAll(s); string(b) != "abc" || err != nil || s.taken != 3 {
		t.Errorf("%q, %v, %d taken", b, err, s.taken)
	}
	if _, err := s.ReadByte(); err != io.EOF || s.taken != 3 {
		t.Errorf("%v, %d taken", err, s.taken)
	}
}

// reads is a decoder that takes n bytes and then returns err.
type reads struct {
	s   *Source
	n   int
	err error
}

func (r reads) Decode(any) error {
	for range r.n {
		if _, err := r.s.ReadByte(); err != nil {
			return err
		}
	}
	return r.err
}

func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		err  error
		want error
	}{
		{"", 1, nil, io.EOF},
		{"ab", 3, nil, io.ErrUnexpectedEOF},
		{"ab", 2, nil, nil},
		{"ab", 1, io.EOF, io.ErrUnexpectedEOF},
		{"ab", 1, io.ErrClosedPipe, io.ErrClosedPipe},
	} {
		s := NewSource(strings.NewReader(c.in))
		d := Decoder{Codec: codec.Gob{}, From: reads{s, c.n, c.err}, Source: s}
		err := d.Decode(new(int))
		if !errors.Is(err, c.want) || c.want == nil && err != nil || c.want == io.EOF && err != io.EOF {
			t.Errorf("%q, %d bytes: %v, want %v", c.in, c.n, err, c.want)
		}
		if err := d.Decode(nil); !errors.Is(err, codec.ErrNilTarget) {
			t.Errorf("a nil target: %v", err)
		}
	}
}

func TestEncoder(t *testing.T) {
	class := func(err error) error { return codec.WithClass(codec.ClassSchema, err) }
	e := Encoder{Codec: codec.Gob{}, To: gob.NewEncoder(io.Discard), Class: class}
	if err := e.Encode(1); err != nil {
		t.Error(err)
	}
	if err := e.Encode(make(chan int)); codec.ClassOf(err) != codec.ClassSchema ||
		!strings.HasPrefix(err.Error(), "codec: gob: encode chan int: ") {
		t.Errorf("%v", err)
	}
}
