// Package zmyreflect marshals and unmarshals ZMY messages of types without
// generated code. It describes a struct type to package zmytype, which plans it
// as it does for the generator, and then interprets that plan: the same bytes, the
// same verdicts, the same places in errors.
//
// What only the source says, reflection cannot see: directives in comments. Those
// of structs can be written as the struct tag of a blank field instead; unions
// need generated code.
//
// Format logic is written once, over a ref: a variable of a type known to the
// plan. There are two kinds of ref. ref_unsafe.go has a pointer, with which a
// field is an offset and numbers are copied in runs; ref_purego.go has a
// reflect.Value, and is the reference.
//
// Nothing here makes functions or calls through interfaces on the way: a plan is
// data, so that the state of a call stays on the stack.
//
// NOTE, the map of the package:
//
//	cache.go               types to plans, without locks
//	plan.go                entry points
//	typ.go                 a type in its wire form
//	source.go              what package zmytype asks of types
//	compile.go             from its plans to typ
//	methods.go             types with methods of their own
//	struct_append.go struct_decode.go column.go maps.go
//	slot_append.go slot_decode.go fixed.go   values to bytes and back
//	ref_unsafe.go ref_purego.go
package zmyreflect
