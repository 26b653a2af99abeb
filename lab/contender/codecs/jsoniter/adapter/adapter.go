//go:build ignore

// Package adapter makes a contender of github.com/json-iterator/go with the configuration that
// keeps encoding/json's contract. Mode "fastest" is ConfigFastest, which does not escape HTML and
// writes floats with six digits only; so it is left out for types with floats.
package adapter

import (
	"io"

	jsoniter "github.com/json-iterator/go"

	"github.com/zmylab/zmy/lab/worker"
)

var config = jsoniter.ConfigCompatibleWithStandardLibrary

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", config.Marshal),
			worker.Append[T]("append", appendTo),
			worker.Marshal[T]("fastest", jsoniter.ConfigFastest.Marshal),
		},
		Decoders: append(worker.Unmarshal[T](config.Unmarshal),
			worker.UnmarshalAs[T]("fastest", jsoniter.ConfigFastest.Unmarshal)),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return config.NewEncoder(w).Encode(v) },
			Decode: func(r io.Reader, v *T) error { return config.NewDecoder(r).Decode(v) },
		},
		Get: get,
	}
}

// get returns a function that reads one value and ignores what follows it.
func get(path []any) func([]byte) (string, error) {
	return func(doc []byte) (string, error) {
		v := jsoniter.Get(doc, path...)
		if v.ValueType() != jsoniter.StringValue {
			return "", nil
		}
		return v.ToString(), nil
	}
}

// appendTo returns an encoder that keeps one Stream and gives it the caller's buffer.
func appendTo() func([]byte, any) ([]byte, error) {
	stream := config.BorrowStream(nil)
	return func(dst []byte, v any) ([]byte, error) {
		stream.Error = nil
		stream.SetBuffer(dst)
		stream.WriteVal(v)
		return stream.Buffer(), stream.Error
	}
}
