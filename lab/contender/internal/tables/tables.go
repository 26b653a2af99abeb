// Package tables describes a subject in terms of formats with tables. FlatBuffers and Cap'n Proto
// have scalars, strings, tables, and vectors of these.
//
// NOTE: everything else gets a table of its own: elements that are vectors, values that may be
// absent, entries of maps. Tables are called T0, T1 … and their fields f0, f1 …, since names are
// not part of messages.
package tables

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// Form is how a value is represented in messages.
type Form uint8

// The forms.
const (
	Scalar Form = iota
	Text
	Blob   // bytes
	Moment // seconds and nanoseconds
	Record // a table
	Vector // a list of scalars, strings, moments or tables
)

// Value is a value in a message, and its Go type.
type Value struct {
	Form   Form
	Scalar ir.Kind // Bool, Int8 … Uint64, Float32 or Float64
	Table  *Table  // the table of a Record
	Absent bool    // the Go value is a pointer, nil for absent
	Elem   *Value  // the element of a Vector
	Type   *ir.Type
}

// Table is a struct of the subject, or a table that contains a value of another type.
type Table struct {
	N      int
	Type   *ir.Type // the type that it carries
	Map    bool     // the table is an entry of the map type Type
	Fields []Field
}

// Field is a field of a table.
type Field struct {
	Name  string // name of the Go field; "" if the table carries the value itself
	Value *Value
}

// Model is a description of a subject.
type Model struct {
	Tables []*Table // the root's is the first
	pkg    string
}

// New describes the target, which must have passed the format's checks.
func New(t *contender.Target) *Model {
	m := &Model{pkg: t.IR.Path}
	m.table(t.Root, false)
	return m
}

// table returns the table that carries values of type t or, if entry is set, entries of map t. A
// new table joins m.Tables before table looks at its fields, since a field may have the same type.
func (m *Model) table(t *ir.Type, entry bool) *Table {
	for _, x := range m.Tables {
		if x.Type == t && x.Map == entry {
			return x
		}
	}
	x := &Table{N: len(m.Tables), Type: t, Map: entry}
	m.Tables = append(m.Tables, x)
	switch {
	case entry:
		x.Fields = []Field{{"Key", m.value(t.Key)}, {"Value", m.value(t.Elem)}}
	case t.Kind != ir.Struct:
		x.Fields = []Field{{Value: m.value(t)}}
	default:
		for _, f := range t.Fields {
			if gosrc.Kept(f, m.pkg) {
				x.Fields = append(x.Fields, Field{f.Name, m.value(f.Type)})
			}
		}
	}
	return x
}

// scalars are the kinds that are represented as another kind.
var scalars = map[ir.Kind]ir.Kind{ir.Int: ir.Int64, ir.Uint: ir.Uint64, ir.Duration: ir.Int64}

func (m *Model) value(t *ir.Type) *Value {
	if k, ok := scalars[t.Kind]; ok {
		return &Value{Form: Scalar, Scalar: k, Type: t}
	}
	switch t.Kind {
	case ir.Bool, ir.Int8, ir.Int16, ir.Int32, ir.Int64, ir.Uint8, ir.Uint16, ir.Uint32, ir.Uint64, ir.Float32, ir.Float64:
		return &Value{Form: Scalar, Scalar: t.Kind, Type: t}
	case ir.String, ir.Number:
		return &Value{Form: Text, Type: t}
	case ir.Bytes, ir.RawJSON:
		return &Value{Form: Blob, Type: t}
	case ir.Time:
		return &Value{Form: Moment, Type: t}
	case ir.Pointer:
		return &Value{Form: Record, Table: m.table(t.Elem, false), Absent: true, Type: t}
	case ir.Map:
		return &Value{Form: Vector, Elem: &Value{Form: Record, Table: m.table(t, true), Type: t}, Type: t}
	case ir.Slice, ir.Array:
		e := m.value(t.Elem)
		if e.Form == Blob || e.Form == Vector {
			e = &Value{Form: Record, Table: m.table(t.Elem, false), Type: t.Elem}
		}
		return &Value{Form: Vector, Elem: e, Type: t}
	}
	return &Value{Form: Record, Table: m.table(t, false), Type: t}
}

// Blobs reports whether any table has a byte vector.
func (m *Model) Blobs() bool {
	return slices.ContainsFunc(m.Tables, func(t *Table) bool {
		return slices.ContainsFunc(t.Fields, func(f Field) bool {
			return f.Value.Form == Blob || f.Value.Form == Vector && f.Value.Elem.Form == Scalar && f.Value.Elem.Scalar == ir.Uint8
		})
	})
}

// Place returns the expression for a field's Go value, in a function whose parameter zzv points to
// the value that the table carries.
func (f *Field) Place() string {
	if f.Name == "" {
		return "(*zzv)"
	}
	return "zzv." + f.Name
}

// Step is one step towards a leaf: from a table into its field Field and, if First is set, to the
// first element of the vector there. To is the table that it reaches, or nil for the string at the
// end.
type Step struct {
	Field int
	First bool
	To    *Table
}

// Leaf returns the steps to the string that operation access reads. It returns nil if there is no
// such string, or if the way to it needs more than fields of structs and first elements of vectors.
func (m *Model) Leaf(t *contender.Target) []Step {
	if t.Leaf == "" {
		return nil
	}
	var out []Step
	at := m.Tables[0]
	parts := strings.Split(t.Leaf, ".")
	for n, part := range parts {
		name, indexed := strings.CutSuffix(part, "[0]")
		i := slices.IndexFunc(at.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		v := at.Fields[i].Value
		if indexed != (v.Form == Vector) || indexed && v.Type.Kind == ir.Map {
			return nil
		}
		if indexed {
			v = v.Elem
		}
		switch {
		case v.Form == Text && n == len(parts)-1:
			return append(out, Step{Field: i, First: indexed})
		case v.Form != Record || v.Table.Type.Kind != ir.Struct:
			return nil
		}
		at = v.Table
		out = append(out, Step{Field: i, First: indexed, To: at})
	}
	return nil
}
