// Fxproto generates protobuf methods for Go types.
//
//	//go:generate fxproto -type=Order
//
// writes order_proto.go into the folder of the file with this line. See fxproto -h. The types may
// come from .proto files; see fxproto -from -h.
package main

import (
	"os"

	"github.com/zmylab/zmy/gen/cli"
	"github.com/zmylab/zmy/gen/fromproto"
)

func main() {
	if fromproto.Asks(os.Args[1:]) {
		os.Exit(fromproto.Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(cli.FXProto(os.Args[1:], os.Stdout, os.Stderr))
}
