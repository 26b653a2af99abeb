//go:build ignore

// Package adapter makes a contender of aperturerobotics/protobuf-go-lite, which is made for TinyGo
// and needs neither reflection nor descriptors. It uses these features (README, "Available
// features"): marshal, size, unmarshal, and in the modes alias unmarshal_unsafe.
package adapter

import (
	// Generated code imports these packages, so their modules must be required here.
	_ "github.com/aperturerobotics/protobuf-go-lite"

	// The generator imports these packages.
	_ "github.com/aperturerobotics/protobuf-go-lite/compiler/protogen"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/marshal"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/size"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/unmarshal"
	_ "github.com/aperturerobotics/protobuf-go-lite/generator"

	"zmylab.invalid/contender/message"
)

// Codec returns the codec of message M.
func Codec[M any, P message.VT[M]]() message.Codec[M] {
	return message.VTCodec[M, P]()
}
