//go:build ignore

// Package adapter makes a contender of github.com/mus-format/mus-go.
package adapter

import (
	// Generated code imports these packages, so their modules must be required here.
	_ "github.com/mus-format/common-go"
	_ "github.com/mus-format/mus-go"
	_ "github.com/mus-format/mus-go/options/map"
	_ "github.com/mus-format/mus-go/options/slice"
	_ "github.com/mus-format/mus-go/ord"
	_ "github.com/mus-format/mus-go/raw"
	_ "github.com/mus-format/mus-go/unsafe"
	_ "github.com/mus-format/mus-go/varint"

	// The generator imports these packages.
	_ "github.com/mus-format/musgen-go/mus"

	"github.com/zmylab/zmy/lab/worker"
)

// Serializer is a generated serializer for T.
type Serializer[T any] interface {
	Marshal(v T, b []byte) int
	Unmarshal(b []byte) (T, int, error)
	Size(v T) int
}

// New returns the contender with two serializers of the same format: safe copies what it reads,
// alias lets strings and byte slices point into the input.
func New[T any, S, A Serializer[T]](safe S, alias A) worker.Contender[T] {
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
		n, at := safe.Size(*v), len(dst)
		if cap(dst)-at < n {
			dst = append(make([]byte, 0, at+n), dst...)
		}
		dst = dst[:at+n]
		safe.Marshal(*v, dst[at:])
		return dst, nil
	})
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode, Keeps: true}},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(b []byte, v *T) (err error) {
				*v, _, err = safe.Unmarshal(b)
				return err
			})},
			{Mode: "alias", Alias: true, New: worker.Stateless(func(b []byte, v *T) (err error) {
				*v, _, err = alias.Unmarshal(b)
				return err
			})},
		},
	}
}
