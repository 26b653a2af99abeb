//go:build ignore

// Package adapter makes a contender of encoding/json version 2, from its module outside the
// standard library, with the options that keep version 1's contract.
package adapter

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/zmylab/zmy/lab/worker"
)

var options = jsonv1.DefaultOptionsV1()

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", marshal),
			worker.Append[T]("pooled", pooled),
		},
		Decoders: worker.Unmarshal[T](unmarshal),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return json.MarshalWrite(w, v, options) },
			Decode: func(r io.Reader, v *T) error { return json.UnmarshalRead(r, v, options) },
		},
	}
}

func marshal(v any) ([]byte, error) { return json.Marshal(v, options) }

func unmarshal(b []byte, v any) error { return json.Unmarshal(b, v, options) }

// pooled returns an encoder that keeps one jsontext.Encoder and its buffer. The Encoder has the
// options; if each call passed them, they would be joined each time.
func pooled() func([]byte, any) ([]byte, error) {
	var buf bytes.Buffer
	enc := jsontext.NewEncoder(&buf, options)
	return func(_ []byte, v any) ([]byte, error) {
		buf.Reset()
		enc.Reset(&buf, options)
		if err := json.MarshalEncode(enc, v); err != nil {
			return nil, err
		}
		return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
	}
}
