//go:build ignore

// Package adapter makes a contender of gogo/protobuf with the code of protoc-gen-gogofaster. That
// is the fastest plugin that its README lists (gogoslick adds methods that no codec needs).
package adapter

import (
	// Generated code imports these packages, so their modules must be required here.
	_ "github.com/gogo/protobuf/gogoproto"
	_ "github.com/gogo/protobuf/proto"

	// The generator imports these packages.
	_ "github.com/gogo/protobuf/vanity"
	_ "github.com/gogo/protobuf/vanity/command"

	"zmylab.invalid/contender/message"
)

// Message is a pointer to a generated message M.
type Message[M any] interface {
	*M
	Reset()
	Size() int
	Marshal() ([]byte, error)
	MarshalToSizedBuffer([]byte) (int, error)
	Unmarshal([]byte) error
}

// Codec returns the codec of message M.
func Codec[M any, P Message[M]]() message.Codec[M] {
	return message.Own[M]{
		Size:      func(m *M) int { return P(m).Size() },
		Marshal:   func(m *M) ([]byte, error) { return P(m).Marshal() },
		MarshalTo: func(m *M, b []byte) (int, error) { return P(m).MarshalToSizedBuffer(b) },
		Unmarshal: func(b []byte, m *M) error { return P(m).Unmarshal(b) },
		Reset:     func(m *M) { P(m).Reset() },
	}.Codec()
}
