package zmytype

import (
	"strings"

	"github.com/zmylab/zmy/wire"
)

// Plan says how messages carry the roots and all types within them.
type Plan[T, F comparable] struct {
	Types []*Type[T, F] // in depth-first order; each one's ID is its index
	Notes []Note[T, F]  // types and fields that messages do not carry exactly as Go has them
	Roots []*Type[T, F] // structs
}

// Note says that a field or a whole type is left out of messages, carried as JSON, or carried
// without some of its values.
type Note[T, F comparable] struct {
	Owner T      // the struct, or the interface of a union
	Field F      // the zero F if the note is about Owner itself
	Left  bool   // it is left out; otherwise it is carried as encoding/json writes it
	Part  bool   // it has a form of its own, which cannot carry all of its values
	Why   string // "it has json:\"-\""
}

// Shape says how a value of a type is laid out in its slot.
type Shape uint8

// The shapes.
const (
	ShapeFixed       Shape = iota // Size bytes among the scalars
	ShapeString                   // UTF-8
	ShapeBytes                    // bytes, raw JSON
	ShapePacked                   // slice of fixed values
	ShapeFixedTail                // array of fixed values, Size bytes, too long for the scalars
	ShapeList                     // slice of anything else
	ShapeDense                    // slice of structs, or of pointers to them
	ShapeArray                    // array of Size variable values
	ShapeMap                      //
	ShapeStruct                   // a struct with a header
	ShapePtrStruct                // pointer to a struct
	ShapePtrFixed                 // pointer to a fixed value
	ShapeOpt                      // pointer to a string, slice or map; a slice or map with the option nilable
	ShapeAny                      //
	ShapeBigInt                   // big.Int
	ShapeBigFloat                 // big.Float
	ShapePtrBigInt                // *big.Int
	ShapePtrBigFloat              // *big.Float
	ShapeMethods                  // bytes or text that the type's own methods write
	ShapeSparse                   // a struct with a bitmap of the fields that it has
	ShapeUnion                    // an interface that one of Arms implements
)

var shapes = [...]string{
	"ShapeFixed", "ShapeString", "ShapeBytes", "ShapePacked", "ShapeFixedTail", "ShapeList", "ShapeDense",
	"ShapeArray", "ShapeMap", "ShapeStruct", "ShapePtrStruct", "ShapePtrFixed", "ShapeOpt", "ShapeAny",
	"ShapeBigInt", "ShapeBigFloat", "ShapePtrBigInt", "ShapePtrBigFloat", "ShapeBytes",
	"ShapeSparse", "ShapeUnion",
}

// String returns the shape's name in package wire. ShapeMethods is ShapeBytes there; but see
// [Type.Carried].
func (s Shape) String() string { return shapes[s] }

// TimeForm is the form of a time.
type TimeForm uint8

// The forms of a time.
const (
	Instant  TimeForm = iota // seconds and nanoseconds
	Zone                     // an Instant and the offset of its zone
	UnixNano                 // nanoseconds since 1970
)

// Via says which of its own methods carry a type.
type Via uint8

// The methods.
const (
	ViaNone Via = iota
	ViaZMY
	ViaBinary
	ViaText
	ViaJSON // as encoding/json writes it, even if the type has no JSON methods
)

// Type is one Go type in one form. For example the type of a field with the option nilable is a
// Type whose Elem is the Type without that option.
type Type[T, F comparable] struct {
	ID      int
	Type    T // the Go type; for ShapeOpt the pointer, slice or map; the zero T for a reserved field
	Kind    Kind
	Len     int64 // of a Go array
	Shape   Shape
	Domain  wire.Domain      // ShapeFixed
	Order   wire.Order       // ShapeMap
	Time    TimeForm         // ShapeFixed of a time
	Via     Via              // ShapeMethods
	Appends bool             // ViaBinary and ViaText: by Append… in place of Marshal…
	Arms    []UnionArm[T, F] // ShapeUnion, by discriminator
	Gone    []Record         // ShapeUnion: former arms, whose numbers stay reserved
	Size    int              // ShapeFixed, ShapeFixedTail: bytes; ShapeArray: elements
	Elem    *Type[T, F]      // element of slices, arrays, maps and pointers; of ShapeOpt, what follows its first byte
	Key     *Type[T, F]      // ShapeMap
	Words   string           // of a reserved field, the canonical text of its type
	ElemPtr bool             // elements are *Elem in Go and must not be nil: []*T is carried as []T
	Cost    int              // units of the budget that one value takes
	Memory  int              // bytes of a Go value itself, with the zones of its times

	// ShapeStruct and ShapeSparse have all fields below. An inline struct, which is ShapeFixed, has
	// Fields, Skips and Limits.
	Fields  []*Place[T, F] // in number order
	Scalars int            // bytes of the scalar section
	Tails   int            // number of tails
	Older   []uint32       // headers of the older versions: with the first field only, with the first two, …
	Unknown F              // Go field of type zmy.Unknown, which keeps fields of newer versions; zero for none
	unknown string         // name of that field
	After   bool           // the struct has the method AfterUnmarshalZMY
	Skips   bool           // Go fields are left out, here or in a struct inside
	Limits  Limits         // limits of writers, from a directive
}

