package ir

// A JSONPlan says how encoding/json (v1) sees the types reached from the roots
// of a package: which fields a struct shows, under which names, in which order.
// It is made by check.JSON and read by emitters; it never changes.
//
// Reached means reached by encoding/json: fields it skips are not followed, and
// neither is the inside of a type that both marshals and unmarshals itself, nor
// of the kinds that are known by heart (time.Time, json.Number and so on).
type JSONPlan struct {
	Types   []*Type       // every type reached, in order of ID
	Structs []*JSONStruct // every struct among them whose fields count, in order of ID

	// Reflect holds the types that reflection handles at run time, since code of the
	// package cannot name them or something that they are made of.
	Reflect map[*Type]bool

	Prints map[*Type]JSONPrint // of the roots
}

// JSONPrint is the fingerprint of a root and of all types reached from it: of the
// source as it is, and if the roots get methods MarshalJSON and UnmarshalJSON.
type JSONPrint struct{ Plain, Methods uint64 }

// Struct returns the plan of t, nil if t is no struct that the plan reaches.
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
	Inline *JSONInline  // the field of a map or json.RawMessage that holds all other members, nil if there is none
}

// JSONInline is a field whose members are members of the struct: struct tag fxjson:"inline", or
// "unknown". Its Name does not count.
type JSONInline struct {
	*JSONField
	Unknown bool // the members are called unknown, which options refuse or leave out
}

// JSONField is one member of a JSON object.
type JSONField struct {
	Name      string     // the key, not yet quoted nor escaped
	Steps     []JSONStep // embedded structs passed on the way, outermost first; empty for a direct field
	Index     int        // of Field in the struct where it is declared
	Field     *Field     // where it is declared
	Type      *Type      // Field.Type
	Tagged    bool       // the name comes from the struct tag
	OmitEmpty bool
	OmitZero  bool // left out when Zero says so
	Zero      JSONZero
	Quoted    bool // option "string", set only where encoding/json heeds it: scalars and unnamed pointers to them
	Required  bool // struct tag fxjson:"required": an object without the member is an error
	Intern    bool // struct tag fxjson:"intern": strings inside that are alike share memory
	Decimals  int  // struct tag fxjson:"decimals=N"; -1 without it. Floats, and pointers, slices and arrays of floats
}

// JSONStep is one embedded struct on the way to a promoted field.
type JSONStep struct {
	Field   *Field
	Index   int  // of Field in its struct
	Pointer bool // embedded as *T: nil hides the field when marshaling, unmarshaling allocates
}

// Selector is the Go selector behind a value of the struct: "Base.Meta.ID".
// Steps that the package pkg (an import path) may not name are left out, which
// Go's own promotion then fills in; check.JSON has made sure that it can.
func (f *JSONField) Selector(pkg string) string {
	s := ""
	for _, st := range f.Steps {
		if st.Field.Usable(pkg) {
			s += st.Field.Name + "."
		}
	}
	return s + f.Field.Name
}

// JSONZero is the way in which option "omitzero" decides.
type JSONZero uint8

// The ways of "omitzero".
const (
	ZeroNone      JSONZero = iota // no option omitzero
	ZeroCompare                   // against the zero value, all bits of it: reflect.Value.IsZero
	ZeroMethod                    // v.IsZero() of the field's type
	ZeroNilMethod                 // nil, or v.IsZero() of the pointer or interface type
	ZeroAddr                      // (&v).IsZero(), the method has a pointer receiver
)
