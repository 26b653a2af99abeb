//go:build ignore

// Package adapter makes a contender of capnproto.org/go/capnp/v3. Messages have one segment, whose
// arena comes from the library's pool and returns to it (arena.go). Mode append also keeps the
// Message value from call to call. The library limits how much is read; the limits are raised to
// what the largest subject needs.
package adapter

import (
	"bytes"

	"capnproto.org/go/capnp/v3"

	"github.com/zmylab/zmy/lab/worker"

	_ "zmylab.invalid/contender/tables" // generated code imports it
)

// Segment is the memory in which generated code allocates.
type Segment = capnp.Segment

// Code is the code that is generated for T: conversions to and from messages, by the code that
// capnpc-go generated. M is its type for the root.
type Code[T, M any] struct {
	Root func(*Segment) (M, error)
	Open func(*capnp.Message) (M, error)
	Put  func(m M, v *T) error
	Get  func(m M, v *T) error
	Leaf func(m M) (string, error) // reads the leaf in place; nil if there is none
	Path string                    // path of the leaf in the Go type
}

// The limits of reading: the bytes visited in total, and the nesting of tables.
const (
	traverse = 1 << 30
	depth    = 512
)

// open opens a message and returns its root, which shares the memory of b.
func (c Code[T, M]) open(b []byte) (M, error) {
	msg, err := capnp.Unmarshal(b)
	if err != nil {
		var none M
		return none, err
	}
	msg.TraverseLimit, msg.DepthLimit = traverse, depth
	return c.Open(msg)
}

// build builds the message for a value, and returns its root.
func (c Code[T, M]) build(msg *capnp.Message, v *T) (root M, err error) {
	seg, err := msg.Reset(capnp.SingleSegment(nil))
	if err != nil {
		return root, err
	}
	if root, err = c.Root(seg); err != nil {
		return root, err
	}
	return root, c.Put(root, v)
}

// New returns the contender that works on the user's type.
func New[T, M any](c Code[T, M]) worker.Contender[T] {
	out := worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) {
				msg := new(capnp.Message)
				defer msg.Release()
				if _, err := c.build(msg, v); err != nil {
					return nil, err
				}
				return msg.Marshal()
			})},
			{Mode: "append", New: func() func([]byte, *T) ([]byte, error) {
				msg := new(capnp.Message)
				var buf bytes.Buffer // kept, so that the codec is not charged for a new buffer in each call
				enc := capnp.NewEncoder(&buf)
				return func(dst []byte, v *T) ([]byte, error) {
					if _, err := c.build(msg, v); err != nil {
						return nil, err
					}
					buf = *bytes.NewBuffer(dst)
					err := enc.Encode(msg)
					return buf.Bytes(), err
				}
			}},
		},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: worker.Stateless(func(b []byte, v *T) error {
			m, err := c.open(b)
			if err != nil {
				return err
			}
			return c.Get(m, v)
		})}},
	}
	if c.Leaf != nil {
		out.Accessors = []worker.Accessor{{Mode: "view", Path: c.Path, New: worker.Stateless(func(b []byte) (string, error) {
			m, err := c.open(b)
			if err != nil {
				return "", err
			}
			return c.Leaf(m)
		})}}
	}
	return out
}

// Native is a message with its root.
type Native[M any] struct {
	Msg  *capnp.Message
	Root M
}

// NewNative returns the contender that works on messages. Encoding writes a message that is built
// already. Decoding opens a message and reads none of its fields.
func NewNative[T, M any](c Code[T, M]) worker.Contender[Native[M]] {
	decode := func(own bool) func() func([]byte, *Native[M]) error {
		return worker.Stateless(func(b []byte, m *Native[M]) error {
			if own {
				b = bytes.Clone(b)
			}
			root, err := c.open(b)
			*m = Native[M]{Root: root}
			return err
		})
	}
	value := func(m *Native[M]) (any, error) {
		var v T
		err := c.Get(m.Root, &v)
		return v, err
	}
	return worker.Contender[Native[M]]{
		Encoders: []worker.Encoder[Native[M]]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, m *Native[M]) ([]byte, error) { return m.Msg.Marshal() })},
		},
		Decoders: []worker.Decoder[Native[M]]{
			{Mode: "fresh", New: decode(true)},
			{Mode: "alias", Alias: true, New: decode(false)},
		},
		Compare: value,
	}
}

// Convert returns a function that builds the message of a value, for the native row.
func Convert[T, M any](c Code[T, M]) func(*T) (Native[M], error) {
	return func(v *T) (Native[M], error) {
		msg := new(capnp.Message)
		root, err := c.build(msg, v)
		return Native[M]{msg, root}, err
	}
}
