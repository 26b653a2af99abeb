// Package zmytype is the compiler of ZMY types: it alone decides what a Go type means in messages.
// It reads struct tags and directives. It gives every type its shape, gives fields their numbers
// and places, and computes layout, cost and canonical text. It computes no hashes: package crypto
// would be linked into programs that marshal by reflection.
//
// A [Source] describes Go types. There are two: package gen/check describes the types of source
// code, and package internal/zmyreflect those of the running program. Callers turn problems into
// their own errors, and add what only they know. internal/zmymodel, the slow model that tests
// compare with, shares no code with this package.
//
// Terms. A field or a type is carried if messages contain its values; a field is left out if they
// do not. The form of a type is how messages encode it. One Go type may have several forms, because
// options of fields choose among them. So an option that changes the bytes belongs to a [Type], and
// one that does not to the [Place] of a field. A source is blind if it does not see comments.
//
// NOTE, the map of the package:
//
//	source.go kind.go     what a source must say about a type
//	type.go               the result: planned types
//	tag.go                grammar of struct tags and directives
//	compile.go union.go   from types of a source to shapes
//	fields.go             structs: numbers, options, places
//	methods.go json.go    types with methods of their own, and forms of last resort
//	facts.go text.go      cost, memory and canonical text
package zmytype
