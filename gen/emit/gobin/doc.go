// Package gobin spells the ZMY native format in Go: for each root of a package
// the methods that marshal and unmarshal it, and for each struct a view that
// reads it in place.
//
// What is generated for a type is chosen by the shape that the plan gives it:
// each struct, and each list, array and map that package wire has no function
// for, gets a function that appends and one that decodes; everything else is
// spelled where it is used. Local names in the templates here are written with
// a dot before them (·b); printing gives them names that hide nothing.
//
// NOTE, the map of the package:
//
//	emit.go          the file, its head and its assertions
//	table.go         types as data, for verifier and views
//	fixed.go         one fixed value to bytes and back
//	append.go        a slot's content from a value
//	decode.go        a value from a slot's content
//	struct.go tails.go  functions of structs
//	union.go         functions of unions
//	column.go map.go functions of lists, arrays and maps
//	view.go          views
package gobin
