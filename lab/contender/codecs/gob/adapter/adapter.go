//go:build ignore

// Package adapter makes a contender of encoding/gob. Every value has a new Encoder and Decoder,
// since each message must carry its type.
package adapter

import (
	"bytes"
	"encoding/gob"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Setup: setup[T],
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
	var buf bytes.Buffer // kept, so that the codec is not charged for a new buffer in each call
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
