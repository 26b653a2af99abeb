//go:build ignore

// Package adapter binds github.com/tinylib/msgp.
package adapter

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/zmylab/zmy/lab/worker"
)

// Methods are what the generator makes.
type Methods interface {
	msgp.Marshaler
	msgp.Unmarshaler
}

// New binds the generated methods of P to T; as sees a T as a P, at no cost.
func New[T any, P Methods](as func(*T) P) worker.Contender[T] {
	encode := func() func([]byte, *T) ([]byte, error) {
		return func(dst []byte, v *T) ([]byte, error) { return as(v).MarshalMsg(dst) }
	}
	decode := func() func([]byte, *T) error {
		return func(b []byte, v *T) error {
			_, err := as(v).UnmarshalMsg(b)
			return err
		}
	}
	return worker.Contender[T]{
		Name:     "msgp",
		Family:   "binary",
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}, {Mode: "reused", Reuse: true, New: decode}},
	}
}
