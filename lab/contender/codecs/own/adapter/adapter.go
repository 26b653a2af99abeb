//go:build ignore

// Package adapter makes a contender of the functions of a package that the user names.
package adapter

import "github.com/zmylab/zmy/lab/worker"

// Codec has the functions that the package has for T.
type Codec[T any] struct {
	Marshal   func(v *T) ([]byte, error)
	Append    func(dst []byte, v *T) ([]byte, error) // nil if the package has none
	Unmarshal func(b []byte, v *T) error
}

// New returns the contender. In mode fresh, bytes and values must share nothing with the arguments;
// a run's checks report if they do.
func New[T any](c Codec[T]) worker.Contender[T] {
	encoders := []worker.Encoder[T]{{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return c.Marshal(v) })}}
	if c.Append != nil {
		encoders = append(encoders, worker.Encoder[T]{Mode: "append", New: func() func([]byte, *T) ([]byte, error) { return c.Append },
			Keeps: true})
	}
	decode := func() func([]byte, *T) error { return c.Unmarshal }
	return worker.Contender[T]{
		Encoders: encoders,
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}, {Mode: "reused", Reuse: true, New: decode}},
	}
}
