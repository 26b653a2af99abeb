//go:build ignore

// Package adapter binds google.golang.org/protobuf, on the user's type by way of
// conversions and on the generated type itself.
package adapter

import (
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/lab/worker"
)

// Message is a generated message M by its pointer.
type Message[M any] interface {
	*M
	proto.Message
	Reset()
}

// New is the row that a user of T pays for: conversion and codec.
func New[T, M any, P Message[M]](to func(*M, *T) error, from func(*T, *M) error) worker.Contender[T] {
	return worker.Contender[T]{
		Name:   "protobuf",
		Family: "protobuf",
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				return func(_ []byte, v *T) ([]byte, error) {
					m := new(M)
					if err := to(m, v); err != nil {
						return nil, err
					}
					return proto.Marshal(P(m))
				}
			}},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) {
				m := new(M)
				return func(dst []byte, v *T) ([]byte, error) {
					P(m).Reset()
					if err := to(m, v); err != nil {
						return nil, err
					}
					return proto.MarshalOptions{}.MarshalAppend(dst, P(m))
				}
			}},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) error {
				return func(b []byte, v *T) error {
					m := new(M)
					if err := proto.Unmarshal(b, P(m)); err != nil {
						return err
					}
					return from(v, m)
				}
			}},
			{Mode: "reused", Reuse: true, New: func() func([]byte, *T) error {
				m := new(M)
				return func(b []byte, v *T) error {
					if err := proto.Unmarshal(b, P(m)); err != nil {
						return err
					}
					return from(v, m)
				}
			}},
		},
		Mapped: func(v *T) (any, error) {
			var m M
			var back T
			if err := to(&m, v); err != nil {
				return nil, err
			}
			err := from(&back, &m)
			return back, err
		},
	}
}

// NewNative is the row on the generated type.
func NewNative[T, M any, P Message[M]](to func(*M, *T) error, from func(*T, *M) error) worker.Contender[*M] {
	value := func(m **M) (any, error) {
		var v T
		err := from(&v, *m)
		return v, err
	}
	return worker.Contender[*M]{
		Name:   "protobuf-native",
		Family: "protobuf",
		Encoders: []worker.Encoder[*M]{
			{Mode: "fresh", New: func() func([]byte, **M) ([]byte, error) {
				return func(_ []byte, m **M) ([]byte, error) { return proto.Marshal(P(*m)) }
			}},
			{Mode: "append", New: func() func([]byte, **M) ([]byte, error) {
				return func(dst []byte, m **M) ([]byte, error) {
					return proto.MarshalOptions{}.MarshalAppend(dst, P(*m))
				}
			}},
		},
		Decoders: []worker.Decoder[*M]{
			{Mode: "fresh", New: func() func([]byte, **M) error {
				return func(b []byte, m **M) error {
					*m = new(M)
					return proto.Unmarshal(b, P(*m))
				}
			}},
			{Mode: "reused", Reuse: true, New: func() func([]byte, **M) error {
				return func(b []byte, m **M) error {
					if *m == nil {
						*m = new(M)
					}
					return proto.Unmarshal(b, P(*m))
				}
			}},
		},
		Compare: value,
		Mapped:  value,
	}
}

// Convert makes a new message of each value, for the native row.
func Convert[T, M any](to func(*M, *T) error) func(*T) (*M, error) {
	return func(v *T) (*M, error) {
		m := new(M)
		return m, to(m, v)
	}
}
