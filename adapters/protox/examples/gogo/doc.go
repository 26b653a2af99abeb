// Package gogo is a small service's messages on their way from gogo/protobuf: with the options that
// people use (gogopb), the same schema as protoc-gen-go makes it (pb), and plain Go types with
// generated code of ZMY (shop). Its tests say what stays the same on the wire and what does not;
// the guide is docs/guide/migrate-gogoproto.md.
//
// Messages of all three are converted to and from the types of package shop.
package gogo

//go:generate go run ./generate
