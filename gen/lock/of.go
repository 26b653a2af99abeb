package lock

import (
	"strings"

	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/schema"
)

// Of records the types that the roots of a plan reach. pkg is the import path of the package that
// has the lock file.
func Of(pkg string, roots []*ir.ZMYType) *File {
	m := maker{pkg: pkg, Table: describe.Types(roots), names: map[uint32]string{}, f: &File{}}
	for i := range m.Types {
		m.name(uint32(i))
	}
	for i := range m.Types {
		m.record(uint32(i))
	}
	m.f.sort()
	return m.f
}

// Join adds the types of g that f does not have.
func (f *File) Join(g *File) {
	for _, t := range g.Types {
		if f.Type(t.Name) == nil {
			f.Types = append(f.Types, t)
		}
	}
	f.sort()
}

type maker struct {
	*describe.Table
	pkg   string
	names map[uint32]string
	f     *File
}

// name sets the name of type i, and the names of structs without a name in its fields. In the
// table, a type precedes its parts, so the name of a parent is known here.
func (m *maker) name(i uint32) {
	t, from := &m.Types[i], m.From[i].Type
	if !recorded(t) {
		return
	}
	if from.Name != nil {
		m.names[i] = TypeName(from, m.pkg)
	}
	for j := range t.Fields {
		f := &t.Fields[j]
		if at, ok := m.nameless(f.Type); ok {
			m.names[at] = m.names[i] + ":" + f.Name
		}
	}
}

// recorded reports whether the type has a paragraph of its own in the lock file.
func recorded(t *schema.Type) bool {
	switch t.Kind {
	case schema.Struct, schema.Union:
		return true
	}
	return len(t.Values) > 0
}

// nameless returns the struct that type i is or contains in lists, maps and the like, if it has
// fields but no name yet.
func (m *maker) nameless(i uint32) (at uint32, ok bool) {
	for n := 0; n <= schema.MaxChain; n++ {
		switch t := &m.Types[i]; t.Kind {
		case schema.List, schema.Array, schema.Map, schema.Opt:
			i = t.Elem
		default:
			return i, t.Kind == schema.Struct && t.Name == "" && len(t.Fields) > 0 && m.names[i] == ""
		}
	}
	return 0, false
}

// TypeName returns the name of a type in the lock file of the package pkg.
func TypeName(t *ir.Type, pkg string) string {
	return strings.ReplaceAll(print.TypePath(t, pkg), ", ", ",")
}

func (m *maker) record(i uint32) {
	t, from := &m.Types[i], m.From[i].Type
	name := m.names[i]
	if name == "" || m.f.Type(name) != nil { // recorded already: a struct may be inline elsewhere
		return
	}
	out := &Type{
		Name: name, Kind: t.Kind, Sparse: t.Sparse, Deprecated: t.Deprecated, Values: t.Values, Pos: from.Pos,
	}
	out.sentinels = describe.Directive(from, "zmy:sentinel ")
	if t.Kind == schema.Struct {
		out.Lineage = m.lineage(name, from)
		out.Limits = schema.Limits(m.From[i].Limits)
	}
	for j := range t.Fields {
		out.Fields = append(out.Fields, m.field(t, j, m.From[i]))
	}
	for _, arm := range m.From[i].Gone {
		out.reserve(Field{Number: uint32(arm.Number), Name: arm.Name, Reserved: true})
	}
	m.f.Types = append(m.f.Types, out)
}

func (m *maker) lineage(name string, t *ir.Type) uint64 {
	if t.Name == nil || t.Name.Pkg == m.pkg {
		return Lineage(m.pkg, name)
	}
	return Lineage(t.Name.Pkg, TypeName(t, t.Name.Pkg))
}

func (m *maker) field(t *schema.Type, j int, from *ir.ZMYType) Field {
	f := &t.Fields[j]
	out := Field{
		Number: f.Number, Name: f.Name, JSON: f.JSON, Deprecated: f.Deprecated, Reserved: f.Reserved, Inline: f.Inline, Embedded: f.Embedded,
	}
	if t.Kind == schema.Union {
		out.Name = m.names[f.Type] // the name in the schema has no type arguments, so two arms could share it
		return out
	}
	out.Type = expr(m.Schema, f.Type, func(i uint32) string { return m.names[i] })
	if f.Reserved {
		out.Words, out.Size = true, m.Types[f.Type].Len
	} else {
		out.Pos = from.Fields[j].Field.Pos
	}
	return out
}
