// Package gogo shows how a small service moves its messages away from gogo/protobuf. Package gogopb
// has the messages with the options that people use, package pb has the same schema as
// protoc-gen-go generates it, and package shop has plain Go types with generated code of ZMY. The
// tests show what stays the same on the wire and what does not. The guide is
// docs/guide/migrate-gogoproto.md.
//
// This package converts the messages of gogopb and pb to and from the types of package shop.
package gogo

//go:generate go run ./generate
