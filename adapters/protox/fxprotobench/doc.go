// Package fxprotobench has benchmarks of package fxproto: generated code beside reflection, and
// beside google.golang.org/protobuf with the messages that its own generator writes for the same
// schema, in benchpb/bench.proto. Conversion between own types and these messages is not included.
//
//	go test -bench . -benchmem
package fxprotobench
