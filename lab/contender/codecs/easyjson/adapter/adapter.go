//go:build ignore

// Package adapter makes a contender of github.com/mailru/easyjson.
package adapter

import (
	"io"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T, which uses the generated methods of P. The call as(v) returns v
// as a P, without a copy.
func New[T any, P easyjson.MarshalerUnmarshaler](as func(*T) P) worker.Contender[T] {
	decode := worker.Stateless(func(b []byte, v *T) error { return easyjson.Unmarshal(b, as(v)) })
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return easyjson.Marshal(as(v)) })},
			{Mode: "append", New: worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
				var w jwriter.Writer
				as(v).MarshalEasyJSON(&w)
				return w.BuildBytes(dst)
			})},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode},
			{Mode: "reused", Reuse: true, New: decode},
		},
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error {
				_, err := easyjson.MarshalToWriter(as(v), w)
				return err
			},
			Decode: func(r io.Reader, v *T) error { return easyjson.UnmarshalFromReader(r, as(v)) },
		},
	}
}
