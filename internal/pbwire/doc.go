// Package pbwire reads and writes the elements of protobuf's wire format: varints, tags, numbers of
// fixed size, runs of bytes and groups. It knows no schema. The rules are those of
// https://protobuf.dev/programming-guides/encoding; where that text is silent, they are those of
// google.golang.org/protobuf.
//
// Elements have up to three functions. AppendX writes one, SizeX returns its length in bytes, and
// ConsumeX reads one at the start of b. ConsumeX returns the number of bytes that it read; a
// negative number is an error code, which [Error] turns into an error.
package pbwire
