//go:build ignore

// Package adapter binds github.com/pquerna/ffjson, whose last commit is of 2019.
// Mode pooled gives each buffer back before the next call, which is tip 2 of its
// README; mode reused keeps its reusable Decoder.
package adapter

import (
	"github.com/pquerna/ffjson/ffjson"
	fflib "github.com/pquerna/ffjson/fflib/v1"

	// What makes the generated code.
	_ "github.com/pquerna/ffjson/inception"
	_ "github.com/pquerna/ffjson/shared"

	"github.com/zmylab/zmy/lab/worker"
)

// Methods are those of the generated ones that ffjson's own functions call.
type Methods interface {
	MarshalJSONBuf(fflib.EncodingBuffer) error
	UnmarshalJSONFFLexer(*fflib.FFLexer, fflib.FFParseState) error
}

// New binds the generated methods of P to T; as sees a T as a P, at no cost.
func New[T any, P Methods](as func(*T) P) worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "ffjson",
		Family: "json",
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return ffjson.Marshal(as(v)) })},
			{Mode: "pooled", New: func() func([]byte, *T) ([]byte, error) {
				var last []byte
				return func(_ []byte, v *T) ([]byte, error) {
					if last != nil {
						ffjson.Pool(last)
					}
					var err error
					last, err = ffjson.Marshal(as(v))
					return last, err
				}
			}},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(b []byte, v *T) error { return ffjson.Unmarshal(b, as(v)) })},
			{Mode: "reused", Reuse: true, New: func() func([]byte, *T) error {
				dec := ffjson.NewDecoder()
				return func(b []byte, v *T) error { return dec.Decode(b, as(v)) }
			}},
		},
	}
}
