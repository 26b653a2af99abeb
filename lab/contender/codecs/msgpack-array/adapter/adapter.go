//go:build ignore

// Package adapter makes a contender of github.com/vmihailenco/msgpack/v5 with structs as arrays and
// compact integers.
package adapter

import (
	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/lab/worker"

	"zmylab.invalid/contender/vmihailenco"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return vmihailenco.New[T](func(enc *msgpack.Encoder) {
		enc.UseCompactInts(true)
		enc.UseArrayEncodedStructs(true)
	})
}
