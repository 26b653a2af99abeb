//go:build ignore

// Package adapter makes a contender of vtprotobuf with these features (README, "Available
// features"): marshal, size, unmarshal; pool for messages that are reused; and in the modes alias
// unmarshal_unsafe.
package adapter

import (
	// Generated code imports these packages, so their modules must be required here.
	_ "github.com/planetscale/vtprotobuf/protohelpers"
	_ "google.golang.org/protobuf/runtime/protoimpl"

	"zmylab.invalid/contender/message"
)

// Message is a pointer to a generated message M.
type Message[M any] interface {
	message.VT[M]
	ResetVT()
	ReturnToVTPool()
}

// Codec returns the codec of message M. get takes a message from vtprotobuf's pools. Before a
// message is reused, its nested messages return to the pools.
func Codec[M any, P Message[M]](get func() *M) message.Codec[M] {
	c := message.VTCodec[M, P]()
	c.Clear = func(m *M) { P(m).ResetVT() }
	c.Get, c.Put = get, func(m *M) { P(m).ReturnToVTPool() }
	return c
}