// UnionArm is an arm of a union.
type UnionArm[T, F comparable] struct {
	Disc int
	Type *Type[T, F] // a struct
	Arm  Arm[T]
}

// Place is one field of a struct and its place in messages.
type Place[T, F comparable] struct {
	Number     int
	Field      F            // the zero F for a reserved number
	Source     *Field[F, T] // nil for a reserved number
	Type       *Type[T, F]
	Offset     int // of a scalar: bytes from the start of the scalar section
	Tail       int // index of the tail; -1 for a scalar
	Deprecated bool
}

// Reserved reports whether the number is reserved: Go no longer has a field for it.
func (p *Place[T, F]) Reserved() bool { return p.Source == nil }

// IsStruct reports whether t is a struct with a header of its own, dense or sparse.
func (t *Type[T, F]) IsStruct() bool { return t.Shape == ShapeStruct || t.Shape == ShapeSparse }

// KeepsUnknown reports whether t is a struct with a field of type zmy.Unknown.
func (t *Type[T, F]) KeepsUnknown() bool {
	var none F
	return t.Unknown != none
}

// JSONName returns the field's name in JSON: "" if that is its Go name, "-" if it has none.
func (p *Place[T, F]) JSONName() string {
	tag := p.Source.Tag.Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-" || !p.Source.Exported && !p.Source.Embedded:
		return "-"
	case name == p.Source.Name:
		return ""
	}
	return name
}

// Promotes reports whether the field is an embedded struct whose fields JSON writes as members of
// the outer object.
func (p *Place[T, F]) Promotes() bool { return p.Source.ofStruct && p.JSONName() == "" }

// Nilable reports whether t is a ShapeOpt that distinguishes nil from empty: a slice or map with
// the option nilable, or a pointer to a slice or map. The budget is not charged for it.
func (t *Type[T, F]) Nilable() bool {
	if t.Shape != ShapeOpt || t.Kind != Pointer {
		return t.Shape == ShapeOpt
	}
	switch t.Elem.Shape {
	case ShapeBytes, ShapePacked, ShapeList, ShapeDense, ShapeMap:
		return true
	}
	return false
}

// IsSet reports whether t is a map whose values take no bytes.
func (t *Type[T, F]) IsSet() bool {
	return t.Shape == ShapeMap && t.Elem.Shape == ShapeStruct && len(t.Elem.Fields) == 0
}

// Carried returns the shape as a program without the Go type sees it: in place of ShapeMethods it
// returns ShapeString or ShapeBytes.
func (t *Type[T, F]) Carried() Shape {
	switch {
	case t.Shape != ShapeMethods:
		return t.Shape
	case t.Via == ViaText:
		return ShapeString
	}
	return ShapeBytes
}

// Header returns the header of a ShapeStruct.
func (t *Type[T, F]) Header() uint32 { return uint32(t.Scalars) | uint32(t.Tails)<<14 }

// Parts returns the types that t is made of.
func (t *Type[T, F]) Parts() (parts []*Type[T, F]) {
	if t.Key != nil {
		parts = append(parts, t.Key)
	}
	if t.Elem != nil {
		parts = append(parts, t.Elem)
	}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	for _, a := range t.Arms {
		parts = append(parts, a.Type)
	}
	return parts
}
