//go:build ignore

// Package adapter binds encoding/json where the build has GOEXPERIMENT=jsonv2: its
// functions then stand on version 2.
package adapter

import (
	"bytes"
	"encoding/json"

	"github.com/zmylab/zmy/lab/worker"
)

// New binds the codec to T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "json-v2-std",
		Family: "json",
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", json.Marshal),
			worker.Append[T]("pooled", pooled),
		},
		Decoders: worker.Unmarshal[T](json.Unmarshal),
	}
}

// pooled keeps one Encoder and its buffer, as a server with a sync.Pool would.
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
