//go:build ignore

// Package adapter binds github.com/vmihailenco/msgpack/v5 with compact
// integers, which its documentation advises for size.
package adapter

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/lab/worker"
)

// New binds the codec to T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "msgpack",
		Family: "binary",
		Encoders: []worker.Encoder[T]{
			worker.Append[T]("fresh", fresh),
			worker.Append[T]("append", appendTo),
		},
		Decoders: worker.Unmarshal[T](msgpack.Unmarshal),
	}
}

// fresh is Marshal with compact integers: a pooled Encoder, a new buffer.
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
	var buf bytes.Buffer // one for good: a new one for each call would be the harness's allocation
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
