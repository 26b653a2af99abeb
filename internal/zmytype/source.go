package zmytype

import "reflect"

// Source describes Go types. A T is a type and an F is a field of a struct, as the source has
// them; identical types are equal. The compiler asks for Elem, Key, Len and Fields only where
// the kind has them.
//
// No method may be called Method, MethodByName or Methods. The linker keeps the methods of these names
// wherever a generic function calls one of them, and with reflect's it keeps every method of every type.
type Source[T, F comparable] interface {
	Kind(T) Kind
	Elem(T) T               // of Bytes, Slice, Array, Map, Pointer
	Key(T) T                // of Map
	Len(T) int64            // of Array
	Size(T) int64           // bytes in memory
	Fields(T) []Field[F, T] // of Struct, in declaration order, unexported and embedded ones too
	Named(T) bool           // it is declared in a package: not predeclared, not a literal
	Local(T) bool           // Named, in the package that the roots are in
	Own(T) Methods          // those that a Named type or the pointer to it declares itself
	JSON(T) JSON            // methods of JSON
	Arms(T) []Arm[T]        // of Interface: what its directive //zmy:union lists

	// Implementers of an Interface are the types of the package that implement it, by name; why
	// says that they are not all that matter, "" if they are.
	Implementers(T) (all []Arm[T], why string)

	Directives(T) []string // directive lines of the declaration's comment: "zmy:sparse"
	Name(T) string         // the type in messages
}

// Field is a field of a struct.
type Field[F, T comparable] struct {
	Of       F
	Name     string
	Type     T
	Tag      reflect.StructTag
	Embedded bool
	ofStruct bool // it is embedded, and a struct or a pointer to one
	Exported bool
	Usable   bool     // the code that carries it may name it
	Unknown  bool     // its type is zmy.Unknown
	Dirs     []string // directive lines of its comments
}

// Methods is the set of methods by which a type takes part. A method that comes from an
// embedded field, or that a generator of this project wrote, is not in it.
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

// Has reports whether all of the given methods are present.
func (m Methods) Has(want Methods) bool { return m&want == want }

// pair reports a method to write and one to read.
func (m Methods) pair(write, read Methods) bool { return m&write != 0 && m&read != 0 }

// JSON says how a type takes part in JSON by methods. Those that fxjson generated do not count.
type JSON uint8

// The ways.
const (
	MarshalJSON    JSON = 1 << iota // it declares the method itself, or the pointer to it does
	UnmarshalJSON                   // likewise
	RoundTrips                      // encoding/json writes and reads it by methods, embedded fields' included
	RoundTripsText                  // likewise by its text methods, as a key of a map
	ByPointer                       // only the pointer to it has the method that encoding/json would write it by
)

// Has reports whether all of the given ways are present.
func (j JSON) Has(want JSON) bool { return j&want == want }

// Arm is a type that a directive //zmy:union names beside an interface, or that implements it.
type Arm[T comparable] struct {
	Text    string // as the directive has it: "Circle=1"; its name alone if there is none
	Type    T      // the zero T if the package has no such type, or one with type parameters
	Value   bool   // the type itself implements the interface
	Pointer bool   // a pointer to it does
}

// Options directs [Compile].
type Options[T, F comparable] struct {
	// Derive numbers the fields of structs that have no struct tag zmy at all, in the order of
	// declaration. A field with json:"-" is left out, unless its struct has JSON methods. An
	// interface without directive whose types are all known is a union of them, in the order of
	// their names.
	Derive bool
	// Recorded returns the numbers that Derive gave before to the fields of a struct, or to the
	// arms of a union, which keep them. May be nil.
	Recorded func(T) []Record
	// Blind says that the source does not see comments. Hints then name the generator, or what
	// can be written instead of a comment.
	Blind bool
	// Unwritable says why code may not spell the type, "" if it may: its own name, or if whole,
	// all that it is made of. Nil allows every type.
	Unwritable func(t T, whole bool) (why string)
	// Union finds further problems of an interface with arms. May be nil.
	Union func(t T, bad func(hint, format string, args ...any))
	// Near returns those of the names that one who wrote the word may have meant. May be nil.
	Near func(word string, names []string) []string
}

// Record is a number that a struct without struct tags has given to a field, or an interface
// without directive to an arm.
type Record struct {
	Number int
	Name   string
	Words  string // of a field: its type, in the words of zmy.lock
	Size   int    // of a field: bytes among the scalars, 0 for a tail
}

// Problem is a reason for which a type is refused.
type Problem[T, F comparable] struct {
	Field     F      // its position; the zero F for that of Type
	Type      T      //
	Place     string // in words: "field Done (Order.Items[].Done)"
	Way       string // from the root: "Order.Items[].Done"
	Msg       string // what is wrong
	Hint      string // what to do
	Generator bool   // generated code can carry it
}
