// Package dissect takes messages of ZMY native apart, byte by byte. For each part it says where the
// part is, to which field it belongs and what it means. It is for tools that show messages, damaged
// ones above all.
//
// With the schema of the message every field has its name and its value. Without the schema only
// the structure remains that a message shows by itself: headers, sections and ends. The contents of
// tails are guessed, and marked as guesses. No message is refused: invalid bytes become a part with
// the role [Damaged], and the walk goes on where it can. To learn what exactly is wrong call
// wire.Verify.
//
// NOTE, the map of the package:
//
//	dissect.go   parts, options, the walk
//	structs.go   structs, dense and sparse
//	lists.go     lists, arrays, maps
//	values.go    leaves: scalars, strings, numbers; unions
//	any.go       values of type any
//	guess.go     what a slot might be, without a schema
package dissect
