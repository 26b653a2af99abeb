// Package gobin generates Go code for the ZMY native format: for each root of a package the methods
// that marshal and unmarshal it, and for each struct a view that reads it in place.
//
// The shape that the plan gives to a type decides what is generated for it. Functions that append
// and decode are generated for each struct, and for each list, array and map that package wire has
// no function for. Code for any other type is generated where the type is used. In the templates
// here, local names begin with a dot (·b), and names of package wire with @@. When they are
// printed, they get names that do not shadow other names.
//
// NOTE, the map of the package:
//
//	emit.go          the file, its head and its entry points
//	assert.go identity.go  assertions about types; fingerprints
//	table.go         types as data, for verifier and views
//	fixed.go         one fixed value to bytes and back
//	append.go        a slot's content from a value
//	decode.go        a value from a slot's content
//	struct.go tails.go  functions of structs
//	flat.go          quick functions for structs whose size is known
//	union.go         functions of unions
//	column.go map.go functions of lists, arrays and maps
//	view.go          views
//
// A rule that concerns a field must hold in four places: appendTails, decodeTails, flatPut, and the
// table of types that package wire's verifier reads. The functions plain and isFlat choose fields
// for fast paths; a field with a rule of its own must not be among them.
package gobin
