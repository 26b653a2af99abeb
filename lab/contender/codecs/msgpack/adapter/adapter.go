//go:build ignore

// Package adapter makes a contender of github.com/vmihailenco/msgpack/v5 with compact integers, as
// its documentation advises for small messages.
package adapter

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Append[T]("fresh", fresh),
			worker.Append[T]("append", appendTo),
		},
		Decoders: worker.Unmarshal[T](msgpack.Unmarshal),
	}
}

// fresh does what Marshal does, with compact integers: it takes an Encoder from the pool and a new
// buffer.
func fresh() func([]byte, any) ([]byte, error) {
	return func(_ []byte, v any) ([]byte, error) {
		enc := msgpack.GetEncoder()
		defer msgpack.PutEncoder(enc)
		var buf bytes.Buffer
		err := encode(enc, &buf, v)
		return buf.Bytes(), err
	}
}

func appendTo() func([]byte, any) ([]byte, error) {
	enc := msgpack.NewEncoder(nil)
	var buf bytes.Buffer // kept, so that the codec is not charged for a new buffer in each call
	return func(dst []byte, v any) ([]byte, error) {
		buf = *bytes.NewBuffer(dst)
		err := encode(enc, &buf, v)
		return buf.Bytes(), err
	}
}

func encode(enc *msgpack.Encoder, buf *bytes.Buffer, v any) error {
	enc.Reset(buf)
	enc.UseCompactInts(true)
	return enc.Encode(v)
}
