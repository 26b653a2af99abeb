// Package zmyreflect marshals and unmarshals ZMY messages of types without generated code. It
// describes a struct type to package zmytype, which plans it as it does for the generator. Then
// zmyreflect interprets the plan. The bytes, the accepted messages and the paths in errors are the
// same as with generated code.
//
// Reflection cannot see comments, so it cannot see directives in them. The directives of structs
// can be struct tags of blank fields instead; unions need generated code.
//
// The code for the format is written once, in terms of ref: a variable of a type in the plan. There
// are two implementations of ref. In ref_unsafe.go it is a pointer, so that a field is an offset
// and numbers are copied in runs. In ref_purego.go it is a reflect.Value; this one is the
// reference.
//
// A plan is data, not a tree of functions or interfaces. So the compiler can keep the state of a
// call on the stack.
//
// NOTE, the map of the package:
//
//	cache.go               plans by type, without locks
//	plan.go                entry points
//	typ.go                 a type of a plan
//	source.go              describes types to the packages zmytype and zmyprint
//	compile.go             from plans of zmytype to typ
//	methods.go             types with methods of their own
//	struct.go column.go maps.go slot.go fixed.go   values to bytes and back
//	ref_unsafe.go ref_purego.go   the two implementations of ref
package zmyreflect
