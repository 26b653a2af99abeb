// Package ir is the neutral description of Go types that stands between the
// loader and the emitters. It knows Go's type system and nothing of go/types,
// of JSON, of ZMY or of any target language.
//
// A [Package] is built once by the loader, is never changed afterwards, and may
// be read by many goroutines. Facts about one output (field names, numbers,
// offsets) live in plans that package check computes beside it.
package ir

import "fmt"

// Kind is the shape of a type. Named types keep the kind of what they are made
// of: `type Status int32` is Int32 with a Name. Types of the standard library
// that every codec must know by heart have kinds of their own.
type Kind uint8

// The kinds.
const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	String
	Bytes     // a slice whose element has kind Uint8; Elem is that element
	Slice     // Elem
	Array     // Elem, Len
	Map       // Key, Elem
	Pointer   // Elem
	Struct    // Fields
	Any       // an interface without methods
	Interface // an interface with methods
	Chan      // carried by no codec; kept so that errors and assertions can write it down: Words
	Func      // likewise
	Time      // time.Time
	Duration  // time.Duration
	BigInt    // math/big.Int, the struct itself: *big.Int is Pointer to BigInt
	BigFloat  // math/big.Float
	BigRat    // math/big.Rat
	RawJSON   // encoding/json.RawMessage
	Number    // encoding/json.Number
	Unsafe    // unsafe.Pointer, carried by no codec
)

// Type is one Go type. Identical types of a [Package] are the same pointer, so
// types may be compared and used as map keys; the graph may have cycles.
type Type struct {
	ID      int       // index in Package.Types
	Kind    Kind      //
	Name    *TypeName // nil for an unnamed type such as []string
	Elem    *Type     // Bytes, Slice, Array, Map, Pointer, Chan
	Key     *Type     // Map
	Len     int64     // Array
	Fields  []*Field  // Struct, in declaration order, unexported and embedded ones too
	Arms    []Arm     // Interface with a directive //zmy:union: the types that it names
	Methods []Method  // Interface with such a directive, or a root
	Words   []Word    // Func, Chan and an Interface without a name: how the type is written down
	Values  []Value   // integers: the constants of the type that its package declares, by number
	Size    int64     // bytes in memory on a 64-bit machine
	Align   int64     //
	Hooks   Hooks     // methods by which the type takes part in encoding itself
	Own     Hooks     // those of Hooks that it declares itself, not by an embedded field
	Compare bool      // == is defined and cannot panic
	Lock    bool      // it must not be copied: a lock, or an array or struct that holds one
	Pos     Pos       // of the declaration, zero for unnamed types
}

// Arm is a type that a directive //zmy:union names beside an interface.
type Arm struct {
	Text    string // as the directive has it: "Circle=1"
	Type    *Type  // nil if the package has no such type
	Value   bool   // the type itself implements the interface
	Pointer bool   // a pointer to it does
}

// Method is a method of an interface.
type Method struct {
	Name     string
	Exported bool
	Params   []*Type // the last one a slice if Variadic
	Results  []*Type
	Variadic bool
	Doc      string
	Dirs     []string // directive lines of its comments: "zmy:rpc GetOrder"
	Pos      Pos
}

// Word is a piece of a type as it is written down: a name, or text between names.
type Word struct {
	Text string
	Name *TypeName // in the place of Text; its type arguments follow as words of their own
	Own  string    // import path of the only package that may write Text, "" for any
}

// Value is a constant of an integer type.
type Value struct {
	Name   string
	Number int64 // of a uint64, the same bits
}

// TypeName says how a named type is spelled.
type TypeName struct {
	Pkg      string   // import path, "" for predeclared types
	PkgName  string   // the package's own name, which may differ from the path's end
	Name     string   // identifier without type arguments
	Args     []*Type  // type arguments of an instantiated generic type
	Exported bool     // the identifier is exported, and not declared inside a function
	Doc      string   // text of the declaration's comment, directives left out
	Dirs     []string // directive lines of the declaration's comment: "zmy:sparse"
}

// Field is one field of a struct.
type Field struct {
	Name     string
	Type     *Type
	Tag      string // the whole struct tag, without its back quotes
	Embedded bool
	Exported bool
	Pkg      string // import path of the package that declares it; only that one may name an unexported field
	Offset   int64  // bytes from the struct's start on a 64-bit machine
	Doc      string
	Dirs     []string // directive lines of its comments: "zmy:lint-ignore any-map it is a cache"
	Pos      Pos
}

// Hooks is the set of methods by which a type takes part in encoding itself.
// Value bits are set when T has the method, pointer bits when *T has it (so a
// value method sets both). Methods written by a generator of this project do
// not count: the loader leaves files headed "Code generated by fxjson" and
// "Code generated by zmy" out of sight.
type Hooks uint32

// The hooks, the value's and the pointer's.
const (
	HasMarshalJSON Hooks = 1 << iota
	HasMarshalJSONPtr
	HasUnmarshalJSONPtr
	HasMarshalText
	HasMarshalTextPtr
	HasUnmarshalTextPtr
	HasMarshalBinary
	HasMarshalBinaryPtr
	HasUnmarshalBinaryPtr
	HasIsZero
	HasIsZeroPtr
	HasAppendZMY
	HasAppendZMYPtr
	HasUnmarshalZMYPtr
	HasAfterUnmarshalZMYPtr
	HasUnmarshalJSON   // on the value itself (maps, pointers' elems)
	HasUnmarshalText   //
	HasUnmarshalBinary //
	HasAppendText
	HasAppendTextPtr
	HasAppendBinary
	HasAppendBinaryPtr
)

// JSONHooks are those by which a type takes part in JSON.
const JSONHooks = HasMarshalJSON | HasMarshalJSONPtr | HasUnmarshalJSON | HasUnmarshalJSONPtr |
	HasMarshalText | HasMarshalTextPtr | HasUnmarshalText | HasUnmarshalTextPtr

// Has reports whether all of the given hooks are present.
func (h Hooks) Has(want Hooks) bool { return h&want == want }

// Pos is a place in a source file.
type Pos struct {
	File string // relative to the package's folder when it lies in it, else the base name
	Line int    // from 1
	Col  int    // from 1, bytes; 0 for the whole line
}

// String is file:line:col, the form editors follow.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Package is what one run of a generator works on.
type Package struct {
	Path  string   // import path of the package that the generated file joins
	Name  string   // its name
	Names []string // what the package declares at package level, sorted; our own output left out
	Types []*Type  // every type reached from the roots, each once; order is stable
	Roots []*Type  // the types asked for, in the order asked
}
