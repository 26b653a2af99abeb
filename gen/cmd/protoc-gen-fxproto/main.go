// Protoc-gen-fxproto is a plugin of protoc and buf. It writes plain Go types for package fxproto, as
// fxproto -from does:
//
//	protoc --fxproto_out=. --fxproto_opt=paths=source_relative shop.proto
package main

import (
	"fmt"
	"os"

	"github.com/zmylab/zmy/gen/fromproto"
)

func main() {
	if err := fromproto.Plugin(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "protoc-gen-fxproto:", err)
		os.Exit(1)
	}
}
