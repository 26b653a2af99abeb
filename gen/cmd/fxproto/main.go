// Fxproto generates protobuf methods for Go types.
//
//	//go:generate fxproto -type=Order
//
// writes order_proto.go into the folder of the file with this line. See fxproto -h.
package main

import (
	"os"

	"github.com/zmylab/zmy/gen/cli"
)

func main() { os.Exit(cli.FXProto(os.Args[1:], os.Stdout, os.Stderr)) }
