//go:build ignore

// Package adapter makes a contender of github.com/google/flatbuffers. Its Go runtime has no
// verifier, so damaged messages make it panic.
package adapter

import (
	"bytes"
	"errors"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/zmylab/zmy/lab/worker"

	_ "zmylab.invalid/contender/tables" // generated code imports it
)

// Builder is the type with which generated code writes messages.
type Builder = flatbuffers.Builder

// Offset is the offset of a table, vector or string in a message.
type Offset = flatbuffers.UOffsetT

// Code is the code that is generated for T: conversions to and from messages, by the code that
// flatc generated.
type Code[T any] struct {
	Put  func(b *Builder, v *T) (Offset, error)
	Get  func(b []byte, v *T) error
	Leaf func(b []byte) string // reads the leaf in place; nil if there is none
	Path string                // path of the leaf in the Go type
	// Blobs says that messages have byte vectors.
	Blobs bool
}

// start is the initial size of a builder's buffer, which grows by doubling.
const start = 1024

// New returns the contender for T. Every mode keeps one builder, as the documentation of
// flatbuffers advises. Mode fresh copies the finished message out of it.
func New[T any](code Code[T]) worker.Contender[T] {
	finished := func() func([]byte, *T) ([]byte, error) {
		b := flatbuffers.NewBuilder(start)
		return func(_ []byte, v *T) ([]byte, error) {
			b.Reset()
			root, err := code.Put(b, v)
			if err != nil {
				return nil, err
			}
			b.Finish(root)
			return b.FinishedBytes(), nil
		}
	}
	c := worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				finish := finished()
				return func(_ []byte, v *T) ([]byte, error) {
					b, err := finish(nil, v)
					return bytes.Clone(b), err
				}
			}},
			{Mode: "pooled", New: finished},
		},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: func() func([]byte, *T) error { return code.Get }}},
	}
	if code.Leaf != nil {
		read := func(b []byte) (string, error) { return code.Leaf(b), nil }
		c.Accessors = []worker.Accessor{{Mode: "view", Path: code.Path, New: worker.Stateless(read)}}
	}
	return c
}

var errBound = errors.New("flatbuffers: a vector is longer than its message")

// Bound returns an error for a length that exceeds the message.
func Bound(n int, t flatbuffers.Table) error {
	if n < 0 || n > len(t.Bytes) {
		return errBound
	}
	return nil
}

// Object is a pointer to a generated type of flatc's object API.
type Object[M any] interface {
	*M
	Pack(*flatbuffers.Builder) flatbuffers.UOffsetT
}

// NewNative returns the contender that works on the generated type.
func NewNative[T, M any, P Object[M]](code Code[T], unpack func([]byte) P) worker.Contender[P] {
	encode := func() func([]byte, *P) ([]byte, error) {
		b := flatbuffers.NewBuilder(start)
		return func(dst []byte, m *P) ([]byte, error) {
			b.Reset()
			b.Finish((*m).Pack(b))
			return append(dst, b.FinishedBytes()...), nil
		}
	}
	return worker.Contender[P]{
		Encoders: []worker.Encoder[P]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: decoders(code.Blobs, unpack),
		Compare: func(m *P) (any, error) {
			b := flatbuffers.NewBuilder(start)
			b.Finish((*m).Pack(b))
			var v T
			err := code.Get(b.FinishedBytes(), &v)
			return v, err
		},
	}
}

// decoders returns the decoders. flatc's UnPack lets byte vectors point into the message. So if
// there are byte vectors, mode fresh copies the message first, and mode alias does not.
func decoders[M any, P Object[M]](blobs bool, unpack func([]byte) P) []worker.Decoder[P] {
	alias := worker.Stateless(func(b []byte, m *P) error {
		*m = unpack(b)
		return nil
	})
	if !blobs {
		return []worker.Decoder[P]{{Mode: "fresh", New: alias}}
	}
	fresh := worker.Stateless(func(b []byte, m *P) error {
		*m = unpack(bytes.Clone(b))
		return nil
	})
	return []worker.Decoder[P]{{Mode: "fresh", New: fresh}, {Mode: "alias", Alias: true, New: alias}}
}

// Convert returns a function that makes a new object from a value, for the native row.
func Convert[T, M any, P Object[M]](code Code[T], unpack func([]byte) P) func(*T) (P, error) {
	return func(v *T) (P, error) {
		b := flatbuffers.NewBuilder(start)
		root, err := code.Put(b, v)
		if err != nil {
			return nil, err
		}
		b.Finish(root)
		return unpack(b.FinishedBytes()), nil
	}
}
