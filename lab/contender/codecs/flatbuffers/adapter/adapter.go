//go:build ignore

// Package adapter binds github.com/google/flatbuffers, whose Go runtime has no
// verifier: damaged messages make it panic.
package adapter

import (
	"bytes"
	"errors"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/zmylab/zmy/lab/worker"

	_ "zmylab.invalid/contender/tables" // what generated code imports
)

// Builder is what generated code writes with.
type Builder = flatbuffers.Builder

// Offset is the place of a table, vector or string in a message.
type Offset = flatbuffers.UOffsetT

// Code is what is written for T: conversions to and from messages by the code
// that flatc made.
type Code[T any] struct {
	Put  func(b *Builder, v *T) (Offset, error)
	Get  func(b []byte, v *T) error
	Leaf func(b []byte) string // reads the leaf in place; nil without one
	Path string                // of the leaf
	// Blobs says that there are byte vectors.
	Blobs bool
}

// start is the first size of a builder's buffer, which grows by doubling.
const start = 1024

// New binds the conversions. Every mode keeps one builder, as its documentation
// advises; mode fresh copies the finished message out of it.
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
		Name:   "flatbuffers",
		Family: "binary",
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

// Bound refuses lengths for which the message has no room.
func Bound(n int, t flatbuffers.Table) error {
	if n < 0 || n > len(t.Bytes) {
		return errBound
	}
	return nil
}
