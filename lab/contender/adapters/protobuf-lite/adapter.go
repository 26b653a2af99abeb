//go:build ignore

// Package adapter binds aperturerobotics/protobuf-go-lite, which needs neither
// reflection nor descriptors and is made for TinyGo, with these of its features
// (README, "Available features"): marshal, size, unmarshal, and unmarshal_unsafe
// in the modes that alias.
package adapter

import (
	// What generated code imports, so that it is required.
	_ "github.com/aperturerobotics/protobuf-go-lite"

	// What makes the generated code.
	_ "github.com/aperturerobotics/protobuf-go-lite/compiler/protogen"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/marshal"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/size"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/unmarshal"
	_ "github.com/aperturerobotics/protobuf-go-lite/generator"

	"zmylab.invalid/contender/message"
)

// Message is a generated message M by its pointer.
type Message[M any] interface {
	*M
	Reset()
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// Codec binds the message M.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Codec[M]{
		Name:    "protobuf-lite",
		Marshal: func(m *M) ([]byte, error) { return P(m).MarshalVT() },
		Append: message.Append(
			func(m *M) int { return P(m).SizeVT() },
			func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBufferVT(b) }),
		Reset:     func(m *M) { P(m).Reset() },
		Unmarshal: func(b []byte, m *M) error { return P(m).UnmarshalVT(b) },
		Alias:     func(b []byte, m *M) error { return P(m).UnmarshalVTUnsafe(b) },
		Clear:     func(m *M) { P(m).Reset() },
	}
}
