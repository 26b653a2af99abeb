//go:build ignore

// Package adapter makes a contender of fxproto.
package adapter

import (
	"errors"

	"github.com/zmylab/zmy/fxproto"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for a type with generated methods.
func New[T any]() worker.Contender[T] {
	decode := func(o fxproto.UnmarshalOptions) func() func([]byte, *T) error {
		return worker.Stateless(func(b []byte, v *T) error { return o.Unmarshal(b, v) })
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return told(fxproto.Marshal(v)) })},
			{Mode: "append", New: worker.Stateless(func(dst []byte, v *T) ([]byte, error) { return told(fxproto.Append(dst, v)) }), Keeps: true},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(fxproto.UnmarshalOptions{})},
			{Mode: "alias", Alias: true, New: decode(fxproto.UnmarshalOptions{Alias: true})},
		},
	}
}

// told replaces the reason for which a value is refused, where reflection cannot find it: it does not know
// numbers that stand in generated code only.
func told(b []byte, err error) ([]byte, error) {
	if err == nil { // errors.As takes memory, which would be measured
		return b, nil
	}
	if typ := (*fxproto.TypeError)(nil); errors.As(err, &typ) {
		err = errors.New("a value has no form in protobuf: an any holds another type than JSON has, a string is not UTF-8, " +
			"or a method of a type refuses it; fxproto -number, and Marshal then names the field")
	}
	return b, err
}
