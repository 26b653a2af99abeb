//go:build ignore

// Package adapter binds encoding/gob with a new Encoder and Decoder for every
// value, as a message on its own needs: each message carries its type.
package adapter

import (
	"bytes"
	"encoding/gob"

	"github.com/zmylab/zmy/lab/worker"
)

// New binds the codec to T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "gob",
		Family: "binary",
		Setup:  setup[T],
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", marshal),
			worker.Append[T]("append", appendTo),
		},
		Decoders: worker.Unmarshal[T](unmarshal),
	}
}

func setup[T any](vals []T) error {
	for _, x := range worker.Dynamic(vals) {
		gob.Register(x)
	}
	return nil
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func appendTo() func([]byte, any) ([]byte, error) {
	var buf bytes.Buffer // one for good: a new one for each call would be the harness's allocation
	return func(dst []byte, v any) ([]byte, error) {
		buf = *bytes.NewBuffer(dst)
		if err := gob.NewEncoder(&buf).Encode(v); err != nil {
			return nil, err
		}
		return buf.Bytes(), nil
	}
}

func unmarshal(b []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(b)).Decode(v)
}
