package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema/dynamic"
	"github.com/zmylab/zmy/wire"
)

// countingReader counts the bytes that were read, for the progress line.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// source opens the input. The flags name its format; otherwise its first bytes show it.
func (f *convertFlags) source(r io.Reader) (source, error) {
	br := bufio.NewReaderSize(r, 256<<10)
	if f.from == "" {
		first, err := br.Peek(magicLen)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if f.from = formatOf(first); f.from == "" {
			return nil, unknownFormat(f.file)
		}
	}
	switch f.from {
	case "json":
		return &wholeSource{r: br, max: dynamic.MaxJSON, text: true}, nil
	case "zmy":
		return &wholeSource{r: br, max: f.max}, nil
	case "ndjson":
		return &lineSource{r: br}, nil
	}
	list, err := compressors()
	if err != nil {
		return nil, err
	}
	o := zmy.OpenOptions{Unmarshal: zmy.UnmarshalOptions{MaxWire: f.max + 2<<20, MaxRaw: f.max}, Compressors: list}
	if f.from == "stream" {
		s := &streamSource{buf: br, tap: &chunkTap{r: br}}
		s.r = o.NewReader(s.tap)
		return s, nil
	}
	o.Unmarshal.MaxRaw += 1 << 20 // room for the schema block
	return &envelopeSource{r: br, o: o}, nil
}

// wholeSource is an input that is a single record.
type wholeSource struct {
	r    *bufio.Reader
	max  int
	text bool
	done bool
}

func (s *wholeSource) about() (zmy.Envelope, error) { return zmy.Envelope{}, nil }
func (s *wholeSource) idle() bool                   { return false }

func (s *wholeSource) next(dst []byte) ([]byte, place, error) {
	if s.done {
		return dst, place{}, io.EOF
	}
	s.done = true
	b, err := io.ReadAll(io.LimitReader(s.r, int64(s.max)+1))
	switch {
	case err != nil:
		return dst, place{}, err
	case len(b) > s.max && s.text:
		return dst, place{}, fmt.Errorf("the document has more than %s; -from ndjson reads any number of them", bytesOf(s.max))
	case len(b) > s.max:
		return dst, place{}, fmt.Errorf("the message has more than %s; raise -max", bytesOf(s.max))
	}
	return append(dst, b...), place{}, nil
}

// lineSource reads one record from each line that is not blank.
type lineSource struct {
	r      *bufio.Reader
	offset int64
	line   int
}

func (s *lineSource) about() (zmy.Envelope, error) { return zmy.Envelope{}, nil }
func (s *lineSource) idle() bool                   { return s.r.Buffered() == 0 }

func (s *lineSource) next(dst []byte) ([]byte, place, error) {
	for {
		from := len(dst)
		at := place{s.offset, s.line + 1}
		var err error
		for more := true; more; {
			var part []byte
			part, err = s.r.ReadSlice('\n')
			dst = append(dst, part...)
			s.offset += int64(len(part))
			more = errors.Is(err, bufio.ErrBufferFull)
			if len(dst)-from > dynamic.MaxJSON {
				return dst[:from], at, fmt.Errorf("%s: a line of more than %s", at, bytesOf(dynamic.MaxJSON))
			}
		}
		if err != nil && err != io.EOF {
			return dst[:from], at, err
		}
		s.line++
		if len(bytes.TrimSpace(dst[from:])) > 0 {
			return dst, at, nil
		}
		if dst = dst[:from]; err == io.EOF {
			return dst, at, io.EOF
		}
	}
}

// streamSource reads the records of a stream.
type streamSource struct {
	r   *zmy.Reader
	tap *chunkTap
	buf *bufio.Reader
}

func (s *streamSource) about() (zmy.Envelope, error) { return s.r.About() }
func (s *streamSource) idle() bool                   { return s.buf.Buffered() == 0 }

func (s *streamSource) next(dst []byte) ([]byte, place, error) {
	s.tap.chunks = s.tap.chunks[:0]
	msg, err := s.r.ReadMessage()
	at := place{offset: int64(s.tap.off)}
	if len(s.tap.chunks) > 0 {
		at.offset = int64(s.tap.chunks[0].offset)
	}
	return append(dst, msg...), at, err
}

// envelopeSource reads envelopes that follow one another.
type envelopeSource struct {
	r      *bufio.Reader
	o      zmy.OpenOptions
	offset int64
	first  *zmy.Envelope // opened by about for its header, and not yet returned by next
	schema []byte
	buf    []byte
	err    error
}

func (s *envelopeSource) idle() bool { return s.r.Buffered() == 0 }

func (s *envelopeSource) about() (zmy.Envelope, error) {
	e, err := s.open()
	if err == io.EOF {
		s.err = err
		return zmy.Envelope{}, nil
	}
	if err != nil {
		return e, err
	}
	s.first, s.schema = &e, bytes.Clone(e.Schema)
	return e, nil
}

func (s *envelopeSource) next(dst []byte) ([]byte, place, error) {
	at := place{offset: s.offset}
	if s.err != nil {
		return dst, at, s.err
	}
	if e := s.first; e != nil {
		s.first = nil
		return append(dst, e.Message...), place{}, nil
	}
	e, err := s.open()
	switch {
	case err == io.EOF:
	case err != nil:
		err = fmt.Errorf("envelope at offset %d: %w", at.offset, err)
	case e.Schema != nil && !bytes.Equal(e.Schema, s.schema):
		err = fmt.Errorf("the envelope at offset %d brings another schema than the first; convert it by itself", at.offset)
	}
	s.err = err
	return append(dst, e.Message...), at, err
}

// open reads one envelope. Memory grows with the bytes that arrive, not with the size that is
// announced.
func (s *envelopeSource) open() (e zmy.Envelope, err error) {
	if _, err := s.r.Peek(1); err == io.EOF {
		return e, io.EOF
	}
	start, err := s.r.Peek(head)
	if err != nil { // the input is too short, and Open returns an error
		return s.o.Open(start)
	}
	size := head + int64(wire.U32(start[16:]))
	if max := int64(s.o.Unmarshal.MaxWire); size > max {
		size = max // Open returns an error: the envelope is truncated or is none
	}
	in := bytes.NewBuffer(s.buf[:0])
	n, err := io.CopyN(in, s.r, size)
	s.offset += n
	s.buf = in.Bytes()
	if err != nil && err != io.EOF {
		return e, err
	}
	return s.o.Open(s.buf)
}
