package pbtype

import "github.com/zmylab/zmy/internal/zmytype"

// A Plan says how messages carry a struct type and all types within it.
type Plan[T, F comparable] struct {
	Root     *MessageType[T, F]
	Messages []*MessageType[T, F] // by ID; Root is the first
	Notes    []Note[T, F]
}

// MessageType is a struct type. It may contain itself.
type MessageType[T, F comparable] struct {
	ID      int // index in Plan.Messages
	Type    T
	Fields  []Field[T, F] // in the order in which they are encoded: by number, arms of oneofs last
	Oneofs  []string      // names, in the order of their first arms in the struct
	Unknown *zmytype.Field[F, T]
}

// Shape is how many values a field has.
type Shape uint8

// The shapes.
const (
	Single Shape = iota
	List
	Map
)

// Presence says when a single field is encoded.
type Presence uint8

// The presences.
const (
	Implicit Presence = iota // if it is not zero, or the encoding of the struct not empty
	Always                   // always: the type or its tag has presence, but the Go value has no form for absent
	Nilable                  // if the pointer or the slice of bytes is not nil
)

// Field is a carried field of a struct.
type Field[T, F comparable] struct {
	Of       F
	Name     string
	Number   int32
	Shape    Shape
	Presence Presence    // of Single
	Packed   bool        // of List
	Oneof    int         // index in MessageType.Oneofs, -1 if the field is no arm
	Arm      *Arm[T, F]  // set if the Go field is an interface, of which this field is an arm
	Key      Value[T, F] // of Map
	Value    Value[T, F] // the value itself, the elements of a List, or the values of a Map
}

// Arm says which values of an interface are an arm of a oneof. A field that has it stands for this arm
// alone: the other arms of the interface are fields with the same Of.
type Arm[T, F comparable] struct {
	Type    T                    // the struct that the interface holds, or a pointer to it
	Value   bool                 // decoders store the struct itself, not a pointer; encoders take both
	Pointer bool                 // a pointer to it implements the interface
	Inner   *zmytype.Field[F, T] // the struct's field that has the arm's value; nil if the struct itself is the value
}

// Value says how one value is encoded.
type Value[T, F comparable] struct {
	Type    T    // the Go type, without the pointer
	Pointer bool // the Go value is a pointer to Type
	Kind    Kind
	Wrapped Kind               // of Wrapper: the kind of its field 1
	Raw     bool               // of String: bytes that are no UTF-8 are allowed
	Len     int                // of Bytes: the length of a Go array, 0 for a slice
	Narrow  bool               // of integers: the Go type has 8 or 16 bits, unlike the kind
	Message *MessageType[T, F] // of Message and Group
}

// Note says that a field is not carried, although no struct tag leaves it out.
type Note[T, F comparable] struct {
	Owner T
	Field F
	Path  string // from the root: "Order.Items[].Total"
	Why   string
}

// Problem says why a type is refused.
type Problem[T, F comparable] struct {
	Type  T      // the struct that has the problem
	Field F      // the zero F if the problem is at Type
	Path  string // from the root: "Order.Items[].Done"
	Msg   string // what is wrong
	Hint  string // what to do next
}

// String returns one line.
func (p *Problem[T, F]) String() string { return p.Path + ": " + p.Msg + "; " + p.Hint }
