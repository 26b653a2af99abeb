package ir

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/zmylab/zmy/internal/zmytype"
)

// A JSONPlan says how encoding/json (v1) sees the types reached from the roots of a package: the
// fields of each struct, their names and their order. check.JSON makes it, emitters read it, and it
// never changes.
//
// Reached means reached by encoding/json. It does not reach into fields that it skips, into types
// that both marshal and unmarshal themselves, nor into the built-in kinds (time.Time, json.Number
// and so on).
type JSONPlan struct {
	Types   []*Type       // every type reached, in order of ID
	Structs []*JSONStruct // the structs among Types whose fields are read or written, in order of ID

	// Reflect has the types that reflection handles at run time: code of the package cannot name
	// them or something that they consist of.
	Reflect map[*Type]bool

	Prints map[*Type]JSONPrint // by root
}

// JSONPrint has two fingerprints of a root with all types reached from it. Plain is that of the
// source as it is. Methods is the one if the roots get generated methods MarshalJSON and
// UnmarshalJSON.
type JSONPrint struct{ Plain, Methods uint64 }

// Struct returns the plan of t, or nil if t is not a struct of the plan.
func (p *JSONPlan) Struct(t *Type) *JSONStruct {
	for _, s := range p.Structs {
		if s.Type == t {
			return s
		}
	}
	return nil
}

// JSONStruct is one struct as JSON sees it.
type JSONStruct struct {
	Type   *Type
	Fields []*JSONField // in the order in which encoding/json writes them
	Inline *JSONInline  // the field, a map or json.RawMessage, that holds all other members; nil if there is none
}

// JSONInline is a field whose members are members of the struct: struct tag fxjson:"inline" or
// "unknown". Its Name has no meaning.
type JSONInline struct {
	*JSONField
	Unknown bool // the members count as unknown: options may refuse them or leave them out
}

// JSONField is one member of a JSON object.
type JSONField struct {
	Name      string     // the key, neither quoted nor escaped
	Steps     []JSONStep // embedded structs that contain it, outermost first; empty for a direct field
	Index     int        // of Field in the struct that declares it
	Field     *Field     // the field's declaration
	Type      *Type      // Field.Type
	Tagged    bool       // the name comes from the struct tag
	OmitEmpty bool
	OmitZero  bool // left out if the value is zero, which Zero decides
	Zero      JSONZero
	Quoted    bool // option "string"; set only where encoding/json honours it: scalars and unnamed pointers to them
	Required  bool // struct tag fxjson:"required": an object without the member is an error
	Intern    bool // struct tag fxjson:"intern": equal strings inside share memory
	Decimals  int  // struct tag fxjson:"decimals=N", else -1; for floats, and pointers, slices and arrays of floats
}

// JSONStep is one embedded struct on the path to a promoted field.
type JSONStep struct {
	Field   *Field
	Index   int  // of Field in its struct
	Pointer bool // embedded as *T: marshaling skips the field if it is nil, unmarshaling allocates it
}

// Selector returns the field's Go selector on a value of the struct: "Base.Meta.ID". It leaves out
// the steps that the package pkg (an import path) may not name: Go's promotion finds the field
// without them, which check.JSON has verified.
func (f *JSONField) Selector(pkg string) string {
	s := ""
	for _, st := range f.Steps {
		if st.Field.Usable(pkg) {
			s += st.Field.Name + "."
		}
	}
	return s + f.Field.Name
}

// JSONZero says how option "omitzero" finds out that a value is zero.
type JSONZero uint8

// The tests for zero of option "omitzero".
const (
	ZeroNone      JSONZero = iota // no option omitzero
	ZeroCompare                   // equals the zero value in all bits, as reflect.Value.IsZero
	ZeroMethod                    // v.IsZero() of the field's type
	ZeroNilMethod                 // nil, or v.IsZero() of the pointer or interface type
	ZeroAddr                      // (&v).IsZero(): the method has a pointer receiver
)

// A ZMYPlan says how the native format carries the types reached from the roots of a package.
// check.ZMY makes it, emitters read it, and it never changes. Its terms are those of
// spec/FORMAT.md.
type ZMYPlan struct {
	*zmytype.Plan[*Type, *Field]
	Stale map[*ZMYType]ZMYStale // by root
}

// InSetsOnly reports whether t is a struct that occurs only as the value type of sets, as in
// map[string]struct{}. Such values take no bytes, and other languages have no type for them.
func (p *ZMYPlan) InSetsOnly(t *ZMYType) bool {
	return t.IsStruct() && len(t.Fields) == 0 && !slices.Contains(p.Roots, t) &&
		!slices.ContainsFunc(p.Types, func(of *ZMYType) bool { return !of.IsSet() && slices.Contains(of.Parts(), t) })
}

// ZMYStale is what the generated code of a root records about its Go types, so that it can notice
// at run time that they have changed.
type ZMYStale struct {
	Print   uint64     // fingerprint of the Go types: package zmyprint
	StandIn bool       // reflection sees the whole form, and can replace the generated code
	Arms    []*ZMYType // arms of all unions that the root reaches
}

// The parts of a plan are described in package zmytype.
type (
	ZMYType   = zmytype.Type[*Type, *Field]
	ZMYField  = zmytype.Place[*Type, *Field]
	ZMYArm    = zmytype.UnionArm[*Type, *Field]
	ZMYNote   = zmytype.Note[*Type, *Field]
	ZMYRecord = zmytype.Record
)

// ZMYFingerprint returns the first 8 bytes, little-endian, of the SHA-256 of a type's canonical
// text.
func ZMYFingerprint(t *ZMYType) uint64 {
	sum := sha256.Sum256([]byte(t.Text()))
	return binary.LittleEndian.Uint64(sum[:])
}

// A GRPCPlan says how gRPC carries the calls of an interface. check.GRPC makes it, emitters read
// it, and it never changes.
type GRPCPlan struct {
	Interface *Type
	Service   string // full name: "shop.Orders"
	Proto     bool   // messages are those of protobuf, by package fxproto, and not native
	Methods   []GRPCMethod
}

// GRPCMethod is one method.
type GRPCMethod struct {
	Method Method // of the interface
	Name   string // of the gRPC method
	Kind   GRPCKind
	In     *Type // struct type of the requests
	Out    *Type // struct type of the responses
}

// GRPCKind says which sides of a call send a sequence of messages.
type GRPCKind uint8

// The kinds of gRPC calls. Their String is their name in package stub.
const (
	GRPCUnary GRPCKind = iota
	GRPCServerStream
	GRPCClientStream
	GRPCBidiStream
)

// String returns the kind's name in package stub.
func (k GRPCKind) String() string {
	return [...]string{"Unary", "ServerStream", "ClientStream", "BidiStream"}[k]
}
