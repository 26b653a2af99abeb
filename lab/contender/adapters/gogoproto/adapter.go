//go:build ignore

// Package adapter binds gogo/protobuf (as protoc-gen-gogofaster makes it), on the user's type by way of conversions and
// on the generated type itself.
package adapter

import (
	// What generated code imports, so that it is required.
	_ "github.com/gogo/protobuf/gogoproto"
	_ "github.com/gogo/protobuf/proto"

	// What makes the generated code.
	_ "github.com/gogo/protobuf/vanity"
	_ "github.com/gogo/protobuf/vanity/command"

	"github.com/zmylab/zmy/lab/worker"
)

// Message is a generated message M by its pointer.
type Message[M any] interface {
	*M
	Reset()
	Size() int
	Marshal() ([]byte, error)
	MarshalToSizedBuffer([]byte) (int, error)
	Unmarshal([]byte) error
}

// appendTo marshals behind dst.
func appendTo[M any, P Message[M]](dst []byte, m P) ([]byte, error) {
	n, at := m.Size(), len(dst)
	if cap(dst)-at < n {
		dst = append(make([]byte, 0, at+n), dst...)
	}
	dst = dst[:at+n]
	_, err := m.MarshalToSizedBuffer(dst[at:])
	return dst, err
}

// New is the row that a user of T pays for: conversion and codec.
func New[T, M any, P Message[M]](to func(*M, *T) error, from func(*T, *M) error) worker.Contender[T] {
	decode := func(unmarshal func(P, []byte) error) func() func([]byte, *T) error {
		return func() func([]byte, *T) error {
			return func(b []byte, v *T) error {
				m := new(M)
				if err := unmarshal(m, b); err != nil {
					return err
				}
				return from(v, m)
			}
		}
	}
	return worker.Contender[T]{
		Name:   "gogoproto",
		Family: "protobuf",
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				return func(_ []byte, v *T) ([]byte, error) {
					m := new(M)
					if err := to(m, v); err != nil {
						return nil, err
					}
					return P(m).Marshal()
				}
			}},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) {
				m := new(M)
				return func(dst []byte, v *T) ([]byte, error) {
					P(m).Reset()
					if err := to(m, v); err != nil {
						return nil, err
					}
					return appendTo(dst, P(m))
				}
			}},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(P.Unmarshal)},
			{Mode: "reused", Reuse: true, New: func() func([]byte, *T) error {
				m := new(M)
				return func(b []byte, v *T) error {
					P(m).Reset()
					if err := P(m).Unmarshal(b); err != nil {
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
	decode := func(unmarshal func(P, []byte) error) func() func([]byte, **M) error {
		return func() func([]byte, **M) error {
			return func(b []byte, m **M) error {
				*m = new(M)
				return unmarshal(*m, b)
			}
		}
	}
	return worker.Contender[*M]{
		Name:   "gogoproto-native",
		Family: "protobuf",
		Encoders: []worker.Encoder[*M]{
			{Mode: "fresh", New: func() func([]byte, **M) ([]byte, error) {
				return func(_ []byte, m **M) ([]byte, error) { return P(*m).Marshal() }
			}},
			{Mode: "append", New: func() func([]byte, **M) ([]byte, error) {
				return func(dst []byte, m **M) ([]byte, error) { return appendTo(dst, P(*m)) }
			}},
		},
		Decoders: []worker.Decoder[*M]{
			{Mode: "fresh", New: decode(P.Unmarshal)},
			{Mode: "reused", Reuse: true, New: func() func([]byte, **M) error {
				return func(b []byte, m **M) error {
					if *m == nil {
						*m = new(M)
					}
					P(*m).Reset()
					return P(*m).Unmarshal(b)
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
