package flatbuffers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
)

// NOTE: FlatBuffers has tables, strings, vectors of scalars, strings and tables,
// and structs of scalars. Everything else stands in a table of its own: elements
// that are vectors, values that may be absent, entries of maps. Tables are called
// T0, T1 … and their fields f0, f1 …, for names are no part of messages.
type form uint8

const (
	scalar form = iota
	text        // string
	blob        // [ubyte]
	moment      // struct of seconds and nanoseconds
	record      // a table
	vector      // of scalars, strings, moments or tables
)

type value struct {
	form   form
	fb     string // the scalar's name in schemas
	plain  string // the scalar's type in generated Go
	method string // the scalar's name in the builder's methods: Float64
	table  *table
	absent bool   // the Go value is a pointer, nil for absent
	elem   *value // of a vector
	typ    *ir.Type
}

// table is a struct of the subject's, or an envelope around another type.
type table struct {
	n      int
	typ    *ir.Type // what it carries
	entry  *ir.Type // set for an entry of a map: the map
	fields []field
}

type field struct {
	name string // of the Go field; "" when the table carries the value itself
	v    *value
}

type model struct {
	pkg    string
	tables []*table
	byType map[*ir.Type]*table
	byMap  map[*ir.Type]*table
}

func newModel(t *contender.Target) *model {
	m := &model{pkg: t.IR.Path, byType: map[*ir.Type]*table{}, byMap: map[*ir.Type]*table{}}
	m.table(t.Root)
	return m
}

// table returns the table that carries values of type t.
func (m *model) table(t *ir.Type) *table {
	if x := m.byType[t]; x != nil {
		return x
	}
	x := m.add(&table{typ: t})
	m.byType[t] = x
	if t.Kind != ir.Struct {
		x.fields = []field{{v: m.value(t)}}
		return x
	}
	for _, f := range t.Fields {
		if kept(f, m.pkg) {
			x.fields = append(x.fields, field{f.Name, m.value(f.Type)})
		}
	}
	return x
}

func (m *model) add(x *table) *table {
	x.n = len(m.tables)
	m.tables = append(m.tables, x)
	return x
}

func (m *model) entry(t *ir.Type) *table {
	if x := m.byMap[t]; x != nil {
		return x
	}
	x := m.add(&table{typ: t, entry: t})
	m.byMap[t] = x
	x.fields = []field{{"Key", m.value(t.Key)}, {"Value", m.value(t.Elem)}}
	return x
}

func kept(f *ir.Field, pkg string) bool {
	return f.Usable(pkg) && (f.Exported || f.Embedded && f.Type.Kind == ir.Struct) && !contender.Ignored(f)
}

// scalars are the names of scalars: in schemas, in Go, in the builder's methods.
var scalars = map[ir.Kind][3]string{
	ir.Bool: {"bool", "bool", "Bool"},
	ir.Int:  {"long", "int64", "Int64"}, ir.Int8: {"byte", "int8", "Int8"}, ir.Int16: {"short", "int16", "Int16"},
	ir.Int32: {"int", "int32", "Int32"}, ir.Int64: {"long", "int64", "Int64"},
	ir.Uint: {"ulong", "uint64", "Uint64"}, ir.Uint8: {"ubyte", "byte", "Byte"}, ir.Uint16: {"ushort", "uint16", "Uint16"},
	ir.Uint32: {"uint", "uint32", "Uint32"}, ir.Uint64: {"ulong", "uint64", "Uint64"},
	ir.Float32: {"float", "float32", "Float32"}, ir.Float64: {"double", "float64", "Float64"},
	ir.Duration: {"long", "int64", "Int64"},
}

func (m *model) value(t *ir.Type) *value {
	if s, ok := scalars[t.Kind]; ok {
		return &value{form: scalar, fb: s[0], plain: s[1], method: s[2], typ: t}
	}
	switch t.Kind {
	case ir.String, ir.Number:
		return &value{form: text, typ: t}
	case ir.Bytes, ir.RawJSON:
		return &value{form: blob, typ: t}
	case ir.Time:
		return &value{form: moment, typ: t}
	case ir.Pointer:
		return &value{form: record, table: m.table(t.Elem), absent: true, typ: t}
	case ir.Map:
		return &value{form: vector, elem: &value{form: record, table: m.entry(t), typ: t}, typ: t}
	case ir.Slice, ir.Array:
		e := m.value(t.Elem)
		if e.form == blob || e.form == vector {
			e = &value{form: record, table: m.table(t.Elem), typ: t.Elem}
		}
		return &value{form: vector, elem: e, typ: t}
	}
	return &value{form: record, table: m.table(t), typ: t}
}

// blobs reports whether any table has a byte vector.
func (m *model) blobs() bool {
	return slices.ContainsFunc(m.tables, func(t *table) bool {
		return slices.ContainsFunc(t.fields, func(f field) bool {
			return f.v.form == blob || f.v.form == vector && f.v.elem.fb == "ubyte"
		})
	})
}

// name is the value's type in schemas.
func (v *value) name() string {
	switch v.form {
	case scalar:
		return v.fb
	case text:
		return "string"
	case blob:
		return "[ubyte]"
	case moment:
		return "Moment"
	case record:
		return fmt.Sprint("T", v.table.n)
	}
	return "[" + v.elem.name() + "]"
}

// schema is the text for flatc.
func (m *model) schema() []byte {
	var b strings.Builder
	b.WriteString("namespace zzfb;\nstruct Moment { sec:long; nsec:int; }\n")
	for _, t := range m.tables {
		fmt.Fprintf(&b, "table T%d {\n", t.n)
		for i, f := range t.fields {
			fmt.Fprintf(&b, "\tf%d:%s;\n", i, f.v.name())
		}
		b.WriteString("}\n")
	}
	b.WriteString("root_type T0;\n")
	return []byte(b.String())
}
