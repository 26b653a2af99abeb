// Package fromproto writes plain Go types from .proto files, for package fxproto: structs with struct
// tags proto, named integers for enums, and interfaces for services. Syntaxes are proto2, proto3 and
// edition 2023.
//
//	.proto                        Go
//	message                       struct; one within another has both names: OrderItem
//	enum                          int32 with constants, String and ProtoValues
//	singular scalar               the Go type; a pointer, or []byte with option optional, if it has presence
//	singular message, group       pointer
//	repeated, map                 slice of values, map of values
//	oneof                         interface with the directive //zmy:union. An arm is the struct of its message if
//	                              both have one name, else a struct with a single field and option oneof
//	google.protobuf.Timestamp     time.Time
//	google.protobuf.Duration      *time.Duration; time.Duration within a slice, a map or a oneof
//	google.protobuf.StringValue   *string with option wrapper, and so on; string within a slice, a map or a oneof
//	google.protobuf.Struct        map[string]any
//	google.protobuf.ListValue     []any
//	google.protobuf.Value         any; a struct within a slice, or a map with keys that are strings
//	google.protobuf.Any           *fxproto.Any; fxproto.Any within a slice or a map
//	other types of that package   a struct, as for any message, in the package that uses it
//	service                       interface with the directive //zmy:service
//
// Extensions have no fields: they are unknown fields, as are messages of MessageSet. Enums are open,
// as they are in protobuf-go. Default values and the label required are told in comments.
//
// NOTE, the map of the package:
//
//	command.go   the command line: fxproto -from
//	compile.go   .proto files to descriptors
//	plugin.go    the plugin protoc-gen-fxproto
//	names.go     names in Go
//	package.go   the types of one Go package
//	field.go     fields and their struct tags
//	oneof.go     oneofs and their arms
//	enum.go      enums
//	service.go   services
package fromproto
