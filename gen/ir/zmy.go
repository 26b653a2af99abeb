package ir

// A ZMYPlan says how the native format carries the types reached from the roots
// of a package. It is made by check.ZMY and read by emitters; it never changes.
// The words are those of spec/FORMAT.md.
type ZMYPlan struct {
	Types []*ZMYType // in depth-first order; each one's ID is its index
	Notes []ZMYNote  // what is not carried as the Go type says, by position
	Roots []*ZMYType // one for each root of the package, all of shape ZMYStruct
}

// A ZMYNote says of a field, or of a whole type, that it is left out of messages, carried as
// JSON, or carried without some of its values.
type ZMYNote struct {
	Owner *Type  // the struct
	Field *Field // nil for the struct itself
	Left  bool   // left out; else carried as encoding/json writes it
	Part  bool   // carried in a form of its own, but not all of its values
	Why   string // "it has json:\"-\""
}

// ZMYShape is how a type stands in its slot. Its String is the name that
// package wire gives it.
type ZMYShape uint8

// The shapes.
const (
	ZMYFixed       ZMYShape = iota // Size bytes among the scalars
	ZMYString                      // UTF-8
	ZMYBytes                       // bytes, raw JSON
	ZMYPacked                      // slice of fixed values
	ZMYFixedTail                   // array of fixed values, Size bytes, too long for the scalars
	ZMYList                        // slice of anything else
	ZMYDense                       // slice of structs, or of pointers to them
	ZMYArray                       // array of Size variable values
	ZMYMap                         //
	ZMYStruct                      //
	ZMYPtrStruct                   // pointer to a struct
	ZMYPtrFixed                    // pointer to a fixed value
	ZMYOpt                         // pointer to a string, slice or map; a slice or map whose nil and empty differ
	ZMYAny                         //
	ZMYBigInt                      // big.Int
	ZMYBigFloat                    // big.Float
	ZMYPtrBigInt                   // *big.Int
	ZMYPtrBigFloat                 // *big.Float
	ZMYMethods                     // what the type's own methods write
	ZMYSparse                      // a struct that says which fields it has
	ZMYUnion                       // an interface that one of Arms implements
)

var zmyShapes = [...]string{
	"ShapeFixed", "ShapeString", "ShapeBytes", "ShapePacked", "ShapeFixedTail", "ShapeList", "ShapeDense",
	"ShapeArray", "ShapeMap", "ShapeStruct", "ShapePtrStruct", "ShapePtrFixed", "ShapeOpt", "ShapeAny",
	"ShapeBigInt", "ShapeBigFloat", "ShapePtrBigInt", "ShapePtrBigFloat", "ShapeBytes",
	"ShapeSparse", "ShapeUnion",
}

// String is the shape's name in package wire; what methods write as text is
// ShapeString there.
func (s ZMYShape) String() string { return zmyShapes[s] }

// ZMYTime is the form of a time.
type ZMYTime uint8

// The forms of a time.
const (
	ZMYInstant  ZMYTime = iota // seconds and nanoseconds
	ZMYZone                    // and the zone's offset
	ZMYUnixNano                // nanoseconds since 1970
)

// ZMYVia is which methods a type takes part by.
type ZMYVia uint8

// The methods.
const (
	ZMYViaNone ZMYVia = iota
	ZMYViaZMY
	ZMYViaBinary
	ZMYViaText
	ZMYViaJSON // what encoding/json writes, of a type without such methods too
)

// ZMYDomain is which bytes of a fixed value are values.
type ZMYDomain uint8

// The domains.
const (
	ZMYAnyBytes ZMYDomain = iota
	ZMYBoolBytes
	ZMYTimeBytes
	ZMYZoneBytes
)

// String is the domain's name in package wire.
func (d ZMYDomain) String() string {
	return [...]string{"AnyBytes", "BoolBytes", "TimeBytes", "ZoneBytes"}[d]
}

// ZMYOrder is how the keys of a map are compared.
type ZMYOrder uint8

