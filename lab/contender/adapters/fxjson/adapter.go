//go:build ignore

// Package adapter binds fxjson.
package adapter

import (
	"github.com/zmylab/zmy/fxjson"

	"github.com/zmylab/zmy/lab/worker"
)

// New binds a type with generated methods.
func New[T any]() worker.Contender[T] {
	return bind(
		func(v *T) ([]byte, error) { return fxjson.Marshal(v) },
		func(b []byte, v *T) ([]byte, error) { return fxjson.Append(b, v) },
		func(b []byte, v *T) error { return fxjson.Unmarshal(b, v) },
	)
}

// NewFuncs binds a type that has generated functions, since it cannot have
// methods.
func NewFuncs[T any](app func([]byte, *T) ([]byte, error), dec func([]byte, *T) error) worker.Contender[T] {
	return bind(func(v *T) ([]byte, error) { return app(nil, v) }, app, dec)
}

func bind[T any](marshal func(*T) ([]byte, error), app func([]byte, *T) ([]byte, error), dec func([]byte, *T) error) worker.Contender[T] {
	decode := func() func([]byte, *T) error { return dec }
	return worker.Contender[T]{
		Name:   "fxjson",
		Family: "json",
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				return func(_ []byte, v *T) ([]byte, error) { return marshal(v) }
			}},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) { return app }},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode},
			{Mode: "reused", Reuse: true, New: decode},
		},
	}
}
