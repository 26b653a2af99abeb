// Package wire holds the bytes of the ZMY native format: what generated code
// calls to write and to read them. The format itself is spec/FORMAT.md; the
// names here are its names.
//
// Terms. A slot is a range of bytes whose length the parent knows. A struct
// keeps its fixed-size fields in a scalar section and everything else in tails;
// for each tail it stores where the tail ends. A word is an end or a boundary:
// two bytes in a container of at most 65,535 bytes, four in a larger one. Since
// each slot's length is known from outside, readers here take exactly the
// slot's bytes and return a [Code], not a count of bytes consumed.
//
// NOTE, the map of the package:
//
//	code.go error.go       what can be wrong, and where
//	encoder.go decoder.go  the state of one call: limits, budget, flags
//	scalar.go time.go big.go text.go   values
//	words.go               writing ends and boundaries, widening them
//	open.go list.go        reading structs and lists, fast path aside
//	unknown.go             what newer versions of a struct added
//	put*.go strings.go packed*.go  strings; columns of strings and of scalars
//	maps.go stringmap.go   key and value columns
//	sparse.go              structs that say which fields they have
//	union.go               one of several structs
//	methods.go             types with methods of their own
//	any*.go box_*.go       values of type any, and memory that they share
//	buffer_*.go            memory for large messages
//	desc.go verify*.go     types described as data, and the deep verifier with its fast path
//	view.go view_decode.go reading in place, and decoding what cannot be shown so
package wire

// Version is the version of this package's contract with generated code, and
// MinVersion the oldest one that it still serves. Generated files refuse to
// compile outside of that range.
const (
	Version    = 3
	MinVersion = 3
)

// Narrow is the length of the largest container whose words take two bytes.
const Narrow = 65535

// A struct header packs the size of the scalar section and the number of tails.
const (
	MaxScalars = 1<<14 - 1 // bytes of a struct's scalar section
	MaxTails   = 1<<14 - 1 // tails of a struct
	MaxFixed   = 255       // bytes of the longest array that stands among the scalars
	headLen    = 4
)

// Header is the header of a struct with s bytes of scalars and n tails.
func Header(s, n int) uint32 { return uint32(s) | uint32(n)<<14 }

// SplitHeader is the inverse of [Header]; reserved is not zero when bits are
// set that this version gives no meaning to.
func SplitHeader(h uint32) (s, n int, reserved uint32) {
	return int(h & MaxScalars), int(h >> 14 & MaxTails), h >> 28
}

// WordSize is the size of the words in a container of n bytes.
func WordSize(n int) int {
	if n <= Narrow {
		return 2
	}
	return 4
}
