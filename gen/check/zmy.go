package check

import (
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/near"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmytype"
)

// ZMYOptions are the options of [ZMY].
type ZMYOptions struct {
	// Derive numbers the fields of structs without any zmy struct tag, in the order of declaration.
	// Fields that JSON skips by json:"-" are skipped here too, except in roots with JSON methods,
	// since these methods may carry them.
	Derive bool
	// Recorded returns the numbers that Derive gave to the fields of a struct earlier. They are
	// kept. It may be nil.
	Recorded func(*ir.Type) []ir.ZMYRecord
}

// ZMY plans the native form of the package's roots. The error is an ir.Problems that lists all
// types reached without a wire type, and all fields without a number.
func ZMY(p *ir.Package, opt ZMYOptions) (*ir.ZMYPlan, error) {
	var problems ir.Problems
	var roots []*ir.Type
	for _, t := range p.Roots {
		if t.Kind == ir.Struct {
			roots = append(roots, t)
			problems = append(problems, hidden(p, t)...)
			continue
		}
		problems = append(problems, ir.Problem{
			Pos: t.Pos, Path: print.TypeExprIn(t, p.Path), Msg: "a message is a struct, not " + t.Kind.String(),
			Hint: "wrap it in a struct with one field",
		})
	}
	src := zmySource{pkg: p.Path}
	plan, refused := zmytype.Compile(src, roots, zmytype.Options[*ir.Type, *ir.Field]{
		Derive: opt.Derive, Recorded: opt.Recorded, Unwritable: src.unwritable, Union: src.union, Near: near.Names,
	})
	for _, r := range refused {
		problem := ir.Problem{Path: r.Place, Msg: r.Msg, Hint: r.Hint}
		if r.Field != nil {
			problem.Pos = r.Field.Pos
		} else {
			problem.Pos = r.Type.Pos
		}
		problems = append(problems, problem)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	for _, t := range plan.Types {
		if t.Words != "" { // so that emitters can ask every type for its kind, a reserved one too
			t.Type = &ir.Type{Kind: t.Kind}
		}
	}
	out := &ir.ZMYPlan{Plan: plan, Stale: map[*ir.ZMYType]ir.ZMYStale{}}
	for _, r := range plan.Roots {
		out.Stale[r] = stale(r)
	}
	return out, nil
}

// generatedMethods are the methods that generated code declares on roots.
var generatedMethods = []string{"AppendZMY", "AppendZMYOptions", "UnmarshalZMY", "UnmarshalZMYOptions", "ZMYFingerprint", "ZMYSchema"}

// hidden returns a problem for each field of a root that is named like a generated method.
func hidden(p *ir.Package, t *ir.Type) (problems ir.Problems) {
	if t.Name == nil || t.Name.Pkg != p.Path || len(t.Name.Args) > 0 {
		return nil // generated code has functions for it, no methods
	}
	for _, f := range t.Fields {
		if slices.Contains(generatedMethods, f.Name) {
			problems = append(problems, ir.Problem{Pos: f.Pos, Path: "field " + f.Name, Msg: "a generated method has this name",
				Hint: "rename it"})
		}
	}
	return problems
}

// unwritable says why code of the package cannot write t, or returns "". If whole is false, it
// judges the name without its type arguments.
func (s zmySource) unwritable(t *ir.Type, whole bool) string {
	if whole && !t.Spellable(s.pkg) {
		return "cannot be written down in package " + s.pkg
	}
	if !whole && t.Name != nil {
		name := *t.Name
		name.Args = nil // they are judged when whole is true
		if !(&ir.Type{Name: &name}).Spellable(s.pkg) {
			return "cannot be named in package " + s.pkg
		}
	}
	return ""
}

// union reports what is wrong with the interface of a union itself, apart from its arms.
func (s zmySource) union(t *ir.Type, bad func(hint, format string, args ...any)) {
	if len(t.Name.Args) > 0 {
		bad("name the types of its arms", "a union with type parameters")
	}
	if !slices.ContainsFunc(t.Methods, func(m ir.Method) bool { return !m.Exported }) {
		bad("add a method such as is"+t.Name.Name+"()", "a union needs an unexported method, so that no other package adds an arm")
	}
	for _, m := range t.Methods {
		for _, p := range slices.Concat(m.Params, m.Results) {
			if !p.Spellable(s.pkg) {
				bad("take it out of the interface", "method %s has a type that cannot be written down here", m.Name)
			}
		}
	}
}
