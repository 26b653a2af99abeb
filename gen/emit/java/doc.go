// Package java generates Java 17 for the types of a plan: for each struct a record, a codec and a
// view, for each union a sealed interface, and one class with all codecs. The generated code calls
// the library under java/. It is as small as possible: all rules of the format are in the library.
//
// NOTE: the map of the package
//
//	emit.go    the files for a plan, and the names of classes
//	names.go   identifiers of Java
//	types.go   which Java type stands for a type, and how it is read and written
//	record.go  records and their builders
//	codec.go   codecs, and methods that read structs
//	append.go  methods that write structs
//	union.go   sealed interfaces
//	values.go  names of integers
//	table.go   the class that holds all codecs
//	view.go    views
//	source.go  lines, imports, comments
package java
