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

// Message is a generated message M by its pointer.
type Message[M any] interface {
	message.VT[M]
	ResetVT()
	ReturnToVTPool()
}

// Codec binds the message M, which get takes from vtprotobuf's pools. What is decoded
// again returns what is below it to them first.
func Codec[M any, P Message[M]](get func() *M) message.Codec[M] {
	c := message.VTCodec[M, P]("vtprotobuf")
	c.Clear = func(m *M) { P(m).ResetVT() }
	c.Get, c.Put = get, func(m *M) { P(m).ReturnToVTPool() }
	return c
}
