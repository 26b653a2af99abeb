//go:build ignore

// Package adapter binds gogo/protobuf as protoc-gen-gogofaster makes it, the
// fastest of the plugins that its README lists (gogoslick adds methods that no
// codec needs).
package adapter

import (
	// What generated code imports, so that it is required.
	_ "github.com/gogo/protobuf/gogoproto"
	_ "github.com/gogo/protobuf/proto"

	// What makes the generated code.
	_ "github.com/gogo/protobuf/vanity"
	_ "github.com/gogo/protobuf/vanity/command"

	"zmylab.invalid/contender/message"
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

// Codec binds the message M.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Own[M]{
		Size:      func(m *M) int { return P(m).Size() },
		Marshal:   func(m *M) ([]byte, error) { return P(m).Marshal() },
		MarshalTo: func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBuffer(b) },
		Unmarshal: func(b []byte, m *M) error { return P(m).Unmarshal(b) },
		Reset:     func(m *M) { P(m).Reset() },
	}.Codec("gogoproto")
}
