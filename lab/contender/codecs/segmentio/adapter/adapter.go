//go:build ignore

// Package adapter makes a contender of github.com/segmentio/encoding/json. Its flags are those that
// the library's Marshal and Unmarshal set, which keep encoding/json's contract.
package adapter

import (
	"io"

	"github.com/segmentio/encoding/json"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	alias := worker.UnmarshalAs[T]("alias", unmarshalAlias)
	alias.Alias = true
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", json.Marshal),
			worker.Append[T]("append", appendTo),
		},
		Decoders: append(worker.Unmarshal[T](json.Unmarshal), alias),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return json.NewEncoder(w).Encode(v) },
			Decode: func(r io.Reader, v *T) error { return json.NewDecoder(r).Decode(v) },
		},
	}
}

func appendTo() func([]byte, any) ([]byte, error) {
	return func(dst []byte, v any) ([]byte, error) {
		return json.Append(dst, v, json.EscapeHTML|json.SortMapKeys)
	}
}

// unmarshalAlias lets strings, numbers and raw messages point into b.
func unmarshalAlias(b []byte, v any) error {
	_, err := json.Parse(b, v, json.ZeroCopy)
	return err
}
