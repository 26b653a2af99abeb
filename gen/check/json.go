package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/internal/jsontag"
)

// JSON plans the JSON form of the package's roots, as encoding/json (v1) sees them. The error is an
// ir.Problems that lists all types reached that JSON cannot carry.
func JSON(p *ir.Package) (*ir.JSONPlan, error) {
	c := &jsonCheck{pkg: p.Path, plan: &ir.JSONPlan{Reflect: map[*ir.Type]bool{}}, seen: map[*ir.Type]bool{}}
	for _, t := range p.Roots {
		c.reach(t, print.TypeExprIn(t, p.Path), t.Pos)
	}
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(c.plan.Types, func(a, b *ir.Type) int { return a.ID - b.ID })
	slices.SortFunc(c.plan.Structs, func(a, b *ir.JSONStruct) int { return a.Type.ID - b.Type.ID })
	c.plan.Prints = prints(p)
	return c.plan, nil
}

// jsonCheck walks the types that encoding/json would walk.
type jsonCheck struct {
	pkg      string
	plan     *ir.JSONPlan
	seen     map[*ir.Type]bool
	problems ir.Problems
}

const skipHint = "use struct tag `json:\"-\"` to skip it"

func (c *jsonCheck) problem(pos ir.Pos, path, hint, format string, args ...any) {
	c.problems = append(c.problems, ir.Problem{Pos: pos, Path: path, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// reach adds a type to the plan. path and pos say how it was reached. A type is judged each time it
// is reached, but what it contains is reached only once.
func (c *jsonCheck) reach(t *ir.Type, path string, pos ir.Pos) {
	opaque := selfMade(t.Hooks) || t.Kind == ir.Interface
	if !opaque && !c.carried(t, path, pos) || c.seen[t] {
		return
	}
	c.seen[t] = true
	c.plan.Types = append(c.plan.Types, t)
	if reflected(t, c.pkg) {
		c.plan.Reflect[t] = true
	}
	if opaque {
		return
	}
	switch t.Kind {
	case ir.Pointer:
		c.reach(t.Elem, path, pos)
	case ir.Bytes, ir.Slice, ir.Array:
		c.reach(t.Elem, path+"[]", pos)
	case ir.Map:
		if !c.seen[t.Key] {
			c.seen[t.Key] = true
			c.plan.Types = append(c.plan.Types, t.Key)
		}
		c.reach(t.Elem, path+"[]", pos)
	case ir.Struct:
		c.structType(t, path)
	}
}

// carried reports whether the type has a JSON form, apart from the types it contains.
func (c *jsonCheck) carried(t *ir.Type, path string, pos ir.Pos) bool {
	switch t.Kind {
	case ir.Chan, ir.Func, ir.Complex64, ir.Complex128, ir.Unsafe, ir.Invalid:
		c.problem(pos, path, skipHint, "%s has no JSON form", print.TypeExprIn(t, c.pkg))
		return false
	case ir.Map:
		if !keyable(t.Key) {
			c.problem(pos, path, "use a string or integer key, or give the key MarshalText; or "+skipHint,
				"map key %s has no JSON form", print.TypeExprIn(t.Key, c.pkg))
			return false
		}
	}
	return true
}

// reflected reports whether t is left to reflection at run time, because code of the package cannot
// name the type or because only reflection knows which methods the type has. An unnamed struct has
// the methods of its embedded fields, and encoding/json finds them only behind some pointers.
// Scalars need no function of their own.
func reflected(t *ir.Type, pkg string) bool {
	switch t.Kind {
	case ir.Struct:
		return !t.Spellable(pkg) || t.Name == nil && t.Hooks&ir.JSONHooks != 0
	case ir.Bytes, ir.Slice, ir.Array, ir.Map, ir.Any:
		return !t.Spellable(pkg)
	case ir.Pointer: // a named pointer hides its element's methods from decoders
		return !t.Spellable(pkg) || t.Name != nil && t.Elem.Hooks&ir.JSONHooks != 0
	case ir.Float32, ir.Float64: // fields with option decimals have functions
		return !t.Spellable(pkg)
	}
	return false
}

// selfMade reports whether a value both marshals and unmarshals itself. Then its contents do not
// matter.
func selfMade(h ir.Hooks) bool {
	return (h.Has(ir.HasMarshalJSON) || h.Has(ir.HasMarshalText)) &&
		(h.Has(ir.HasUnmarshalJSONPtr) || h.Has(ir.HasUnmarshalTextPtr))
}

// keyable reports whether encoding/json can write keys of type k. It may still be unable to read
// them.
func keyable(k *ir.Type) bool {
	return k.Kind == ir.String || k.Kind == ir.Number || k.Kind.IsInt() || k.Kind.IsUint() || k.Hooks.Has(ir.HasMarshalText)
}

func (c *jsonCheck) structType(t *ir.Type, path string) {
	set := jsonFields(t)
	s := &ir.JSONStruct{Type: t, Fields: set.fields, Inline: set.inline}
	c.plan.Structs = append(c.plan.Structs, s)
	for _, p := range set.problems {
		c.problem(p.field.Pos, path+"."+p.field.Name, p.Hint, "%s", p.Msg)
	}
	for _, f := range s.Fields {
		c.field(t, f, path)
		c.tagged(f, path)
	}
	if s.Inline != nil {
		c.field(t, s.Inline.JSONField, path)
	}
}

// field adds a field of t to the plan.
func (c *jsonCheck) field(t *ir.Type, f *ir.JSONField, path string) {
	for _, st := range f.Steps {
		path += "." + st.Field.Name
	}
	if !c.reachable(t, f) {
		c.plan.Reflect[t] = true
	}
	c.reach(f.Type, path+"."+f.Field.Name, f.Field.Pos)
}

// tagged applies the options of struct tag fxjson that concern the value of a field.
func (c *jsonCheck) tagged(f *ir.JSONField, path string) {
	o, _ := jsontag.Of(reflect.StructTag(f.Field.Tag))
	f.Decimals, f.Required, f.Intern = o.Decimals, o.Required, o.Intern
	if o.Decimals >= 0 && !floats(f.Type) {
		c.problem(f.Field.Pos, path+"."+f.Field.Name, "remove the option",
			"struct tag fxjson option decimals is for floats, not for %s", print.TypeExprIn(f.Type, c.pkg))
	}
	if o.Intern && !texts(f.Type, map[*ir.Type]bool{}) {
		c.problem(f.Field.Pos, path+"."+f.Field.Name, "remove the option",
			"struct tag fxjson option intern is for strings and what holds some, not for %s", print.TypeExprIn(f.Type, c.pkg))
	}
}

// texts reports whether a value of type t may hold strings that fxjson decodes itself.
func texts(t *ir.Type, seen map[*ir.Type]bool) bool {
	if seen[t] || t.Hooks.Has(ir.HasUnmarshalJSONPtr) || t.Hooks.Has(ir.HasUnmarshalTextPtr) {
		return false
	}
	seen[t] = true
	switch t.Kind {
	case ir.String, ir.Number, ir.Any:
		return true
	case ir.Pointer, ir.Slice, ir.Array:
		return texts(t.Elem, seen)
	case ir.Map:
		return texts(t.Key, seen) || texts(t.Elem, seen)
	case ir.Struct:
		return slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return texts(f.Type, seen) })
	}
	return false
}

func floats(t *ir.Type) bool {
	for {
		switch t.Kind {
		case ir.Pointer, ir.Slice, ir.Array:
			t = t.Elem
		default:
			return t.Kind.IsFloat()
		}
	}
}
