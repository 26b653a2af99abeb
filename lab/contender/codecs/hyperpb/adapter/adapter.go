//go:build ignore

// Package adapter makes a contender of buf.build/go/hyperpb, in the configuration that its README
// has for speed: the type is compiled once more with a profile of the values, and mode reused keeps
// the memory of messages. Types with lists of strings or bytes get no profile: with one, v0.1.3
// returns such lists with empty elements in front. Messages are written by
// google.golang.org/protobuf, since hyperpb writes none.
package adapter

import (
	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zmylab/zmy/lab/worker"
)

// Message is a message that was read.
type Message = hyperpb.Message

// Plain is a pointer to M, a message that protoc-gen-go generated.
type Plain[M any] interface {
	*M
	proto.Message
}

// Value is a message to write, or one that was read.
type Value[M any] struct {
	plain  *M              // nil if the message was read
	read   *Message        // nil if the message is to be written
	shared *hyperpb.Shared // memory of read, in modes that reuse it
}

// New returns the contender for the messages M of the subject's type T.
func New[M, T any, P Plain[M]](from func(*T, *Message) error) worker.Contender[Value[M]] {
	plain := P(new(M)).ProtoReflect().Descriptor()
	typ := hyperpb.CompileMessageDescriptor(plain)
	fresh := func(options ...hyperpb.UnmarshalOption) func() func([]byte, *Value[M]) error {
		return worker.Stateless(func(b []byte, v *Value[M]) error {
			v.read = hyperpb.NewMessage(typ)
			return v.read.Unmarshal(b, options...)
		})
	}
	reused := func(options ...hyperpb.UnmarshalOption) func() func([]byte, *Value[M]) error {
		return worker.Stateless(func(b []byte, v *Value[M]) error {
			if v.shared == nil {
				v.shared = new(hyperpb.Shared)
			} else {
				v.shared.Free() // ends the message of the last call
			}
			v.read = v.shared.NewMessage(typ)
			return v.read.Unmarshal(b, options...)
		})
	}
	message := func(v *Value[M]) proto.Message {
		if v.read != nil {
			return v.read
		}
		return P(v.plain)
	}
	value := func(v *Value[M]) (any, error) {
		var out T
		m := v.read
		if m == nil {
			b, err := proto.Marshal(P(v.plain))
			if err != nil {
				return nil, err
			}
			m = hyperpb.NewMessage(typ)
			if err := m.Unmarshal(b); err != nil {
				return nil, err
			}
		}
		err := from(&out, m)
		return out, err
	}
	return worker.Contender[Value[M]]{
		// The profile is made of the values that are measured.
		Setup: func(vals []Value[M]) error {
			if hasTexts(plain, map[protoreflect.FullName]bool{}) {
				return nil
			}
			profile, shared := typ.NewProfile(), new(hyperpb.Shared)
			for i := range vals {
				b, err := proto.Marshal(message(&vals[i]))
				if err != nil {
					return err
				}
				if err := shared.NewMessage(typ).Unmarshal(b, hyperpb.WithRecordProfile(profile, 1)); err != nil {
					return err
				}
				shared.Free()
			}
			typ = typ.Recompile(profile)
			return nil
		},
		Primed: true,
		Encoders: []worker.Encoder[Value[M]]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *Value[M]) ([]byte, error) { return proto.Marshal(message(v)) })},
			{Mode: "append", New: worker.Stateless(func(dst []byte, v *Value[M]) ([]byte, error) {
				return proto.MarshalOptions{}.MarshalAppend(dst, message(v))
			}), Keeps: true},
		},
		Decoders: []worker.Decoder[Value[M]]{
			{Mode: "fresh", New: fresh()},
			{Mode: "reused", Reuse: true, New: reused()},
			{Mode: "alias", Alias: true, New: fresh(hyperpb.WithAllowAlias(true))},
			{Mode: "alias-reused", Alias: true, Reuse: true, New: reused(hyperpb.WithAllowAlias(true))},
		},
		Compare: value,
		Mapped:  value,
	}
}

// hasTexts reports whether a message of type d, or one below it, has a list of strings or bytes.
// seen holds the types that were looked at.
func hasTexts(d protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if seen[d.FullName()] {
		return false
	}
	seen[d.FullName()] = true
	fields := d.Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		text := f.Kind() == protoreflect.StringKind || f.Kind() == protoreflect.BytesKind
		if f.IsList() && text || f.Message() != nil && hasTexts(f.Message(), seen) {
			return true
		}
	}
	return false
}

// Convert returns a function that makes the message to write of each value.
func Convert[T, M any](to func(*M, *T) error) func(*T) (Value[M], error) {
	return func(v *T) (Value[M], error) {
		m := new(M)
		return Value[M]{plain: m}, to(m, v)
	}
}
