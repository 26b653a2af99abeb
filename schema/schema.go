package schema

//go:generate zmy gen -type=Schema

// Schema describes the type of a message and all that it reaches.
type Schema struct {
	// Types is the table; Types[0] is the message's, a struct. A schema that Of or
	// Parse returned lists each type once, in the order of first sight from there.
	Types []Type `json:"types" zmy:"0"`
	// Limits are those that writers keep to, for [Diff]; 0 is the default.
	Limits Limits `json:"limits,omitzero" zmy:"1"`
}

// Limits are the limits of messages of a type.
type Limits struct {
	MaxWire  uint32 `json:"maxWire,omitempty" zmy:"0"`
	MaxRaw   uint32 `json:"maxRaw,omitempty" zmy:"1"`
	MaxDepth uint32 `json:"maxDepth,omitempty" zmy:"2"`
}

// Type is one type.
type Type struct {
	Kind Kind `json:"kind" zmy:"0"`
	// Elem is the index of what List, Array, Map and Opt hold; of others it is 0.
	Elem uint32 `json:"elem,omitempty" zmy:"1"`
	// Key is the index of a Map's keys.
	Key uint32 `json:"key,omitempty" zmy:"2"`
	// Len is how many elements an Array has, how many bytes what is Reserved.
	Len uint32 `json:"len,omitempty" zmy:"3"`
	// Lineage is the identity of a struct type across renames and moves; 0 is unknown.
	Lineage uint64 `json:"lineage,omitempty" zmy:"4"`
	// Sparse marks a Struct that lists the fields it has.
	Sparse bool `json:"sparse,omitempty" zmy:"5"`
	// Deprecated marks a Struct or Union that is not to be used any more.
	Deprecated bool `json:"deprecated,omitempty" zmy:"6"`
	// Name of a Struct or Union, or of an integer with named values: "Order". May be
	// empty. Of what is Reserved, the canonical text.
	Name string `json:"name,omitempty" zmy:"7"`
	// Fields of a Struct, numbered 0, 1, 2 …; arms of a Union, by rising number from 1.
	Fields []Field `json:"fields,omitempty" zmy:"8"`
	// Values are the named values of an integer type.
	Values []Value `json:"values,omitempty" zmy:"9"`
}

// Field is a field of a struct or an arm of a union.
type Field struct {
	Number     uint32 `json:"number" zmy:"0"`
	Type       uint32 `json:"type" zmy:"1"`
	Deprecated bool   `json:"deprecated,omitempty" zmy:"2"` // still read and written
	Reserved   bool   `json:"reserved,omitempty" zmy:"3"`   // gone from the source; its slot stays
	Inline     bool   `json:"inline,omitempty" zmy:"4"`     // a struct of scalars that stands among the scalars, a type used nowhere else
	Embedded   bool   `json:"embedded,omitempty" zmy:"5"`   // in JSON its fields stand beside it
	Name       string `json:"name" zmy:"6"`
	// JSON is the name in JSON where that is another; "-" is none.
	JSON string `json:"json,omitempty" zmy:"7"`
}

// JSONName is the field's name in JSON, "" if it has none.
func (f *Field) JSONName() string {
	switch f.JSON {
	case "":
		return f.Name
	case "-":
		return ""
	}
	return f.JSON
}

// Value is a named value of an integer type.
type Value struct {
	Number int64  `json:"number" zmy:"0"`
	Name   string `json:"name" zmy:"1"`
}
