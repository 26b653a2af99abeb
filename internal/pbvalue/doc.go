// Package pbvalue reads and writes google.protobuf.Value, Struct and ListValue for Go values of type any,
// map[string]any and []any. Reflection and generated code both call it, so that they agree.
//
//	Go                        google.protobuf.Value
//	nil                       null_value
//	bool                      bool_value
//	float64                   number_value
//	string                    string_value
//	map[string]any            struct_value
//	[]any                     list_value
//
// Encoders also take other numbers and json.Number as a number_value.
//
// NOTE, the map of the package:
//
//	encode.go   values to bytes, and lengths
//	decode.go   bytes to values
//	memory.go   the budget of decoders
package pbvalue
