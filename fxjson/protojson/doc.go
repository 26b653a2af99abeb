// Package protojson is ProtoJSON, protobuf's mapping to JSON, for the Go structs that package fxproto
// carries. Names are those of struct tags json, and protobuf's own for fields without one: UnitPrice is
// unitPrice. Names of .proto files (unit_price) are read too.
//
//	int32, uint32, bool, string    as in JSON
//	int64, uint64                  strings: "9007199254740993"
//	float32, float64               numbers, or "NaN", "Infinity", "-Infinity"
//	[]byte                         base64; the alphabet for URLs, and text without padding, are read too
//	time.Time                      RFC 3339 in UTC with 0, 3, 6 or 9 digits: "2026-01-02T03:04:05.600Z"
//	time.Duration                  seconds with 0, 3, 6 or 9 digits: "1.500s"
//	enums                          names, if the type has the method ProtoValues, else numbers
//	wrappers                       as the value in them
//	any, map[string]any, []any     any JSON, an object, an array
//	oneofs                         the member of the arm; at most one arm of a oneof may be there
//	null                           an absent field; not an element of a list or a value of a map
//
// A null is a value only of type any. In a field of this type it is the same as no member.
//
// The object of a fxproto.Any has the member @type, which is its TypeURL, and the members of its message.
// If the message is one of google.protobuf with a JSON form of its own, such as Duration, that form is
// in the member value. Option Resolver gives the Go types; without it, an Any that is not empty is refused
// with [ErrAny].
//
// An enum has names if its type has this method, which returns the numbers of the names. The command
// fxproto -from writes it. If two names have one number, String chooses between them.
//
//	ProtoValues() map[string]int32
//
// # Compared with google.golang.org/protobuf/encoding/protojson
//
// Documents and accepted inputs are those of that package for the equivalent schema; tests compare
// both. There are these differences on purpose:
//
//   - The output has no white space, and members are always in the order of the Go fields.
//   - A number whose exponent has no digits, 1e, is refused.
//   - Durations that time.Duration does not hold are refused, and bytes that do not fit into their Go
//     array. In the output a time.Time must be in the years 1 to 9999.
//   - Memory for the result is limited; see [UnmarshalOptions].MaxMemory.
//   - Unknown fields that a struct keeps are not written. Extensions have no members.
//   - A Value without a kind is null. The difference between a Value that is null and none is lost, as
//     package fxproto has it.
//   - Own structs for messages of google.protobuf, such as FieldMask or Empty, are objects with the members
//     that any struct has, also in an Any.
//
// NOTE, the map of the package:
//
//	protojson.go   functions and options
//	plan.go        plans of types, kept for ever
//	encode.go      values to documents
//	decode.go      documents to messages and fields
//	scalar.go      documents to single values
//	number.go      integers in all forms that JSON has for them
//	known.go       times and durations
//	oneof.go       interfaces with the arms of oneofs
//	dynamic.go     values of any content
//	any.go         messages of any type, which a Resolver finds
//	errors.go      errors with a path and an offset
package protojson
