//go:build ignore

// Package adapter makes a contender of github.com/pquerna/ffjson, whose last commit is from 2019.
// Mode pooled returns each buffer to the pool before the next call (tip 2 of its README). Mode
// reused keeps ffjson's reusable Decoder.
package adapter

import (
	"io"

	"github.com/pquerna/ffjson/ffjson"
	fflib "github.com/pquerna/ffjson/fflib/v1"

	// The generator imports these packages.
	_ "github.com/pquerna/ffjson/inception"
	_ "github.com/pquerna/ffjson/shared"

	"github.com/zmylab/zmy/lab/worker"
)

// Methods are the generated methods that ffjson's own functions call.
type Methods interface {
	MarshalJSONBuf(fflib.EncodingBuffer) error
	UnmarshalJSONFFLexer(*fflib.FFLexer, fflib.FFParseState) error
}

// New returns the contender for T, which uses the generated methods of P. The call as(v) returns v
// as a P, without a copy.
func New[T any, P Methods](as func(*T) P) worker.Contender[T] {
	return worker.Contender[T]{
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
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return ffjson.NewEncoder(w).Encode(as(v)) },
			Decode: func(r io.Reader, v *T) error { return ffjson.NewDecoder().DecodeReader(r, as(v)) },
		},
	}
}
