//go:build ignore

// Package adapter binds github.com/json-iterator/go in the configuration that
// keeps encoding/json's contract; mode "fastest" is ConfigFastest, which gives up HTML
// escaping and all but six digits of floats: types with floats show why it is left out.
package adapter

import (
	jsoniter "github.com/json-iterator/go"

	"github.com/zmylab/zmy/lab/worker"
)

var config = jsoniter.ConfigCompatibleWithStandardLibrary

// New binds the codec to T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "jsoniter",
		Family: "json",
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", config.Marshal),
			worker.Append[T]("append", appendTo),
			worker.Marshal[T]("fastest", jsoniter.ConfigFastest.Marshal),
		},
		Decoders: append(worker.Unmarshal[T](config.Unmarshal),
			worker.UnmarshalAs[T]("fastest", jsoniter.ConfigFastest.Unmarshal)),
		Get: get,
	}
}

// get reads one value without looking at what follows it.
func get(path []any) func([]byte) (string, error) {
	return func(doc []byte) (string, error) {
		v := jsoniter.Get(doc, path...)
		if v.ValueType() != jsoniter.StringValue {
			return "", nil
		}
		return v.ToString(), nil
	}
}

// appendTo hands the caller's buffer to one Stream, kept for good.
func appendTo() func([]byte, any) ([]byte, error) {
	stream := config.BorrowStream(nil)
	return func(dst []byte, v any) ([]byte, error) {
		stream.Error = nil
		stream.SetBuffer(dst)
		stream.WriteVal(v)
		return stream.Buffer(), stream.Error
	}
}
