//go:build ignore

// Package adapter makes a contender of the raw form of github.com/deneonet/benc: generated code
// calls, for each field in turn, the functions of package std that benc's README shows. Mode alias
// uses the package's unsafe strings and cropped bytes.
package adapter

import (
	// Generated code imports these packages, so their modules must be required here.
	_ "github.com/deneonet/benc/std"

	"github.com/zmylab/zmy/lab/worker"
)

// Code is the code that is generated for T.
type Code[T any] struct {
	Size       func(v *T) int
	Put        func(n int, b []byte, v *T) int
	Get, Alias func(n int, b []byte, v *T) (int, error)
}

// New returns the contender for T.
func New[T any](c Code[T]) worker.Contender[T] {
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
		n, at := c.Size(v), len(dst)
		if cap(dst)-at < n {
			dst = append(make([]byte, 0, at+n), dst...)
		}
		dst = dst[:at+n]
		c.Put(at, dst, v)
		return dst, nil
	})
	decode := func(get func(int, []byte, *T) (int, error)) func() func([]byte, *T) error {
		return worker.Stateless(func(b []byte, v *T) error {
			_, err := get(0, b, v)
			return err
		})
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode, Keeps: true}},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(c.Get)},
			{Mode: "alias", Alias: true, New: decode(c.Alias)},
		},
	}
}
