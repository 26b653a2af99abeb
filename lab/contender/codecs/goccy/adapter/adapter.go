//go:build ignore

// Package adapter makes a contender of github.com/goccy/go-json. Mode "noescape" is its documented
// faster call, for values that no other code holds. Mode "fastest" gives up sorted keys and HTML
// escaping.
package adapter

import (
	"bytes"
	"io"

	"github.com/goccy/go-json"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", json.Marshal),
			worker.Append[T]("pooled", pooled),
			worker.Marshal[T]("noescape", json.MarshalNoEscape),
			worker.Marshal[T]("fastest", fastest),
		},
		Decoders: append(worker.Unmarshal[T](unmarshal),
			worker.UnmarshalAs[T]("noescape", unmarshalNoEscape)),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return json.NewEncoder(w).Encode(v) },
			Decode: func(r io.Reader, v *T) error { return json.NewDecoder(r).Decode(v) },
		},
	}
}

func unmarshal(b []byte, v any) error { return json.Unmarshal(b, v) }

func unmarshalNoEscape(b []byte, v any) error { return json.UnmarshalNoEscape(b, v) }

func fastest(v any) ([]byte, error) {
	return json.MarshalWithOption(v, json.UnorderedMap(), json.DisableHTMLEscape())
}

// pooled returns an encoder that keeps one json.Encoder and its buffer.
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
