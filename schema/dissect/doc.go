// Package dissect takes messages of ZMY native apart byte by byte, and says of each
// part where it stands, to which field it belongs and what it means: for tools
// that show messages, damaged ones above all.
//
// With the schema of the message every field has its name and its value. Without
// it the skeleton is left, which a message shows by itself: headers, sections,
// ends; what stands in the tails is guessed at, and marked as a guess. Nothing
// is ever refused: what does not fit is a part too, of role [Damaged], and the
// walk goes on where it can. What exactly is wrong says wire.Verify.
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
