//go:build ignore

package adapter

import (
	"bytes"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/zmylab/zmy/lab/worker"
)

// Object is a pointer to a generated type of flatc's object API.
type Object[M any] interface {
	*M
	Pack(*flatbuffers.Builder) flatbuffers.UOffsetT
}

// NewNative returns the row on the generated type.
func NewNative[T, M any, P Object[M]](code Code[T], unpack func([]byte) P) worker.Contender[P] {
	encode := func() func([]byte, *P) ([]byte, error) {
		b := flatbuffers.NewBuilder(start)
		return func(dst []byte, m *P) ([]byte, error) {
			b.Reset()
			b.Finish((*m).Pack(b))
			return append(dst, b.FinishedBytes()...), nil
		}
	}
	return worker.Contender[P]{
		Encoders: []worker.Encoder[P]{{Mode: "fresh", New: encode}, {Mode: "append", New: encode}},
		Decoders: decoders(code.Blobs, unpack),
		Compare: func(m *P) (any, error) {
			b := flatbuffers.NewBuilder(start)
			b.Finish((*m).Pack(b))
			var v T
			err := code.Get(b.FinishedBytes(), &v)
			return v, err
		},
	}
}

// decoders returns the decoders. flatc's UnPack lets byte vectors point into the message. So if
// there are byte vectors, mode fresh copies the message first, and mode alias does not.
func decoders[M any, P Object[M]](blobs bool, unpack func([]byte) P) []worker.Decoder[P] {
	alias := worker.Stateless(func(b []byte, m *P) error {
		*m = unpack(b)
		return nil
	})
	if !blobs {
		return []worker.Decoder[P]{{Mode: "fresh", New: alias}}
	}
	fresh := worker.Stateless(func(b []byte, m *P) error {
		*m = unpack(bytes.Clone(b))
		return nil
	})
	return []worker.Decoder[P]{{Mode: "fresh", New: fresh}, {Mode: "alias", Alias: true, New: alias}}
}

// Convert returns a function that makes a new object from a value, for the native row.
func Convert[T, M any, P Object[M]](code Code[T], unpack func([]byte) P) func(*T) (P, error) {
	return func(v *T) (P, error) {
		b := flatbuffers.NewBuilder(start)
		root, err := code.Put(b, v)
		if err != nil {
			return nil, err
		}
		b.Finish(root)
		return unpack(b.FinishedBytes()), nil
	}
}