// The orders.
const (
	ZMYByteOrder ZMYOrder = iota
	ZMYSignedOrder
	ZMYUnsignedOrder
)

// String is the order's name in package wire.
func (o ZMYOrder) String() string {
	return [...]string{"ByteOrder", "SignedOrder", "UnsignedOrder"}[o]
}

// ZMYType is one Go type in one form: a field tagged nilable has a type of its
// own around that of its Go type.
type ZMYType struct {
	ID      int
	Type    *Type // the Go type; of ZMYOpt, the pointer, slice or map
	Shape   ZMYShape
	Domain  ZMYDomain // ZMYFixed
	Order   ZMYOrder  // ZMYMap
	Time    ZMYTime   // ZMYFixed of a time
	Via     ZMYVia    // ZMYMethods
	Arms    []ZMYArm  // ZMYUnion, by discriminator
	Size    int       // ZMYFixed, ZMYFixedTail: bytes; ZMYArray: elements
	Elem    *ZMYType  // of slices, arrays, maps and pointers; of ZMYOpt, what follows its first byte
	Key     *ZMYType  // ZMYMap
	Words   string    // the type in a canonical text, for a reserved tail, of which no more is known
	ElemPtr bool      // elements are *Elem in Go, though never nil: []*T is carried as []T
	Cost    int       // units of the budget that one value takes
	Memory  int       // bytes that a Go value takes where it stands, with the zones of its times
	Aliases bool      // a value may hold strings or bytes, which can share the message's memory

	// Of ZMYStruct and ZMYSparse; Fields and Skips also of ZMYFixed, when it is a struct inline.
	Fields      []*ZMYField // in number order
	Scalars     int         // bytes of the scalar section
	Tails       int         // number of tails
	Older       []uint32    // headers of the older versions: the first field alone, the first two, …
	Unknown     *Field      // Go field of type zmy.Unknown, which carries what newer versions have; nil for none
	After       bool        // has AfterUnmarshalZMY
	Skips       bool        // Go fields are left out, here or in a struct inside
	Fingerprint uint64      // of the type and all that it reaches, names excluded

	// The next fields belong to a root, for code that notices at run time that its types have changed.
	Print    uint64     // of the Go types: package zmyprint
	StandIn  bool       // reflection sees all of the form, and can take the place of generated code
	ArmTypes []*ZMYType // the arms of all unions that it reaches
}

// ZMYArm is an arm of a union.
type ZMYArm struct {
	Disc int
	Type *ZMYType // of shape ZMYStruct
	Arm  Arm
}

// IsStruct reports a struct with a header of its own, dense or sparse.
func (t *ZMYType) IsStruct() bool { return t.Shape == ZMYStruct || t.Shape == ZMYSparse }

// Nilable reports a ZMYOpt that keeps nil and empty apart: a slice or map whose field is
// tagged so, or a pointer to a slice or map. Nothing is charged for it.
func (t *ZMYType) Nilable() bool {
	if t.Shape != ZMYOpt || t.Type.Kind != Pointer {
		return t.Shape == ZMYOpt
	}
	switch t.Elem.Shape {
	case ZMYBytes, ZMYPacked, ZMYList, ZMYDense, ZMYMap:
		return true
	}
	return false
}

// Header is the header of a ZMYStruct.
func (t *ZMYType) Header() uint32 { return uint32(t.Scalars) | uint32(t.Tails)<<14 }

// ZMYRecord is a number that a struct without struct tags has given to a field.
type ZMYRecord struct {
	Number int
	Name   string
	Words  string // its type, in the words of zmy.lock
	Size   int    // bytes among the scalars, 0 for a tail
}

// ZMYField is one field of a struct.
type ZMYField struct {
	Number     int
	Field      *Field // nil for a number that is reserved
	Type       *ZMYType
	Offset     int // of a fixed value, in the scalar section
	Tail       int // of anything else, which tail; -1 for a fixed value
	Deprecated bool
}
