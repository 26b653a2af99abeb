// Package dynamic reads and writes messages of ZMY native with nothing but their schema: no Go type
// is needed. It is for tools, gateways and archives.
//
// Decoding turns a message into a tree of [Struct], [Union], [Map], []any and the Go types of
// scalars. Encoding turns a tree into the bytes that generated code writes for the same value.
// Trees are written as JSON and read from JSON, in one of two forms. The plain form is that of
// encoding/json for the Go type. The lossless form preserves values that JSON cannot express: it
// reads back as the same message, byte for byte. See [JSONOptions].
//
// Schema and message may come from any source. A message is verified before it is decoded, and the
// tree stays within a budget.
//
// NOTE, the map of the package:
//
//	dynamic.go               codec, tree, and the paths of errors
//	walk*.go                 from messages to trees
//	encode*.go               from trees to messages
//	names.go                 names of fields in JSON
//	json*.go                 from trees to JSON
//	parse*.go                from JSON to trees
//	text.go                  times and floats as text
package dynamic
