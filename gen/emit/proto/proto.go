// Package proto describes Go types as a proto3 schema and prints it as .proto text.
//
// Go has more forms of values than proto3, so the mapping is part of the schema's contract:
//
//   - nil and empty slices, maps and byte strings are the same (proto3 does not
//     tell them apart): empty comes back as nil;
//   - int8…int32 share int32, uint8…uint32 share uint32, named types their kind;
//   - time.Time is seconds and nanoseconds of an instant: the zone and the
//     monotonic clock are dropped; time.Duration is int64 nanoseconds;
//   - pointers to scalars are optional, pointers to structs are messages that
//     may be absent; inside a list or a map a nil pointer to a struct comes back
//     as a pointer to the zero struct;
//   - an interface without methods is the message Value, whose arms keep the kind
//     of what is inside but not its Go type: int64 comes back as int, []string
//     as []any;
//   - big numbers keep sign, precision and rounding mode;
//   - unexported fields, and fields whose struct tag says json:"-" or zmy:"-",
//     are left out; embedded structs are fields named after their type.
package proto

import "github.com/zmylab/zmy/gen/ir"

// File is one schema. Its messages are in the order of first use, the roots first; Support messages
// come last.
type File struct {
	Package   string // proto package
	GoPackage string // option go_package, "" for none
	Source    string // import path of the Go package, for the comment at the top
	Messages  []*Message
}

// MessageKind says what a message is made from.
type MessageKind uint8

// The kinds of messages.
const (
	Struct  MessageKind = iota // one field for each field of a Go struct
	Box                        // one field that holds a Type which proto3 cannot have directly
	Entry                      // key and value of a map that proto3's map cannot express
	Support                    // one of the fixed messages: Value, Timestamp, BigInt…
)

// Message is one message.
type Message struct {
	Name   string
	Kind   MessageKind
	Type   *ir.Type // the Go type that it carries; for Entry the map, for Support nil
	Fields []*Field // none for Support, which has a fixed text
	Doc    string
}

// Card is the cardinality of a field.
type Card uint8

// The cardinalities.
const (
	One      Card = iota // a scalar, or a message that may be absent
	Optional             // a scalar with presence
	Repeated             // Value is the element
	Map                  // Key and Value
)

// Field is one field of a message.
type Field struct {
	Name   string // snake_case
	Number int32
	Card   Card
	Key    Value    // for Map
	Value  Value    // the value, the element, or the map's value
	Type   *ir.Type // the Go type that the field carries as a whole
	Go     *ir.Field
	Doc    string
}

// Value is one value on the wire. If Message carries Type.Elem, Type is a pointer to what is
// carried: see Followed.
type Value struct {
	Scalar  Scalar   // "" if Message is set
	Message *Message //
	Type    *ir.Type // the Go type of the value
	Hook    Hook     // the methods that convert the value to the scalar
}

// Followed reports whether the value is a pointer, and its message carries what it points to.
func (v Value) Followed() bool {
	return v.Type.Kind == ir.Pointer && v.Message != nil && v.Message.Type != v.Type
}

// Scalar is the proto3 name of a scalar type.
type Scalar string

// The scalars in use.
const (
	Bool   Scalar = "bool"
	Int32  Scalar = "int32"
	Int64  Scalar = "int64"
	Uint32 Scalar = "uint32"
	Uint64 Scalar = "uint64"
	Float  Scalar = "float"
	Double Scalar = "double"
	String Scalar = "string"
	Bytes  Scalar = "bytes"
)

// Hook says which methods of a Go type are used in place of its fields.
type Hook uint8

// The hooks.
const (
	None   Hook = iota
	Binary      // MarshalBinary, UnmarshalBinary: bytes
	Text        // MarshalText, UnmarshalText: string
)
