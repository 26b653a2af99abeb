package schema

//go:generate zmy gen -type=Schema

// Schema describes the type of a message and all types within it.
type Schema struct {
	// Types is the table of types. Types[0] is the type of the message, a struct. A schema from Of
	// or Parse lists each type once, in the order in which it is first used.
	Types []Type `json:"types" zmy:"0"`
	// Limits are the limits that writers keep to, for [Diff]; 0 means the default.
	Limits Limits `json:"limits,omitzero" zmy:"1"`
}

// Limits are the limits of a type's messages: see zmy.MarshalOptions.
type Limits struct {
	MaxWire  uint32 `json:"maxWire,omitempty" zmy:"0"`
	MaxRaw   uint32 `json:"maxRaw,omitempty" zmy:"1"`
	MaxDepth uint32 `json:"maxDepth,omitempty" zmy:"2"`
}

// Type describes one type.
type Type struct {
	Kind Kind `json:"kind" zmy:"0"`
	// Elem is the index of the element type of a List, Array, Map or Opt; 0 for other kinds.
	Elem uint32 `json:"elem,omitempty" zmy:"1"`
	// Key is the index of the type of a Map's keys.
	Key uint32 `json:"key,omitempty" zmy:"2"`
	// Len is the number of elements of an Array, or the number of bytes of a Reserved.
	Len uint32 `json:"len,omitempty" zmy:"3"`
	// Lineage is the identity of a struct type across renames and moves; 0 is unknown.
	Lineage uint64 `json:"lineage,omitempty" zmy:"4"`
	// Sparse marks a Struct whose messages have a bitmap of the fields that they contain.
	Sparse bool `json:"sparse,omitempty" zmy:"5"`
	// Deprecated marks a Struct or Union that should not be used any more.
	Deprecated bool `json:"deprecated,omitempty" zmy:"6"`
	// Name is the name of a Struct, a Union, or an integer type with named values: "Order". It may
	// be empty. For a Reserved it is the canonical text.
	Name string `json:"name,omitempty" zmy:"7"`
	// Fields are the fields of a Struct, numbered 0, 1, 2 …, or the arms of a Union, in increasing
	// order of their numbers, which start at 1.
	Fields []Field `json:"fields,omitempty" zmy:"8"`
	// Values are the named values of an integer type.
	Values []Value `json:"values,omitempty" zmy:"9"`
}

// Field is a field of a struct or an arm of a union.
type Field struct {
	Number     uint32 `json:"number" zmy:"0"`
	Type       uint32 `json:"type" zmy:"1"`
	Deprecated bool   `json:"deprecated,omitempty" zmy:"2"` // still read and written
	Reserved   bool   `json:"reserved,omitempty" zmy:"3"`   // deleted from the source; messages still have its slot
	Inline     bool   `json:"inline,omitempty" zmy:"4"`     // a struct inside the scalar section; its type is used nowhere else
	Embedded   bool   `json:"embedded,omitempty" zmy:"5"`   // in JSON its fields are fields of the struct around it
	Name       string `json:"name" zmy:"6"`
	// JSON is the name in JSON if that is not Name; "-" means no name.
	JSON string `json:"json,omitempty" zmy:"7"`
}

// JSONName returns the field's name in JSON, "" if it has none.
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
