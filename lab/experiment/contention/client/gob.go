//go:build ignore

// Package handoff gives encoding/gob to the workers of one experiment.
package handoff

import (
	"bytes"
	"encoding/gob"

	"github.com/zmylab/zmy/lab/worker"
)

// With gives a codec's worker encoding/gob. Each message has its own encoder, so that any goroutine
// can decode it without having seen the messages before.
func With[N any](c worker.Contender[N]) worker.Contender[N] {
	c.Gob = &worker.Gob{
		Register: gob.Register,
		Marshal: func(v any) ([]byte, error) {
			var b bytes.Buffer
			err := gob.NewEncoder(&b).Encode(v)
			return b.Bytes(), err
		},
		Unmarshal: func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) },
	}
	return c
}
