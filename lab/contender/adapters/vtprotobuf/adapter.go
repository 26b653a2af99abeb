//go:build ignore

// Package adapter binds vtprotobuf, on the user's type by way of conversions and
// on the generated type itself.
package adapter

import (
	// What generated code imports, so that it is required.
	_ "github.com/planetscale/vtprotobuf/protohelpers"
	_ "google.golang.org/protobuf/runtime/protoimpl"

	"github.com/zmylab/zmy/lab/worker"
)

// Message is a generated message M by its pointer, with the methods that
// vtprotobuf adds.
type Message[M any] interface {
	*M
	Reset()
	ResetVT()
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// appendVT marshals behind dst.
func appendVT[M any, P Message[M]](dst []byte, m P) ([]byte, error) {
	n, at := m.SizeVT(), len(dst)
	if cap(dst)-at < n {
		dst = append(make([]byte, 0, at+n), dst...)
	}
	dst = dst[:at+n]
	_, err := m.MarshalToSizedBufferVT(dst[at:])
	return dst, err
}

// New is the row that a user of T pays for: conversion and codec. Mode reused
// keeps one message and returns what is below it to vtprotobuf's pools.
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
	reuse := func(unmarshal func(P, []byte) error) func() func([]byte, *T) error {
		return func() func([]byte, *T) error {
			m := new(M)
			return func(b []byte, v *T) error {
				P(m).ResetVT()
				if err := unmarshal(m, b); err != nil {
					return err
				}
				return from(v, m)
			}
		}
	}
	return worker.Contender[T]{
		Name:   "vtprotobuf",
		Family: "protobuf",
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				return func(_ []byte, v *T) ([]byte, error) {
					m := new(M)
					if err := to(m, v); err != nil {
						return nil, err
					}
					return P(m).MarshalVT()
				}
			}},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) {
				m := new(M)
				return func(dst []byte, v *T) ([]byte, error) {
					P(m).Reset()
					if err := to(m, v); err != nil {
						return nil, err
					}
					return appendVT(dst, P(m))
				}
			}},
		},
		Decoders: []worker.Decoder[T]{
			{Mode: "fresh", New: decode(P.UnmarshalVT)},
			{Mode: "reused", Reuse: true, New: reuse(P.UnmarshalVT)},
			{Mode: "alias", Alias: true, New: decode(P.UnmarshalVTUnsafe)},
			{Mode: "alias-reused", Alias: true, Reuse: true, New: reuse(P.UnmarshalVTUnsafe)},
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
	reuse := func(unmarshal func(P, []byte) error) func() func([]byte, **M) error {
		return func() func([]byte, **M) error {
			return func(b []byte, m **M) error {
				if *m == nil {
					*m = new(M)
				}
				P(*m).ResetVT()
				return unmarshal(*m, b)
			}
		}
	}
	return worker.Contender[*M]{
		Name:   "vtprotobuf-native",
		Family: "protobuf",
		Encoders: []worker.Encoder[*M]{
			{Mode: "fresh", New: func() func([]byte, **M) ([]byte, error) {
				return func(_ []byte, m **M) ([]byte, error) { return P(*m).MarshalVT() }
			}},
			{Mode: "append", New: func() func([]byte, **M) ([]byte, error) {
				return func(dst []byte, m **M) ([]byte, error) { return appendVT(dst, P(*m)) }
			}},
		},
		Decoders: []worker.Decoder[*M]{
			{Mode: "fresh", New: decode(P.UnmarshalVT)},
			{Mode: "reused", Reuse: true, New: reuse(P.UnmarshalVT)},
			{Mode: "alias", Alias: true, New: decode(P.UnmarshalVTUnsafe)},
			{Mode: "alias-reused", Alias: true, Reuse: true, New: reuse(P.UnmarshalVTUnsafe)},
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
