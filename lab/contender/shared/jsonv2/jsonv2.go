//go:build ignore

// Package jsonv2 makes a contender of encoding/json/v2 with its own options. Its contract differs
// from version 1's: nil slices are [], names match with their case, duplicate names are errors,
// HTML is not escaped.
package jsonv2

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", func(v any) ([]byte, error) { return json.Marshal(v) }),
			worker.Append[T]("pooled", pooled),
		},
		Decoders: worker.Unmarshal[T](func(b []byte, v any) error { return json.Unmarshal(b, v) }),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return json.MarshalWrite(w, v) },
			Decode: func(r io.Reader, v *T) error { return json.UnmarshalRead(r, v) },
		},
	}
}

// pooled returns an encoder that keeps one jsontext.Encoder and its buffer.
func pooled() func([]byte, any) ([]byte, error) {
	var buf bytes.Buffer
	enc := jsontext.NewEncoder(&buf)
	return func(_ []byte, v any) ([]byte, error) {
		buf.Reset()
		enc.Reset(&buf)
		if err := json.MarshalEncode(enc, v); err != nil {
			return nil, err
		}
		return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
	}
}
