//go:build ignore

// Package adapter makes a contender of google.golang.org/protobuf.
package adapter

import (
	"google.golang.org/protobuf/proto"

	"zmylab.invalid/contender/message"
)

// Message is a pointer to a generated message M.
type Message[M any] interface {
	*M
	proto.Message
	Reset()
}

// Codec returns the codec of message M. It has no Clear, since proto.Unmarshal resets its target.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Codec[M]{
		Marshal:   func(m *M) ([]byte, error) { return proto.Marshal(P(m)) },
		Append:    func(dst []byte, m *M) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(dst, P(m)) },
		Reset:     func(m *M) { P(m).Reset() },
		Unmarshal: func(b []byte, m *M) error { return proto.Unmarshal(b, P(m)) },
	}
}

// Deterministic returns Codec with an option that writes maps in the order of their keys, so that
// equal messages have equal bytes.
func Deterministic[M any, P Message[M]]() message.Codec[M] {
	o, c := proto.MarshalOptions{Deterministic: true}, Codec[M, P]()
	c.Marshal = func(m *M) ([]byte, error) { return o.Marshal(P(m)) }
	c.Append = func(dst []byte, m *M) ([]byte, error) { return o.MarshalAppend(dst, P(m)) }
	return c
}
