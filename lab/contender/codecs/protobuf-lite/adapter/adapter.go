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

// Codec binds the message M.
func Codec[M any, P message.VT[M]]() message.Codec[M] {
	return message.VTCodec[M, P]("protobuf-lite")
}
