package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/zmytype"
)

// ProtoOptions changes how messages are planned.
type ProtoOptions struct {
	// Number numbers fields without a struct tag, as [ProtoNumbers] does.
	Number bool
}

// Proto plans the protobuf messages of the package's roots. The error is an ir.Problems that lists
// all fields which have no form, and all types that code of the package cannot write.
func Proto(p *ir.Package, o ProtoOptions) (*ir.ProtoPlan, error) {
	src := protoSource{zmySource{pkg: p.Path}, o.Number}
	c := &protoChecker{src: src, pkg: p, plan: &ir.ProtoPlan{}, seen: map[*ir.Type]bool{}}
	for _, t := range p.Roots {
		c.root(t)
	}
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	return c.plan, nil
}

// protoSource describes types of source code to package pbtype. Its counterpart for reflection is
// internal/pbreflect/source.go.
type protoSource struct {
	zmySource
	number bool // fields without a struct tag get the one that ProtoNumbers gives them
}

// ProtoNumbers returns struct tags for the exported fields of the struct t that have none for
// protobuf: the next numbers above those in use, and proto:"-" for fields that JSON leaves out. Numbers
// of past and of directives //zmy:proto-reserved are not given out. A tag is empty if no number is left.
func ProtoNumbers(t *ir.Type, past pbtype.Ranges) map[*ir.Field]string {
	own, _ := ProtoReserved(t) // a bad directive is a problem of those that read the type
	return pbtype.Numbers(protoSource{}, t, own.Numbers.Union(past))
}

func (s protoSource) FieldsOf(t *ir.Type) []zmytype.Field[*ir.Field, *ir.Type] {
	fields := s.zmySource.FieldsOf(t)
	if s.number {
		tags := ProtoNumbers(t, nil)
		for i := range fields {
			if tag := tags[fields[i].Of]; tag != "" {
				fields[i].Tag = reflect.StructTag(strings.TrimSpace(string(fields[i].Tag) + " " + tag))
			}
		}
	}
	return fields
}

func (protoSource) IsProtoUnknown(t *ir.Type) bool { return named(t, pbtype.UnknownPkg, "Unknown") }

func (protoSource) HasOwn(t *ir.Type, k pbtype.Kind) bool {
	switch {
	case t.Kind == ir.Interface || t.Kind == ir.Any || t.Kind == ir.Pointer:
		return false
	case k == pbtype.Text:
		return t.Hooks.Has(ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr)
	}
	return t.Hooks.Has(ir.HasMarshalBinaryPtr | ir.HasUnmarshalBinaryPtr)
}

func (protoSource) ProtoArms(_, t *ir.Type) (arms []ir.Arm, hint string) {
	if arms = t.Arms; len(arms) == 0 {
		arms = t.Implementers
	}
	return arms, "list its structs in a directive //zmy:union Circle=1 Square=2, or use an interface of this package"
}

type protoChecker struct {
	src      protoSource
	pkg      *ir.Package
	plan     *ir.ProtoPlan
	seen     map[*ir.Type]bool
	problems ir.Problems
}

func (c *protoChecker) root(t *ir.Type) {
	if n := t.Name; t.Kind == ir.Struct && (n == nil || n.Pkg != c.pkg.Path || len(n.Args) > 0) {
		c.problems = append(c.problems, ir.Problem{Pos: t.Pos, Path: c.src.Name(t), Msg: "methods cannot be declared for this type",
			Hint: "name a struct that has it as a field, or leave it to reflection"})
		return
	}
	for _, m := range c.compile(t) {
		c.message(m)
	}
}

// compile plans a root. It returns the messages that no root before it has.
func (c *protoChecker) compile(t *ir.Type) (added []*ir.ProtoMessage) {
	plan, refused := pbtype.Compile(c.src, t)
	for i := range refused {
		r := &refused[i]
		problem := ir.Problem{Pos: r.Type.Pos, Path: r.Path, Msg: r.Msg, Hint: r.Hint}
		if r.Field != nil {
			problem.Pos = r.Field.Pos
		}
		c.problems = append(c.problems, problem)
	}
	if len(refused) > 0 {
		return nil
	}
	for _, n := range plan.Notes {
		c.plan.Notes = append(c.plan.Notes, ir.Problem{Pos: n.Field.Pos, Path: n.Path, Msg: "is not carried", Hint: n.Why})
	}
	for _, m := range plan.Messages {
		if !c.seen[m.Type] {
			c.seen[m.Type] = true
			c.plan.Messages = append(c.plan.Messages, m)
			added = append(added, m)
		}
	}
	return added
}

// protoMethods are the methods that generated code declares.
var protoMethods = []string{"AppendProto", "SizeProto", "UnmarshalProto", "VerifyProto", "ResetProto", "ProtoType"}

// message reports fields for which code of the package cannot be written.
func (c *protoChecker) message(m *ir.ProtoMessage) {
	if !m.Type.Spellable(c.pkg.Path) {
		c.problems = append(c.problems, ir.Problem{Pos: m.Type.Pos, Path: c.src.Name(m.Type),
			Msg: "cannot be written down in package " + c.pkg.Path, Hint: "generate code in the type's own package, or leave it to reflection"})
		return
	}
	for _, f := range m.Type.Fields {
		if slices.Contains(protoMethods, f.Name) && c.src.IsLocal(m.Type) {
			c.problem(f, "a generated method has this name", "rename it")
		}
	}
	if u := m.Unknown; u != nil && u.Type.Elem.Name.Pkg != "" {
		c.problem(u.Of, "generated code takes bytes, not elements of type "+c.src.Name(u.Type.Elem), "use the type fxproto.Unknown")
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		all := []*ir.Type{f.Of.Type, f.Value.Type, f.Key.Type}
		if f.Arm != nil {
			all = append(all, f.Arm.Type)
			if !f.Arm.Pointer {
				c.problem(f.Of, "a pointer to "+c.src.Name(f.Arm.Type)+" does not implement the interface", "give it the methods")
			}
			if f.Arm.Inner != nil && !f.Arm.Inner.Of.Usable(c.pkg.Path) {
				c.problem(f.Of, "field "+f.Arm.Inner.Name+" cannot be named in package "+c.pkg.Path, "export it")
			}
		}
		for _, t := range all {
			if t != nil && !t.Spellable(c.pkg.Path) {
				c.problem(f.Of, print.TypeExprIn(t, c.pkg.Path)+" cannot be written down in package "+c.pkg.Path,
					"export the type, or leave the struct to reflection")
				break
			}
		}
		isBytes := f.Value.Kind == pbtype.Bytes || f.Value.Kind == pbtype.Wrapper && f.Value.Wrapped == pbtype.Bytes
		if v := f.Value; isBytes && v.Type.Kind != ir.RawJSON && v.Type.Elem.Name.Pkg != "" {
			c.problem(f.Of, "generated code takes bytes, not elements of type "+c.src.Name(v.Type.Elem), "use byte")
		}
	}
}

func (c *protoChecker) problem(f *ir.Field, msg, hint string) {
	c.problems = append(c.problems, ir.Problem{Pos: f.Pos, Path: "field " + f.Name, Msg: msg, Hint: hint})
}
