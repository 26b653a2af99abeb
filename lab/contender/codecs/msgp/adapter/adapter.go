//go:build ignore

// Package adapter makes a contender of github.com/tinylib/msgp.
package adapter

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/zmylab/zmy/lab/worker"
)

// Methods are the methods that msgp generates.
type Methods interface {
	msgp.Marshaler
	msgp.Unmarshaler
}

// Sorted is a MarshalMsg that writes the keys of maps in order. The lab generates it for types with
// maps.
type Sorted interface {
	MarshalMsgSorted([]byte) ([]byte, error)
}

// New returns the contender for T, which uses the generated methods of P. The call as(v) returns v
// as a P, without a copy. leaf[0] is the path of the string that operation access reads. The other
// elements of leaf are the steps to it: the key of a field, or "" for the first element of a list.
func New[T any, P Methods](as func(*T) P, leaf ...string) worker.Contender[T] {
	encode := worker.Stateless(func(dst []byte, v *T) ([]byte, error) { return as(v).MarshalMsg(dst) })
	decode := worker.Stateless(func(b []byte, v *T) error {
		_, err := as(v).UnmarshalMsg(b)
		return err
	})
	encoders := []worker.Encoder[T]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode, Keeps: true}}
	if _, ok := any(as(new(T))).(Sorted); ok {
		encoders = append(encoders, worker.Encoder[T]{Mode: "append-sorted", New: worker.Stateless(func(dst []byte, v *T) ([]byte, error) {
			return any(as(v)).(Sorted).MarshalMsgSorted(dst)
		})})
	}
	return worker.Contender[T]{
		Encoders:  encoders,
		Decoders:  []worker.Decoder[T]{{Mode: "fresh", New: decode}, {Mode: "reused", Reuse: true, New: decode}},
		Accessors: accessors(leaf),
	}
}

// accessors returns an accessor that finds the leaf with msgp.Locate, which skips everything before
// it.
func accessors(leaf []string) []worker.Accessor {
	if len(leaf) == 0 {
		return nil
	}
	read := func(b []byte) (string, error) { return locate(b, leaf[1:]) }
	return []worker.Accessor{{Mode: "lazy", Path: leaf[0], New: worker.Stateless(read)}}
}

// locate follows the steps and returns the string there, or "" if it is absent or nil.
func locate(b []byte, steps []string) (string, error) {
	for _, key := range steps {
		if key != "" {
			b = msgp.Locate(key, b)
		} else if msgp.NextType(b) == msgp.ArrayType {
			n, rest, err := msgp.ReadArrayHeaderBytes(b)
			if err != nil || n == 0 {
				return "", err
			}
			b = rest
		}
		if len(b) == 0 || msgp.IsNil(b) {
			return "", nil
		}
	}
	s, _, err := msgp.ReadStringBytes(b)
	return s, err
}
