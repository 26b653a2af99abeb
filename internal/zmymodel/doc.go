// Package zmymodel is a second, slow implementation of the ZMY native format. It is written from
// spec/FORMAT.md alone and shares no code with package wire. Tests compare the fast code with it,
// and it writes the vectors. So it is kept plain: one function for each rule, in the order of the
// page, and no fast paths.
//
// NOTE, the map of the package:
//
//	types.go    types, and how they are parsed from spec/vectors/schemas.txt
//	layout.go   sections, sizes, costs and versions of types
//	text.go     canonical text and fingerprint
//	value.go    values
//	encode.go   values to bytes; any_encode.go for any
//	envelope.go envelopes and streams; inflate.go for compressed ones
//	decode.go   bytes to values: structs; slot.go, list.go, any_decode.go for their fields
//	json.go     values as JSON, in the form of the vectors
//	random.go   random values of a type
//	mutate.go   damaged messages
package zmymodel
