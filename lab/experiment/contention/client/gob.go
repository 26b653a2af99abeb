//go:build ignore

// Package handoff binds encoding/gob to the workers of one experiment.
package handoff

import (
	"bytes"
	"encoding/gob"

	"github.com/zmylab/zmy/lab/worker"
)

// With gives a codec's worker encoding/gob. Each message is encoded by itself, since its receiver
// may be any.
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
