package schema

import "fmt"

// Kind is the kind of a type. The numbers are part of schema blocks: never change one, only append.
type Kind uint8

// The kinds.
const (
	Bool Kind = iota + 1
	Int8
	Int16
	Int32
	Int64 // Go's int too
	Uint8
	Uint16
	Uint32
	Uint64 // Go's uint and uintptr too
	Float32
	Float64
	Complex64
	Complex128
	Time
	Duration
	String
	Bytes
	JSON // JSON text, not parsed
	Any
	BigInt
	BigFloat
	List
	Array
	Map
	Opt // a pointer, or a slice or map with the tag nilable
	Struct
	Union
	TimeUnixNano // a time as i64 nanoseconds since 1970
	TimeZone     // a time with the offset of its zone in seconds
	OwnZMY       // bytes that a type's own AppendZMY writes
	OwnBinary    // bytes that a type's own AppendBinary writes
	OwnText      // text that a type's own AppendText writes
	Reserved     // a deleted field: Len bytes, or a tail if Len is 0; Name is the canonical text of its type
	numKinds
)

// kinds has the name of each kind in canonical texts, and the size in bytes of scalars.
var kinds = [numKinds]struct {
	name string
	size int
}{
	Bool: {"bool", 1}, Int8: {"int8", 1}, Int16: {"int16", 2}, Int32: {"int32", 4}, Int64: {"int64", 8},
	Uint8: {"uint8", 1}, Uint16: {"uint16", 2}, Uint32: {"uint32", 4}, Uint64: {"uint64", 8},
	Float32: {"float32", 4}, Float64: {"float64", 8}, Complex64: {"complex64", 8}, Complex128: {"complex128", 16},
	Time: {"time", 12}, Duration: {"duration", 8}, TimeUnixNano: {"time:unixnano", 8}, TimeZone: {"time:zone", 16},
	String: {"string", 0}, Bytes: {"bytes", 0}, JSON: {"bytes:json", 0}, Any: {"any", 0}, BigInt: {"bigint", 0}, BigFloat: {"bigfloat", 0},
	OwnZMY: {"zmy", 0}, OwnBinary: {"binary", 0}, OwnText: {"text", 0}, Reserved: {"reserved", 0},
	List: {"list", 0}, Array: {"array", 0}, Map: {"map", 0}, Opt: {"opt", 0}, Struct: {"struct", 0}, Union: {"union", 0},
}

// String returns the kind's name in canonical texts.
func (k Kind) String() string {
	if k == 0 || k >= numKinds {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kinds[k].name
}

func (k Kind) isSigned() bool   { return Int8 <= k && k <= Int64 || k == Duration }
func (k Kind) isUnsigned() bool { return Uint8 <= k && k <= Uint64 }
func (k Kind) isInteger() bool  { return Int8 <= k && k <= Uint64 }
func (k Kind) hasElem() bool    { return List <= k && k <= Opt }
func (k Kind) hasFields() bool  { return k == Struct || k == Union }
