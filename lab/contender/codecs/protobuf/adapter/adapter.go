//go:build ignore

// Package adapter binds google.golang.org/protobuf.
package adapter

import (
	"google.golang.org/protobuf/proto"

	"zmylab.invalid/contender/message"
)

// Message is a generated message M by its pointer.
type Message[M any] interface {
	*M
	proto.Message
	Reset()
}

// Codec binds the message M. proto.Unmarshal empties its target itself.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Codec[M]{
		Name:      "protobuf",
		Marshal:   func(m *M) ([]byte, error) { return proto.Marshal(P(m)) },
		Append:    func(dst []byte, m *M) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(dst, P(m)) },
		Reset:     func(m *M) { P(m).Reset() },
		Unmarshal: func(b []byte, m *M) error { return proto.Unmarshal(b, P(m)) },
	}
}

// Deterministic is Codec with the option that gives equal messages equal bytes, which
// writes maps in the order of their keys.
func Deterministic[M any, P Message[M]]() message.Codec[M] {
	o, c := proto.MarshalOptions{Deterministic: true}, Codec[M, P]()
	c.Marshal = func(m *M) ([]byte, error) { return o.Marshal(P(m)) }
	c.Append = func(dst []byte, m *M) ([]byte, error) { return o.MarshalAppend(dst, P(m)) }
	return c
}
