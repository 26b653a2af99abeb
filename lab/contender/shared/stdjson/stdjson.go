//go:build ignore

// Package stdjson makes a contender of encoding/json, in the version that the toolchain builds.
package stdjson

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", json.Marshal),
			worker.Append[T]("pooled", pooled),
		},
		Decoders: worker.Unmarshal[T](json.Unmarshal),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return json.NewEncoder(w).Encode(v) },
			Decode: func(r io.Reader, v *T) error { return json.NewDecoder(r).Decode(v) },
		},
	}
}

// pooled returns an encoder that keeps one json.Encoder and its buffer, as a server with a
// sync.Pool would.
func pooled() func([]byte, any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	return func(_ []byte, v any) ([]byte, error) {
		buf.Reset()
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
		return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
	}
}
