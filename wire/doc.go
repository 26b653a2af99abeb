// Package wire reads and writes the bytes of the ZMY native format, for generated code.
// spec/FORMAT.md describes the format, and the names here are those of that page.
//
// Terms. A slot is a range of bytes whose length the reader knows from its container. A struct
// keeps its fixed-size fields, the scalars, in one section, and every other field in a tail. For
// each tail it stores an end, the offset at which the tail ends. A list stores boundaries: where
// its first element starts and where each element ends. Ends and boundaries are words: two bytes in
// a narrow container, of at most 65,535 bytes, and four in a wide one. A dense list stores the
// header of its structs once. Since the length of a slot is known, readers here take exactly the
// slot's bytes and return a [Code], not a number of bytes consumed.
//
// NOTE, the map of the package:
//
//	code.go error.go       error codes, and errors with their places
//	encoder.go decoder.go  the state of one call: limits, budget, flags
//	scalar.go time.go big.go text.go   values
//	words.go               writing ends and boundaries, widening them
//	open.go list.go        reading structs and lists, except for fast paths
//	unknown.go             fields of newer versions of a struct, and reserved fields
//	put*.go strings.go packed*.go  strings; columns of strings and of scalars
//	maps.go pairs.go stringmap.go  key and value columns
//	sparse.go              structs with a bitmap of their fields
//	union.go               unions
//	methods.go             types with methods of their own
//	any*.go box_*.go       values of type any, and memory that they share
//	buffer_*.go            memory for large messages
//	desc.go verify*.go     types described as data, and the deep verifier with its fast path
//	view.go view_decode.go reading in place, and decoding what cannot be shown so
package wire

// Version is the version of this package's contract with generated code. MinVersion is the oldest
// version that this package still supports. Generated code of any other version does not compile.
const (
	Version    = 4
	MinVersion = 3
)

// Narrow is the length in bytes of the largest container whose words have two bytes.
const Narrow = 65535

// The header of a struct packs the size of its scalar section and the number of its tails.
const (
	MaxScalars = 1<<14 - 1 // bytes of a struct's scalar section
	MaxTails   = 1<<14 - 1 // tails of a struct
	MaxFixed   = 255       // bytes of the longest array inside the scalar section
	headLen    = 4
)

// Header returns the header of a struct with s bytes of scalars and n tails.
func Header(s, n int) uint32 { return uint32(s) | uint32(n)<<14 }

// SplitHeader is the inverse of [Header]. reserved is not 0 if bits are set that have no meaning in
// this version.
func SplitHeader(h uint32) (s, n int, reserved uint32) {
	return int(h & MaxScalars), int(h >> 14 & MaxTails), h >> 28
}

// WordSize returns the size in bytes of the words in a container of n bytes.
func WordSize(n int) int {
	if n <= Narrow {
		return 2
	}
	return 4
}
