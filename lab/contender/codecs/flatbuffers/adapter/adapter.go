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
	Path string                // of the leaf
	// Blobs says that messages have byte vectors.
	Blobs bool
}

// start is the initial size of a builder's buffer, which grows by doubling.
const start = 1024

// New returns the contender for T. Every mode keeps one builder, as the documentation of
// flatbuffers advises. Mode fresh copies the finished message out of it.
func New[T any](code Code[T]) worker.Contender[T] {
	finished := func() func(v *T) ([]byte, error) {
		b := flatbuffers.NewBuilder(start)
		return func(v *T) ([]byte, error) {
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
					b, err := finish(v)
					return bytes.Clone(b), err
				}
			}},
			{Mode: "pooled", New: func() func([]byte, *T) ([]byte, error) {
				finish := finished()
				return func(_ []byte, v *T) ([]byte, error) { return finish(v) }
			}},
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
