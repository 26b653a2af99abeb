package worker

import (
	"bytes"
	"io"
)

// Streams are a codec's calls that write one message to an io.Writer, and read one from an
// io.Reader. Each message has an encoder or decoder of its own, as in a handler of HTTP.
type Streams[N any] struct {
	Encode func(w io.Writer, v *N) error
	Decode func(r io.Reader, v *N) error
}

// Modes that [Contender.Streaming] adds.
const (
	ModeWriter = "writer" // of Encoders
	ModeReader = "reader" // of Decoders
)

// Streaming returns c with modes writer and reader, if it has Streams. The writer keeps its memory
// for the next message; the reader is like the body of a request.
func (c Contender[N]) Streaming() Contender[N] {
	if c.Streams == nil {
		return c
	}
	s := *c.Streams
	c.Encoders = append(c.Encoders[:len(c.Encoders):len(c.Encoders)], Encoder[N]{Mode: ModeWriter, New: s.encoder})
	c.Decoders = append(c.Decoders[:len(c.Decoders):len(c.Decoders)], Decoder[N]{Mode: ModeReader, New: s.decoder})
	return c
}

func (s Streams[N]) encoder() func([]byte, *N) ([]byte, error) {
	w := new(sink)
	return func(dst []byte, v *N) ([]byte, error) {
		w.b = dst
		err := s.Encode(w, v)
		return bytes.TrimSuffix(w.b, []byte("\n")), err // most encoders of JSON end a message by it
	}
}

func (s Streams[N]) decoder() func([]byte, *N) error {
	r := new(body)
	return func(b []byte, v *N) error {
		r.rest = b
		return s.Decode(r, v)
	}
}

// sink has no method but Write, so that no codec takes it for a buffer in memory.
type sink struct{ b []byte }

func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

// body gives as much as there is room for, and io.EOF with the last bytes, as the body of a small
// request of known length does in net/http, and a gzip.Reader. What a client sends in more than
// 4 KiB, net/http gives in pieces; that is not modelled.
type body struct{ rest []byte }

func (r *body) Read(p []byte) (int, error) {
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if len(r.rest) == 0 {
		return n, io.EOF
	}
	return n, nil
}
