//go:build ignore

// Package adapter makes a contender of the ZMY native format.
package adapter

import (
	"github.com/zmylab/zmy"

	"github.com/zmylab/zmy/lab/worker"
)

// limit is the size in bytes of the largest message that workers accept. The default of 128 KiB is
// for services. It is raised for every subject, so that large subjects can be measured; for smaller
// messages that costs nothing.
const limit = 64 << 20

// Limits are the options with which generated accessors open a view.
var Limits = zmy.UnmarshalOptions{MaxWire: limit}

// Code is the code that is generated for T.
type Code[T any] struct {
	Append    func([]byte, *T, zmy.MarshalOptions) ([]byte, error)
	Unmarshal func([]byte, *T, zmy.UnmarshalOptions) error
	Accessors []worker.Accessor
}

// New returns the contender for T.
func New[T any](code Code[T]) worker.Contender[T] {
	write := zmy.MarshalOptions{MaxWire: limit}
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) { return code.Append(dst, v, write) })
	decode := func(o zmy.UnmarshalOptions) func() func([]byte, *T) error {
		o.MaxWire = limit
		return worker.Stateless(func(b []byte, v *T) error { return code.Unmarshal(b, v, o) })
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode, Keeps: true}},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(zmy.UnmarshalOptions{})},
			{Mode: "reused", Reuse: true, New: decode(zmy.UnmarshalOptions{Reuse: true})},
			{Mode: "alias", Alias: true, New: decode(zmy.UnmarshalOptions{NoCopy: true})},
			{Mode: "alias-reused", Alias: true, Reuse: true, New: decode(zmy.UnmarshalOptions{NoCopy: true, Reuse: true})},
		},
		Accessors: code.Accessors,
	}
}
