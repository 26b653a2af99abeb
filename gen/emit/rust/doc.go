// Package rust spells the ZMY native format in Rust: for each struct of a plan an
// owned type, a view that reads it in place, and the places of its fields.
//
// What a form of a field does is written once, in the crate zmy (rust/zmy/src):
// generated code names a form for each field, `rt::List<rt::Dense<Item>>`, and says
// where it stands. The compiler makes of it what a hand would write for the type.
//
// The output is what rustfmt makes of it. Where a line would be too long for that, as
// with forms nested deep, the function around is marked to be left alone.
//
// NOTE, the map of the package:
//
//	emit.go    the file, its head, its order
//	names.go   names of types and fields
//	types.go   values, forms, columns and views of a type
//	struct.go  structs: the owned type and its places
//	view.go    structs in place
//	union.go   unions
//	serde.go   derives of the crate serde
package rust
