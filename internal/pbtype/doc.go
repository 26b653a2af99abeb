// Package pbtype is the compiler of protobuf struct tags: it alone decides how a Go struct is
// carried by the wire format of Protocol Buffers. It reads the struct tag proto, and the struct tag
// protobuf as protoc-gen-go and gogoproto write it. It plans messages: for each field its number,
// its kind, its shape and its presence.
//
// A [Source] describes Go types. Package internal/pbreflect describes those of the running program.
// A generator can describe the types of source code by the source that it has for package
// internal/zmytype already.
//
// Terms. A field is carried if messages contain its value. The kind of a value is its type in a
// .proto file. A value has presence if messages distinguish an absent value from the default.
//
// NOTE, the map of the package:
//
//	source.go    a description of Go types
//	plan.go      the result: planned messages
//	kind.go      protobuf's types of values
//	tag.go       grammar of the struct tag proto
//	name.go      names of fields in .proto files and in JSON
//	reserved.go  numbers that are not given out
//	number.go    numbers for fields that have none
//	legacy.go    grammar of the struct tag protobuf
//	compile.go   from types of a source to messages
//	oneof.go     from an interface to the arms of a oneof
//	value.go     from the type and tag of a field to its kind, shape and presence
package pbtype
