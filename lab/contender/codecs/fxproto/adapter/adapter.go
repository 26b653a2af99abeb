//go:build ignore

// Package adapter makes a contender of fxproto.
package adapter

import (
	"github.com/zmylab/zmy/fxproto"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for a type with generated methods.
func New[T any]() worker.Contender[T] {
	decode := func(o fxproto.UnmarshalOptions) func() func([]byte, *T) error {
		return worker.Stateless(func(b []byte, v *T) error { return o.Unmarshal(b, v) })
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return fxproto.Marshal(v) })},
			{Mode: "append", New: worker.Stateless(func(dst []byte, v *T) ([]byte, error) { return fxproto.Append(dst, v) }), Keeps: true},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(fxproto.UnmarshalOptions{})},
			{Mode: "alias", Alias: true, New: decode(fxproto.UnmarshalOptions{Alias: true})},
		},
	}
}
