//go:build ignore

// Package adapter makes a contender of json.RawMessage: a document that was rendered before, as
// caches of answers keep it. encoding/json checks and compacts it again. Mode copied only copies
// the bytes, as a program would that writes them itself.
package adapter

import (
	"encoding/json"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the row on documents that represent values of type T.
func New[T any]() worker.Contender[json.RawMessage] {
	value := func(v *json.RawMessage) (any, error) {
		var out T
		err := json.Unmarshal(*v, &out)
		return out, err
	}
	return worker.Contender[json.RawMessage]{
		Encoders: []worker.Encoder[json.RawMessage]{
			worker.Marshal[json.RawMessage]("fresh", json.Marshal),
			{Mode: "copied", New: worker.Stateless(func(dst []byte, v *json.RawMessage) ([]byte, error) { return append(dst, *v...), nil })},
		},
		Decoders: worker.Unmarshal[json.RawMessage](json.Unmarshal),
		Compare:  value,
		Mapped:   value,
	}
}

// Convert renders a value as a document.
func Convert[T any](v *T) (json.RawMessage, error) { return json.Marshal(v) }
