//go:build ignore

// Package adapter binds vtprotobuf with these of its features (README, "Available
// features"): marshal, size, unmarshal, pool for messages that are decoded again,
// and unmarshal_unsafe in the modes that alias.
package adapter

import (
	// What generated code imports, so that it is required.
	_ "github.com/planetscale/vtprotobuf/protohelpers"
	_ "google.golang.org/protobuf/runtime/protoimpl"

	"zmylab.invalid/contender/message"
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

// Codec binds the message M. What is decoded again returns what is below it to
// vtprotobuf's pools first.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Codec[M]{
		Name:    "vtprotobuf",
		Marshal: func(m *M) ([]byte, error) { return P(m).MarshalVT() },
		Append: message.Append(
			func(m *M) int { return P(m).SizeVT() },
			func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBufferVT(b) }),
		Reset:     func(m *M) { P(m).Reset() },
		Unmarshal: func(b []byte, m *M) error { return P(m).UnmarshalVT(b) },
		Alias:     func(b []byte, m *M) error { return P(m).UnmarshalVTUnsafe(b) },
		Clear:     func(m *M) { P(m).ResetVT() },
	}
}
