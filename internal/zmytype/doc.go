// Package zmytype is the compiler of ZMY types: it alone decides what a Go type means in
// messages. It reads struct tags and directives, gives every type its shape, numbers and
// places fields, and computes layout, cost and canonical text. It hashes none: programs that
// marshal by reflection would link package crypto.
//
// A type comes from a [Source]. There are two: package gen/check describes types of source
// code, and package internal/zmyreflect describes those of the running program. Callers turn
// problems into errors of their own, and add what only they know. internal/zmymodel shares no
// code with this package; it is the oracle of tests.
//
// NOTE, the map of the package:
//
//	source.go kind.go     what a source says of a type
//	type.go               the result: types in their wire form
//	tag.go reserved.go    grammar of struct tags and directives
//	compile.go union.go   from types of a source to shapes
//	sealed.go             unions of interfaces without a directive
//	fields.go             structs: numbers, options, places
//	methods.go json.go    types with methods of their own, and forms of last resort
//	facts.go text.go      cost, memory, canonical text
package zmytype
