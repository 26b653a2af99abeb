// Package rust generates Rust code for the ZMY native format: for each struct of a plan an owned
// type, a view that reads it in place, and the positions of its fields.
//
// The crate zmy (rust/zmy/src) has the code for each form of a field. Generated code only names the
// form and the position of each field, as in `rt::List<rt::Dense<Item>>`. The compiler turns that
// into code as good as if it were written by hand for the type.
//
// The output is formatted as rustfmt would format it. If a function has a line that is too long for
// that, as deeply nested forms have, the function is marked with rustfmt::skip.
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
