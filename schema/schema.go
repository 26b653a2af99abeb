package schema

//go:generate zmy gen -type=Schema

import (
	"fmt"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/wire"
)

// Schema describes the type of a message and all types within it.
type Schema struct {
	// Types is the table of types. Types[0] is the type of the message, a struct. A schema from Of
	// or Parse lists each type once, in the order in which it is first used.
	Types []Type `json:"types" zmy:"0"`
	// Limits are the limits that writers keep to, for [Diff]; 0 means the default.
	Limits Limits `json:"limits,omitzero" zmy:"1"`
}

// Limits are the limits of a type's messages: see zmy.MarshalOptions.
type Limits struct {
	MaxWire  uint32 `json:"maxWire,omitempty" zmy:"0"`
	MaxRaw   uint32 `json:"maxRaw,omitempty" zmy:"1"`
	MaxDepth uint32 `json:"maxDepth,omitempty" zmy:"2"`
}

// Type describes one type.
type Type struct {
	Kind Kind `json:"kind" zmy:"0"`
	// Elem is the index of the element type of a List, Array, Map or Opt; 0 for other kinds.
	Elem uint32 `json:"elem,omitempty" zmy:"1"`
	// Key is the index of the type of a Map's keys.
	Key uint32 `json:"key,omitempty" zmy:"2"`
	// Len is the number of elements of an Array, or the number of bytes of a Reserved.
	Len uint32 `json:"len,omitempty" zmy:"3"`
	// Lineage is the identity of a struct type across renames and moves; 0 is unknown.
	Lineage uint64 `json:"lineage,omitempty" zmy:"4"`
	// Sparse marks a Struct whose messages have a bitmap of the fields that they contain.
	Sparse bool `json:"sparse,omitempty" zmy:"5"`
	// Deprecated marks a Struct or Union that should not be used any more.
	Deprecated bool `json:"deprecated,omitempty" zmy:"6"`
	// Name is the name of a Struct, a Union, or an integer type with named values: "Order". It may
	// be empty. For a Reserved it is the canonical text.
	Name string `json:"name,omitempty" zmy:"7"`
	// Fields are the fields of a Struct, numbered 0, 1, 2 …, or the arms of a Union, in increasing
	// order of their numbers, which start at 1.
	Fields []Field `json:"fields,omitempty" zmy:"8"`
	// Values are the named values of an integer type.
	Values []Value `json:"values,omitempty" zmy:"9"`
}

// Field is a field of a struct or an arm of a union.
type Field struct {
	Number     uint32 `json:"number" zmy:"0"`
	Type       uint32 `json:"type" zmy:"1"`
	Deprecated bool   `json:"deprecated,omitempty" zmy:"2"` // still read and written
	Reserved   bool   `json:"reserved,omitempty" zmy:"3"`   // deleted from the source; messages still have its slot
	Inline     bool   `json:"inline,omitempty" zmy:"4"`     // a struct inside the scalar section; its type is used nowhere else
	Embedded   bool   `json:"embedded,omitempty" zmy:"5"`   // in JSON its fields are fields of the struct around it
	Name       string `json:"name" zmy:"6"`
	// JSON is the name in JSON if that is not Name; "-" means no name.
	JSON string `json:"json,omitempty" zmy:"7"`
}

// JSONName returns the field's name in JSON, "" if it has none.
func (f *Field) JSONName() string {
	switch f.JSON {
	case "":
		return f.Name
	case "-":
		return ""
	}
	return f.JSON
}

// Value is a named value of an integer type.
type Value struct {
	Number int64  `json:"number" zmy:"0"`
	Name   string `json:"name" zmy:"1"`
}

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

// kinds has the name of each kind in canonical texts, the size in bytes of scalars, and the shape
// of other kinds. [Schema.shape] makes it more precise for some element types.
var kinds = [numKinds]struct {
	name  string
	size  int
	shape wire.Shape
}{
	Bool: {"bool", 1, 0}, Int8: {"int8", 1, 0}, Int16: {"int16", 2, 0}, Int32: {"int32", 4, 0}, Int64: {"int64", 8, 0},
	Uint8: {"uint8", 1, 0}, Uint16: {"uint16", 2, 0}, Uint32: {"uint32", 4, 0}, Uint64: {"uint64", 8, 0},
	Float32: {"float32", 4, 0}, Float64: {"float64", 8, 0}, Complex64: {"complex64", 8, 0}, Complex128: {"complex128", 16, 0},
	Time: {"time", 12, 0}, Duration: {"duration", 8, 0}, TimeUnixNano: {"time:unixnano", 8, 0}, TimeZone: {"time:zone", 16, 0},
	String: {"string", 0, wire.ShapeString}, OwnText: {"text", 0, wire.ShapeString},
	Bytes: {"bytes", 0, wire.ShapeBytes}, JSON: {"bytes:json", 0, wire.ShapeBytes}, OwnZMY: {"zmy", 0, wire.ShapeBytes},
	OwnBinary: {"binary", 0, wire.ShapeBytes}, Reserved: {"reserved", 0, wire.ShapeBytes}, Any: {"any", 0, wire.ShapeAny},
	BigInt: {"bigint", 0, wire.ShapeBigInt}, BigFloat: {"bigfloat", 0, wire.ShapeBigFloat},
	List: {"list", 0, wire.ShapeList}, Array: {"array", 0, wire.ShapeArray}, Map: {"map", 0, wire.ShapeMap}, Opt: {"opt", 0, wire.ShapeOpt},
	Struct: {"struct", 0, wire.ShapeStruct}, Union: {"union", 0, wire.ShapeUnion},
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

// MaxBlock is the largest size of a schema block in bytes.
const MaxBlock = 1 << 20

// Marshal returns s as a schema block: a message of type Schema.
func (s *Schema) Marshal() ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.AppendZMYOptions(nil, zmy.MarshalOptions{MaxWire: MaxBlock})
}

// Parse reads a schema block and checks it. It is safe for bytes from any source. It refuses blocks
// with kinds that this version does not know.
func Parse(block []byte) (*Schema, error) {
	s := new(Schema)
	if err := s.UnmarshalZMYOptions(block, zmy.UnmarshalOptions{MaxWire: MaxBlock}); err != nil {
		return nil, fmt.Errorf("schema: parse block: %w", err)
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}
