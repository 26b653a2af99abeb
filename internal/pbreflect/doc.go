// Package pbreflect marshals and unmarshals protobuf messages of Go structs by reflection. It
// describes a struct type to package internal/pbtype, which plans it, and interprets the plan.
//
// One decoder both unmarshals and verifies: to verify, it runs without a value to store into. So
// both accept the same messages. The budget for memory is charged by the bytes of the message only,
// never by the value, for the same reason.
//
// NOTE, the map of the package:
//
//	source.go      describes types to package pbtype
//	plan.go        plans by type, kept for ever
//	encode.go      values to bytes
//	size.go        lengths of messages
//	decode.go      bytes to messages and fields
//	list.go map.go value.go known.go own.go dynamic.go   bytes to the values of fields
//	errors.go      errors with a path and an offset
//	alias_unsafe.go alias_purego.go    strings that share memory with the message
package pbreflect
