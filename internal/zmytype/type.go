package zmytype

import "strings"

// Plan says how messages carry roots and all types that they reach.
type Plan[T, F comparable] struct {
	Types []*Type[T, F] // in depth-first order; each one's ID is its index
	Notes []Note[T, F]  // what is not carried as the Go type says
	Roots []*Type[T, F] // structs
}

// A Note says of a field, or of a whole type, that it is left out of messages, carried as
// JSON, or carried without some of its values.
type Note[T, F comparable] struct {
	Owner T      // the struct, or the interface of a union
	Field F      // the zero F for the owner itself
	Left  bool   // left out; else carried as encoding/json writes it
	Part  bool   // carried in a form of its own, but not all of its values
	Why   string // "it has json:\"-\""
}

// Shape is how a type stands in its slot. Its String is the name that
// package wire gives it.
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
	ShapeOpt                      // pointer to a string, slice or map; a slice or map whose nil and empty differ
	ShapeAny                      //
	ShapeBigInt                   // big.Int
	ShapeBigFloat                 // big.Float
	ShapePtrBigInt                // *big.Int
	ShapePtrBigFloat              // *big.Float
	ShapeMethods                  // what the type's own methods write
	ShapeSparse                   // a struct that says which fields it has
	ShapeUnion                    // an interface that one of Arms implements
)

var shapes = [...]string{
	"ShapeFixed", "ShapeString", "ShapeBytes", "ShapePacked", "ShapeFixedTail", "ShapeList", "ShapeDense",
	"ShapeArray", "ShapeMap", "ShapeStruct", "ShapePtrStruct", "ShapePtrFixed", "ShapeOpt", "ShapeAny",
	"ShapeBigInt", "ShapeBigFloat", "ShapePtrBigInt", "ShapePtrBigFloat", "ShapeBytes",
	"ShapeSparse", "ShapeUnion",
}

// String is the shape's name in package wire; what methods write as text is
// ShapeString there.
func (s Shape) String() string { return shapes[s] }

// TimeForm is the form of a time.
type TimeForm uint8

// The forms of a time.
const (
	Instant  TimeForm = iota // seconds and nanoseconds
	Zone                     // and the zone's offset
	UnixNano                 // nanoseconds since 1970
)

// Via is which methods a type takes part by.
type Via uint8

// The methods.
const (
	ViaNone Via = iota
	ViaZMY
	ViaBinary
	ViaText
	ViaJSON // what encoding/json writes, of a type without such methods too
)

// Domain is which bytes of a fixed value are values. The numbers are those of wire.Domain.
type Domain uint8

// The domains.
const (
	AnyBytes Domain = iota
	BoolBytes
	TimeBytes
	ZoneBytes
)

// String is the domain's name in package wire.
func (d Domain) String() string {
	return [...]string{"AnyBytes", "BoolBytes", "TimeBytes", "ZoneBytes"}[d]
}

// Order is how the keys of a map are compared. The numbers are those of wire.Order.
type Order uint8

// The orders.
const (
	ByteOrder Order = iota
	SignedOrder
	UnsignedOrder
)

// String is the order's name in package wire.
func (o Order) String() string {
	return [...]string{"ByteOrder", "SignedOrder", "UnsignedOrder"}[o]
}

// Type is one Go type in one form: a field tagged nilable has a type of its
// own around that of its Go type.
type Type[T, F comparable] struct {
	ID      int
	Type    T // the Go type; of ShapeOpt, the pointer, slice or map; the zero T of what is reserved
	Kind    Kind
	Len     int64 // of a Go array
	Shape   Shape
	Domain  Domain           // ShapeFixed
	Order   Order            // ShapeMap
	Time    TimeForm         // ShapeFixed of a time
	Via     Via              // ShapeMethods
	Appends bool             // of ViaBinary and ViaText: by AppendBinary and AppendText
	Arms    []UnionArm[T, F] // ShapeUnion, by discriminator
	Gone    []Record         // ShapeUnion: arms that it had, whose numbers stay reserved
	Size    int              // ShapeFixed, ShapeFixedTail: bytes; ShapeArray: elements
	Elem    *Type[T, F]      // of slices, arrays, maps and pointers; of ShapeOpt, what follows its first byte
	Key     *Type[T, F]      // ShapeMap
	Words   string           // the type in a canonical text, of what is reserved
	ElemPtr bool             // elements are *Elem in Go, though never nil: []*T is carried as []T
	Cost    int              // units of the budget that one value takes
	Memory  int              // bytes that a Go value takes where it stands, with the zones of its times

	// ShapeStruct and ShapeSparse have all of these; ShapeFixed has Fields and Skips when it is a
	// struct inline.
	Fields  []*Place[T, F] // in number order
	Scalars int            // bytes of the scalar section
	Tails   int            // number of tails
	Older   []uint32       // headers of the older versions: the first field alone, the first two, …
	Unknown F              // Go field of type zmy.Unknown, which carries what newer versions have; zero for none
	unknown string         // its name
	After   bool           // has AfterUnmarshalZMY
	Skips   bool           // Go fields are left out, here or in a struct inside
	Limits  Limits         // that a directive says writers keep to
}

// UnionArm is an arm of a union.
type UnionArm[T, F comparable] struct {
	Disc int
	Type *Type[T, F] // a struct
	Arm  Arm[T]
}

// Place is one field of a struct, with its place in messages.
type Place[T, F comparable] struct {
	Number     int
	Field      F            // the zero F for a number that is reserved
	Source     *Field[F, T] // likewise nil
	Type       *Type[T, F]
	Offset     int // of a fixed value, in the scalar section
	Tail       int // of anything else, which tail; -1 for a fixed value
	Deprecated bool
}

// Reserved reports a number that Go no longer has a field for.
func (p *Place[T, F]) Reserved() bool { return p.Source == nil }

// IsStruct reports a struct with a header of its own, dense or sparse.
func (t *Type[T, F]) IsStruct() bool { return t.Shape == ShapeStruct || t.Shape == ShapeSparse }

// KeepsUnknown reports a struct with a field of type zmy.Unknown.
func (t *Type[T, F]) KeepsUnknown() bool {
	var none F
	return t.Unknown != none
}

// JSONName returns the name in struct tag json where it is not the Go name; "-" is none.
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

// Promotes reports a field whose own fields stand beside it in JSON.
func (p *Place[T, F]) Promotes() bool { return p.Source.ofStruct && p.JSONName() == "" }

// Nilable reports an ShapeOpt that keeps nil and empty apart: a slice or map whose field is
// tagged so, or a pointer to a slice or map. Nothing is charged for it.
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

// IsSet reports a map whose elements take no bytes.
func (t *Type[T, F]) IsSet() bool {
	return t.Shape == ShapeMap && t.Elem.Shape == ShapeStruct && len(t.Elem.Fields) == 0
}

// Carried is the shape as a program without the Go type sees it: of ShapeMethods, text or bytes.
func (t *Type[T, F]) Carried() Shape {
	switch {
	case t.Shape != ShapeMethods:
		return t.Shape
	case t.Via == ViaText:
		return ShapeString
	}
	return ShapeBytes
}

// Header is the header of a ShapeStruct.
func (t *Type[T, F]) Header() uint32 { return uint32(t.Scalars) | uint32(t.Tails)<<14 }

// Parts are the types that t is made of.
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
