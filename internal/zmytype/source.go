package zmytype

import "reflect"

// Source describes Go types. T is the source's representation of a type, and F that of a field of a
// struct. Identical types must be equal. The compiler calls ElemOf, KeyOf, LenOf and FieldsOf only
// for kinds that have them.
//
// The methods have names that are rare in other types, because the linker keeps the methods of a
// name in all types if a generic function calls a method of that name. Names of methods of package
// reflect would be worse: for Method, MethodByName or Methods it would keep every method of every
// type.
type Source[T, F comparable] interface {
	KindOf(T) Kind
	ElemOf(T) T               // of Bytes, Slice, Array, Map, Pointer
	KeyOf(T) T                // of Map
	LenOf(T) int64            // of Array
	SizeOf(T) int64           // bytes in memory
	FieldsOf(T) []Field[F, T] // of Struct, in declaration order, unexported and embedded ones too
	IsNamed(T) bool           // the type is declared in a package: neither predeclared nor a literal
	IsLocal(T) bool           // the type is named and declared in the package of the roots
	Own(T) Methods            // methods that a named type, or the pointer to it, declares itself
	JSON(T) JSON              // how its methods take part in JSON
	Arms(T) []Arm[T]          // of Interface: the arms that its directive //zmy:union lists

	// Implementers returns the types of the package that implement an Interface, sorted by name.
	// why says why there may be further types that implement it, "" if there are none.
	Implementers(T) (all []Arm[T], why string)

	Directives(T) []string // directive lines of the declaration's comment: "zmy:sparse"
	Name(T) string         // the type's name in error messages
}

// Field is a field of a struct.
type Field[F, T comparable] struct {
	Of       F
	Name     string
	Type     T
	Tag      reflect.StructTag
	Embedded bool
	ofStruct bool // it is embedded, and its type is a struct or a pointer to one
	Exported bool
	Usable   bool     // code that marshals the struct may name the field
	Unknown  bool     // its type is zmy.Unknown
	Dirs     []string // directive lines of its comments
}

// Methods is the set of a type's methods that matter to messages. It excludes methods from embedded
// fields, and those that a generator of this project wrote.
type Methods uint16

// The methods.
const (
	AppendZMY Methods = 1 << iota
	UnmarshalZMY
	AfterUnmarshalZMY
	AppendBinary
	MarshalBinary
	UnmarshalBinary
	AppendText
	MarshalText
	UnmarshalText
)

const (
	writesBinary = AppendBinary | MarshalBinary
	writesText   = AppendText | MarshalText
)

// Has reports whether m contains all methods of want.
func (m Methods) Has(want Methods) bool { return m&want == want }

// pair reports whether m contains a method of write and a method of read.
func (m Methods) pair(write, read Methods) bool { return m&write != 0 && m&read != 0 }

// JSON says how a type's methods take part in JSON. Methods that fxjson generated do not count.
type JSON uint8

// The ways in which methods take part in JSON.
const (
	MarshalJSON    JSON = 1 << iota // the type, or the pointer to it, declares the method itself
	UnmarshalJSON                   // likewise
	RoundTrips                      // encoding/json writes and reads it by methods, which may come from embedded fields
	RoundTripsText                  // likewise by methods for text, as a key of a map
	ByPointer                       // only a pointer to the type has the method with which encoding/json would write the type
)

// Has reports whether j contains all ways of want.
func (j JSON) Has(want JSON) bool { return j&want == want }

// Arm is an arm of a union: a type that the interface's directive //zmy:union names or that
// implements the interface.
type Arm[T comparable] struct {
	Text    string // as in the directive: "Circle=1"; without a directive its name
	Type    T      // the zero T if the package has no such type, or one with type parameters
	Value   bool   // the type itself implements the interface
	Pointer bool   // a pointer to it does
}

// Options directs [Compile].
type Options[T, F comparable] struct {
	// Derive numbers the fields of structs without any struct tag zmy, in the order of declaration.
	// It leaves out fields with json:"-", unless the struct has JSON methods. An interface without
	// a directive whose types are all known becomes a union of them, in the order of their names.
	Derive bool
	// Recorded returns the numbers that Derive gave before to the fields of a struct or to the arms
	// of a union. They keep these numbers. Recorded may be nil.
	Recorded func(T) []Record
	// Blind says that the source does not see comments. Hints then name the generator, or what to
	// write instead of a comment.
	Blind bool
	// Unwritable says why generated code may not name the type, "" if it may. If whole is set, that
	// includes all types that it is made of. A nil function allows every type.
	Unwritable func(t T, whole bool) (why string)
	// Union reports further problems of an interface with arms, through bad. It may be nil.
	Union func(t T, bad func(hint, format string, args ...any))
	// Near returns the names that are similar to word, for hints. It may be nil.
	Near func(word string, names []string) []string
}

// Record is a number that was derived before: for a field of a struct without struct tags, or for
// an arm of an interface without a directive.
type Record struct {
	Number int
	Name   string
	Words  string // of a field: its type as zmy.lock has it
	Size   int    // of a field: bytes among the scalars, 0 for a tail
}

// Problem says why a type is refused.
type Problem[T, F comparable] struct {
	Field     F      // where the problem is; the zero F if it is at Type
	Type      T      //
	Place     string // the place as a text: "field Done (Order.Items[].Done)"
	Way       string // the path from the root: "Order.Items[].Done"
	Msg       string // what is wrong
	Hint      string // what to do
	Generator bool   // generated code could carry the type
}
