package protolock

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/internal/pbtype"
)

// Record returns the record of the messages of a plan, and of the enums that they have. pkg is the import path of the package
// that has the lock file. The error is an ir.Problems: of bad directives, and of fields whose number or
// name a directive reserves.
func Record(pkg string, plan *ir.ProtoPlan) (*File, error) {
	m := maker{pkg: pkg, names: map[*ir.Type]string{}, f: &File{}}
	for _, msg := range plan.Messages { // a message precedes those within it
		m.name(msg)
	}
	inner := inners(plan)
	for _, msg := range plan.Messages {
		if !inner[msg.Type] && !isWellKnown(msg.Type) {
			m.message(msg)
		}
	}
	m.f.sort()
	return m.f, m.problems.Err()
}

// inners returns structs that are no messages, because their only field is an arm of an interface.
func inners(plan *ir.ProtoPlan) map[*ir.Type]bool {
	out := map[*ir.Type]bool{}
	for _, m := range plan.Messages {
		for _, f := range m.Fields {
			if f.Arm != nil && f.Arm.Inner != nil {
				out[f.Arm.Type] = true
			}
		}
	}
	for _, m := range plan.Messages {
		for _, f := range m.Fields {
			if f.Value.Message != nil {
				delete(out, f.Value.Type)
			}
		}
	}
	return out
}

func isWellKnown(t *ir.Type) bool {
	return t.Name != nil && (wellKnown[t.Name.Pkg] || t.Name.Pkg == pbtype.UnknownPkg && t.Name.Name == "Any")
}

type maker struct {
	pkg      string
	names    map[*ir.Type]string
	f        *File
	problems ir.Problems
}

// name sets the name of a message, and the names of structs without a name in its fields.
func (m *maker) name(msg *ir.ProtoMessage) {
	if msg.Type.Name != nil {
		m.names[msg.Type] = lock.TypeName(msg.Type, m.pkg)
	}
	for _, f := range msg.Fields {
		if v := f.Value; v.Message != nil && v.Type.Name == nil && m.names[v.Type] == "" {
			m.names[v.Type] = m.names[msg.Type] + ":" + f.Name
		}
	}
}

func (m *maker) message(msg *ir.ProtoMessage) {
	t := &Type{Name: m.names[msg.Type], Kind: Message, Pos: msg.Type.Pos}
	if m.f.Type(t.Name) != nil {
		return
	}
	m.f.Types = append(m.f.Types, t)
	for i := range msg.Fields {
		f := &msg.Fields[i]
		names := check.ProtoNames(f)
		out := Field{Number: f.Number, Name: names.Proto, JSON: names.JSON, Type: m.form(&f.Value), Pos: f.Of.Pos,
			Group: f.Value.Kind == pbtype.Group}
		scalar := f.Value.Kind.IsNumber() || f.Value.Kind == pbtype.String || f.Value.Kind == pbtype.Bytes
		switch {
		case f.Shape == pbtype.Map:
			out.Key = m.form(&f.Key)
		case f.Shape == pbtype.List:
			out.Repeated, out.Unpacked = true, f.Value.Kind.IsNumber() && !f.Packed
		case f.Oneof >= 0:
			out.Oneof = msg.Oneofs[f.Oneof]
		default:
			out.Optional = scalar && f.Presence != pbtype.Implicit
		}
		t.Fields = append(t.Fields, out)
	}
	m.reserve(t, msg.Type)
}

// form returns the type of a value. It records enums.
func (m *maker) form(v *ir.ProtoValue) Form {
	switch {
	case v.Message != nil && isWellKnown(v.Type):
		return Form{Word: "google.protobuf." + v.Type.Name.Name}
	case v.Message != nil:
		return Form{Word: m.names[v.Type], Own: true}
	case v.Kind == pbtype.Enum && len(v.Type.Values) > 0:
		return Form{Word: m.enum(v.Type), Own: true}
	}
	return Form{Word: wordOf(v.Kind, v.Wrapped, v.Raw), Len: v.Len}
}

func (m *maker) enum(from *ir.Type) (name string) {
	name = lock.TypeName(from, m.pkg)
	if m.f.Type(name) != nil {
		return name
	}
	e, problems := check.ProtoEnum(m.pkg, from)
	if m.problems = append(m.problems, problems...); len(problems) > 0 {
		return name
	}
	t := &Type{Name: name, Kind: Enum, Pos: from.Pos}
	m.f.Types = append(m.f.Types, t)
	for _, v := range e.Values {
		t.Values = append(t.Values, Value{Number: int32(v.Number), Name: v.Name})
	}
	m.reserve(t, from)
	return name
}

// reserve adds what the directives of a type reserve.
func (m *maker) reserve(t *Type, from *ir.Type) {
	own, problems := check.ProtoReserved(from)
	t.Reserved, t.Names = own.Numbers, own.Names
	used := func(number int32, name string, pos ir.Pos) {
		what := ""
		switch {
		case t.Reserved.Has(number):
			what = fmt.Sprintf("has number %d, which", number)
		case slices.Contains(t.Names, name):
			what = fmt.Sprintf("has the name %s, which", name)
		default:
			return
		}
		problems = append(problems, ir.Problem{Pos: pos, Path: t.Name + "." + name, Msg: what + " //zmy:proto-reserved reserves",
			Hint: "give it another one; what is reserved was in use once"})
	}
	for _, f := range t.Fields {
		used(f.Number, f.Name, f.Pos)
	}
	for _, v := range t.Values {
		used(v.Number, v.Name, t.Pos)
	}
	m.problems = append(m.problems, problems...)
}
