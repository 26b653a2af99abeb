//go:build ignore

// Package adapter makes a contender of encoding/gob as a stream. There is one Encoder and one
// Decoder, which have already exchanged their types: every value was sent once. So only values are
// measured. A Decoder that knows all types reads values in any order.
package adapter

import (
	"bytes"
	"encoding/gob"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	s := new(stream[T])
	return worker.Contender[T]{
		Setup:  s.setup,
		Primed: true,
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) { return s.encoder(true) }},
			{Mode: "pooled", New: func() func([]byte, *T) ([]byte, error) { return s.encoder(false) }},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: s.decoder},
			{Mode: "reused", Reuse: true, New: s.decoder},
		},
	}
}

// stream has the start of the stream: all values with their types.
type stream[T any] struct {
	vals    []T
	opening []byte
}

func (s *stream[T]) setup(vals []T) error {
	for _, x := range worker.Dynamic(vals) {
		gob.Register(x)
	}
	s.vals = vals
	var buf bytes.Buffer
	if err := s.prime(gob.NewEncoder(&buf)); err != nil {
		return err
	}
	s.opening = buf.Bytes()
	return nil
}

func (s *stream[T]) prime(enc *gob.Encoder) error {
	for i := range s.vals {
		if err := enc.Encode(&s.vals[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream[T]) encoder(own bool) func([]byte, *T) ([]byte, error) {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	err := s.prime(enc)
	return func(_ []byte, v *T) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		buf.Reset()
		if e := enc.Encode(v); e != nil {
			return nil, e
		}
		if own {
			return bytes.Clone(buf.Bytes()), nil
		}
		return buf.Bytes(), nil
	}
}

// decoder returns a function that reads messages in any order. After an error a Decoder cannot be
// used any more, so the next call opens a new one.
func (s *stream[T]) decoder() func([]byte, *T) error {
	in := new(bytes.Reader)
	var dec *gob.Decoder
	open := func() error {
		in.Reset(s.opening)
		dec = gob.NewDecoder(in)
		for range s.vals {
			if err := dec.Decode(new(T)); err != nil {
				dec = nil
				return err
			}
		}
		return nil
	}
	return func(b []byte, v *T) error {
		if dec == nil {
			if err := open(); err != nil {
				return err
			}
		}
		in.Reset(b)
		err := dec.Decode(v)
		if err != nil {
			dec = nil
		}
		return err
	}
}
