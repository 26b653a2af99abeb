//go:build ignore

// Package adapter walks, copies and encodes a list of the subject's values, for the experiment
// layout.
package adapter

import (
	"encoding/json"

	"github.com/zmylab/zmy/lab/worker"
)

// length is the number of values in the list. It is large, so that the list does not fit into a
// processor's innermost cache.
const length = 10_000

// New makes a contender for timing loops over the list. Each encoder but the first goes over the
// whole list once.
func New[T any](walk func([]T) uint64) worker.Contender[T] {
	var list, other []T
	var sum uint64
	over := func(mode string, f func(dst []byte) ([]byte, error)) worker.Encoder[T] {
		return worker.Encoder[T]{Mode: mode, New: func() func([]byte, *T) ([]byte, error) {
			return func(dst []byte, _ *T) ([]byte, error) { return f(dst) }
		}}
	}
	return worker.Contender[T]{
		Setup: func(vals []T) error {
			list, other = make([]T, length), make([]T, length)
			for i := range list {
				list[i] = vals[i%len(vals)]
			}
			return nil
		},
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", json.Marshal),
			over("walk", func(dst []byte) ([]byte, error) { sum += walk(list); return dst, nil }),
			over("copy", func(dst []byte) ([]byte, error) { copy(other, list); return dst, nil }),
			over("encode", func(dst []byte) ([]byte, error) {
				for i := range list {
					out, err := json.Marshal(&list[i])
					if err != nil {
						return nil, err
					}
					sum += uint64(len(out))
				}
				return dst, nil
			}),
		},
		Decoders: worker.Unmarshal[T](json.Unmarshal),
	}
}
