//go:build ignore

// Package adapter makes a contender of github.com/shamaton/msgpack/v3, with structs as arrays.
package adapter

import (
	"github.com/shamaton/msgpack/v3"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{worker.Marshal[T]("fresh", msgpack.MarshalAsArray)},
		Decoders: worker.Unmarshal[T](msgpack.UnmarshalAsArray),
	}
}
