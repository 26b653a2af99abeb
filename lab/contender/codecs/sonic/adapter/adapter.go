//go:build ignore

// Package adapter makes a contender of github.com/bytedance/sonic. The ranked modes use ConfigStd,
// which keeps encoding/json's contract. Mode "fastest" is ConfigFastest, which gives up key order,
// HTML escaping and validation.
package adapter

import (
	"errors"
	"io"
	"runtime"
	"strings"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
	"github.com/bytedance/sonic/encoder"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	alias := worker.UnmarshalAs[T]("alias", unmarshalAlias)
	alias.Alias = true
	return worker.Contender[T]{
		Setup: setup[T],
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", sonic.ConfigStd.Marshal),
			worker.Append[T]("append", appendTo),
			worker.Marshal[T]("fastest", sonic.ConfigFastest.Marshal),
		},
		Decoders: append(worker.Unmarshal[T](sonic.ConfigStd.Unmarshal),
			worker.UnmarshalAs[T]("fastest", sonic.ConfigFastest.Unmarshal),
			alias,
		),
		Streams: &worker.Streams[T]{
			Encode: func(w io.Writer, v *T) error { return sonic.ConfigStd.NewEncoder(w).Encode(v) },
			Decode: func(r io.Reader, v *T) error { return sonic.ConfigStd.NewDecoder(r).Decode(v) },
		},
		Get: get,
	}
}

// get returns a function that reads one value and ignores what follows it. The string is cloned,
// because it would otherwise share the memory of sonic's copy of everything before it.
func get(path []any) func([]byte) (string, error) {
	return func(doc []byte) (string, error) {
		node, err := sonic.Get(doc, path...)
		if errors.Is(err, ast.ErrNotExist) {
			return "", nil
		}
		if err != nil || node.TypeSafe() != ast.V_STRING {
			return "", err
		}
		s, err := node.String()
		return strings.Clone(s), err
	}
}

// setup returns an error if sonic would use encoding/json, so that this is not measured under
// sonic's name.
func setup[T any]([]T) error {
	if sonic.APIKind != sonic.UseSonicJSON {
		return errors.New("sonic falls back to encoding/json on " + runtime.GOARCH + " with " + runtime.Version())
	}
	return nil
}

// appendTo returns an encoder with the options of ConfigStd that appends to the caller's buffer.
func appendTo() func([]byte, any) ([]byte, error) {
	const std = encoder.CompatibleWithStd | encoder.ValidateString
	return func(dst []byte, v any) ([]byte, error) {
		err := encoder.EncodeInto(&dst, v, std)
		return dst, err
	}
}
