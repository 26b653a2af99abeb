//go:build ignore

// Package adapter makes a contender of google.golang.org/protobuf.
package adapter

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

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

// Opened returns Codec with an Unmarshal that then opens each message below the root, which decodes
// lazy fields.
func Opened[M any, P Message[M]]() message.Codec[M] {
	c := Codec[M, P]()
	c.Unmarshal = func(b []byte, m *M) error {
		err := proto.Unmarshal(b, P(m))
		if err == nil {
			open(P(m).ProtoReflect())
		}
		return err
	}
	return c
}

// open opens the messages in fields of m, except in maps, which cannot be lazy.
func open(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.Message() == nil || f.IsMap() || !m.Has(f):
		case f.IsList():
			list := m.Get(f).List()
			for k := range list.Len() {
				open(list.Get(k).Message())
			}
		default:
			open(m.Get(f).Message())
		}
	}
}
