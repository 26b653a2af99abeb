//go:build ignore

// Package adapter makes a contender of fxjson.
package adapter

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/fxjson"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for a type with generated methods.
func New[T any]() worker.Contender[T] {
	c := bind(
		func(v *T) ([]byte, error) { return fxjson.Marshal(v) },
		func(b []byte, v *T) ([]byte, error) { return fxjson.Append(b, v) },
		func(b []byte, v *T) error { return fxjson.Unmarshal(b, v) },
	)
	c.Streams = &worker.Streams[T]{
		Encode: func(w io.Writer, v *T) error { return fxjson.NewEncoder(w).Encode(v) },
		Decode: func(r io.Reader, v *T) error { return fxjson.NewDecoder(r).Decode(v) },
	}
	return c
}

// NewFuncs returns the contender for a type that cannot have methods, and has generated functions
// instead.
func NewFuncs[T any](app func([]byte, *T) ([]byte, error), dec func([]byte, *T) error) worker.Contender[T] {
	return bind(func(v *T) ([]byte, error) { return app(nil, v) }, app, dec)
}

func bind[T any](marshal func(*T) ([]byte, error), app func([]byte, *T) ([]byte, error), dec func([]byte, *T) error) worker.Contender[T] {
	decode := func() func([]byte, *T) error { return dec }
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return marshal(v) })},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) { return app }, Keeps: true},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode},
			{Mode: "reused", Reuse: true, New: decode},
		},
		Get: get,
	}
}

// get returns a function that reads one value and ignores what follows it.
func get(path []any) func([]byte) (string, error) {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			fmt.Fprintf(&b, `["%s"]`, step)
		}
	}
	at := b.String()
	return func(doc []byte) (string, error) {
		v, err := fxjson.Get(doc, at)
		if errors.Is(err, fxjson.ErrNotFound) || err == nil && v.Kind() != fxjson.String {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return v.String(), nil
	}
}
