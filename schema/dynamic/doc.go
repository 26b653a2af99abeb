// Package dynamic reads and writes messages of ZMY native by their schema alone,
// without the Go type: for tools, gateways and archives.
//
// A message becomes a tree of [Struct], [Union], [Map], []any and the values of the
// Go types that the format carries; a tree becomes the very bytes that generated
// code writes for the value. Both ways lead on to JSON, in one of two forms. The
// plain one is that of encoding/json for the Go type. The lossless one keeps what
// JSON has no form for, and reads back as the same message, byte for byte: see
// [JSONOptions].
//
// Schema and message may come from anywhere: the message is verified before
// anything is made of it, and what is made stays within a budget.
//
// NOTE, the map of the package:
//
//	dynamic.go               codec and tree
//	walk*.go                 from messages to trees
//	encode*.go               from trees to messages
//	names.go                 what JSON calls the fields
//	json*.go                 from trees to JSON
//	parse*.go                from JSON to trees
//	text.go                  times and floats as text
//	path.go                  which field an error lies in
package dynamic
