package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/near"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/zmyprint"
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
		if t.Words != "" { // a reserved field has no Go type, but emitters ask every type for its kind
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
		return nil // for such a type functions are generated, not methods
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
		name.Args = nil // type arguments are judged when whole is true
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

// zmySource describes types of source code to the packages zmytype and zmyprint. Its counterpart for
// reflection is internal/zmyreflect/source.go. Both must say the same of a type, apart from what
// reflection cannot see: otherwise programs would refuse generated code that fits.
type zmySource struct{ pkg string }

func (zmySource) KindOf(t *ir.Type) ir.Kind  { return t.Kind }
func (zmySource) ElemOf(t *ir.Type) *ir.Type { return t.Elem }
func (zmySource) KeyOf(t *ir.Type) *ir.Type  { return t.Key }
func (zmySource) LenOf(t *ir.Type) int64     { return t.Len }
func (zmySource) SizeOf(t *ir.Type) int64    { return t.Size }
func (zmySource) Arms(t *ir.Type) []ir.Arm   { return t.Arms }
func (zmySource) IsNamed(t *ir.Type) bool    { return t.Name != nil && t.Name.Pkg != "" }
func (s zmySource) IsLocal(t *ir.Type) bool  { return t.Name != nil && t.Name.Pkg == s.pkg }
func (s zmySource) Name(t *ir.Type) string   { return print.TypeExprIn(t, s.pkg) }

func (zmySource) Directives(t *ir.Type) []string {
	if t.Name == nil {
		return nil
	}
	return t.Name.Dirs
}

func (s zmySource) FieldsOf(t *ir.Type) []zmytype.Field[*ir.Field, *ir.Type] {
	out := make([]zmytype.Field[*ir.Field, *ir.Type], len(t.Fields))
	for i, f := range t.Fields {
		out[i] = zmytype.Field[*ir.Field, *ir.Type]{
			Of: f, Name: f.Name, Type: f.Type, Tag: reflect.StructTag(f.Tag), Embedded: f.Embedded, Exported: f.Exported,
			Usable: f.Usable(s.pkg), Unknown: s.IsUnknown(f.Type), Dirs: f.Dirs,
		}
	}
	return out
}

// Implementers returns the types that implement an interface, or why they cannot be the arms of a
// union: see [zmySource.union]. If one of them has a build constraint, the arms would differ
// between systems.
func (s zmySource) Implementers(t *ir.Type) (all []ir.Arm, why string) {
	s.union(t, func(hint, format string, args ...any) {
		if why == "" {
			why = fmt.Sprintf(format, args...) + "; " + hint
		}
	})
	for _, arm := range t.Implementers {
		if why == "" && arm.Type != nil && arm.Type.Build != "" {
			why = "its type " + arm.Text + " is there for " + arm.Type.Build + " only"
		}
	}
	return t.Implementers, why
}

// IsUnknown reports whether t is zmy.Unknown.
func (zmySource) IsUnknown(t *ir.Type) bool { return named(t, "github.com/zmylab/zmy/wire", "Unknown") }

// zmyMethods are the hooks for the bits of zmytype.Methods, in their order.
var zmyMethods = [...]ir.Hooks{
	ir.HasAppendZMYPtr, ir.HasUnmarshalZMYPtr, ir.HasAfterUnmarshalZMYPtr, ir.HasAppendBinaryPtr, ir.HasMarshalBinaryPtr,
	ir.HasUnmarshalBinaryPtr, ir.HasAppendTextPtr, ir.HasMarshalTextPtr, ir.HasUnmarshalTextPtr,
}

func (zmySource) Own(t *ir.Type) (m zmytype.Methods) {
	for i, hook := range zmyMethods {
		if t.Own.Has(hook) {
			m |= 1 << i
		}
	}
	return m
}

func (zmySource) JSON(t *ir.Type) (j zmytype.JSON) {
	add := func(way zmytype.JSON, has bool) {
		if has {
			j |= way
		}
	}
	text := t.Hooks.Has(ir.HasMarshalTextPtr | ir.HasUnmarshalTextPtr)
	add(zmytype.MarshalJSON, t.Own.Has(ir.HasMarshalJSONPtr))
	add(zmytype.UnmarshalJSON, t.Own.Has(ir.HasUnmarshalJSONPtr))
	add(zmytype.RoundTrips, text || t.Hooks.Has(ir.HasMarshalJSONPtr|ir.HasUnmarshalJSONPtr))
	add(zmytype.RoundTripsText, text)
	add(zmytype.ByPointer, t.Hooks&(ir.HasMarshalJSON|ir.HasMarshalText) == 0 && t.Hooks&(ir.HasMarshalJSONPtr|ir.HasMarshalTextPtr) != 0)
	return j
}

// OwnJSON knows less than JSON, because the method for reflection has to: see zmyprint.Source.
func (zmySource) OwnJSON(t *ir.Type) (j zmytype.JSON) {
	add := func(way zmytype.JSON, hook ir.Hooks) {
		promoted := func(f *ir.Field) bool { return f.Embedded && f.Type.Hooks.Has(hook) }
		if t.Own.Has(hook) && !slices.ContainsFunc(t.Fields, promoted) {
			j |= way
		}
	}
	add(zmytype.MarshalJSON, ir.HasMarshalJSONPtr)
	add(zmytype.UnmarshalJSON, ir.HasUnmarshalJSONPtr)
	return j
}

// The compiler reports most changes of types that generated code was made for. It does not report
// added methods, nor changes in structs that the generated code cannot write, such as structs of
// other packages with unexported fields. So the generated code of each root has a fingerprint,
// which the program compares at the first use. If it differs, reflection takes over, but only if it
// would write the same form: reflection sees neither unions nor directives nor derived numbers.

// stale returns what a root's generated code records about its Go types: their fingerprint, the
// arms of their unions, and whether reflection sees the whole form and can replace the generated
// code.
func stale(root *ir.ZMYType) ir.ZMYStale {
	out := ir.ZMYStale{StandIn: true}
	var arms []*ir.Type
	reached := map[*ir.ZMYType]bool{}
	var reach func(*ir.ZMYType)
	reach = func(t *ir.ZMYType) {
		if reached[t] {
			return
		}
		reached[t] = true
		out.StandIn = out.StandIn && reflects(t)
		for _, a := range t.Arms {
			if !slices.Contains(arms, a.Type.Type) {
				arms = append(arms, a.Type.Type)
				out.Arms = append(out.Arms, a.Type)
			}
		}
		for _, part := range t.Parts() {
			reach(part)
		}
	}
	reach(root)
	src := zmySource{}
	if n := root.Type.Name; n != nil {
		src.pkg = n.Pkg // the fingerprint calls types of the root's package local, since a program knows no other package here
	}
	out.Print = zmyprint.Of(src, root.Type, arms)
	return out
}

// reflects reports whether reflection sees the whole form of a type: it has no union, no numbers
// from -derive and no directives in comments.
func reflects(t *ir.ZMYType) bool {
	switch {
	case t.Shape == zmytype.ShapeUnion, t.Via == zmytype.ViaJSON && t.Type.Kind != ir.Struct:
		return false
	case !t.IsStruct() && (t.Shape != zmytype.ShapeFixed || t.Kind != ir.Struct):
		return true
	case t.Type.Name != nil && slices.ContainsFunc(t.Type.Name.Dirs, func(d string) bool { return d != "" && !zmytype.Harmless(d) }):
		return false
	}
	return len(t.Fields) == 0 || slices.ContainsFunc(t.Type.Fields,
		func(f *ir.Field) bool { return zmytype.Numbered(reflect.StructTag(f.Tag)) })
}
