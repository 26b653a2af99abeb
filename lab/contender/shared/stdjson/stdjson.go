//go:build ignore

// Package stdjson makes a contender of encoding/json, in the version that the toolchain builds.
package stdjson

import (
	"bytes"
	"encoding/json"

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
