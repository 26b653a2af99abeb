//go:build ignore

// Package vmihailenco makes contenders of github.com/vmihailenco/msgpack/v5 that differ in the
// options of the Encoder. The Decoder needs none: it takes structs as maps and as arrays.
package vmihailenco

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T. Reset clears the options of an Encoder, so options sets them
// before each message.
func New[T any](options func(*msgpack.Encoder)) worker.Contender[T] {
	encode := func(enc *msgpack.Encoder, buf *bytes.Buffer, v any) error {
		enc.Reset(buf)
		options(enc)
		return enc.Encode(v)
	}
	// fresh does what Marshal does, with options: it takes an Encoder from the pool and a new
	// buffer.
	fresh := func() func([]byte, any) ([]byte, error) {
		return func(_ []byte, v any) ([]byte, error) {
			enc := msgpack.GetEncoder()
			defer msgpack.PutEncoder(enc)
			var buf bytes.Buffer
			err := encode(enc, &buf, v)
			return buf.Bytes(), err
		}
	}
	appendTo := func() func([]byte, any) ([]byte, error) {
		enc := msgpack.NewEncoder(nil)
		var buf bytes.Buffer // kept, so that the codec is not charged for a new buffer in each call
		return func(dst []byte, v any) ([]byte, error) {
			buf = *bytes.NewBuffer(dst)
			err := encode(enc, &buf, v)
			return buf.Bytes(), err
		}
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Append[T]("fresh", fresh),
			worker.Append[T]("append", appendTo),
		},
		Decoders: worker.Unmarshal[T](msgpack.Unmarshal),
	}
}
