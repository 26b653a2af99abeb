// Package goproto generates Go methods that marshal and unmarshal protobuf messages of Go structs.
//
// For each struct of the plan there are four functions: one encodes, one sizes, one decodes and one
// verifies. The last two are printed by the same code.
// Structs of the package have methods that call them. The functions follow the rules of package
// internal/pbreflect, with one exception: they do not say why something is refused. The methods then
// ask reflection, through package protort. The budget for memory is charged exactly as reflection
// charges it, so that both refuse the same messages.
//
// NOTE, the map of the package:
//
//	emit.go      the file, names, methods
//	assert.go    code that does not compile once a type has changed
//	graph.go     facts about messages as a whole: which nest without end, which have text
//	encode.go    values to bytes
//	room.go      how much room the encoder asks for
//	size.go      lengths
//	decode.go    bytes to fields
//	recycle.go   values that are used again
//	value.go     bytes to values
//	narrow.go    bytes to integers of 8 and 16 bits
//	map.go       entries of maps, both ways
//	wrapper.go   google.protobuf.StringValue and the like, both ways
//	own.go       types with MarshalText or MarshalBinary, both ways
//	oneof.go     arms of interfaces, both ways
package goproto
