package check

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// maxTiny limits the number of problems. Each path to a refused type is a problem.
const maxTiny = 100

// heavy are the packages that code generated for jsontiny must not link.
var heavy = []string{"encoding/json", "fmt", "reflect"}

// Tiny returns a problem for each field that needs encoding/json, fmt or reflect. links(pkg,
// names...) returns one of the packages names that the package pkg links, or "": see
// load.Pkg.Links.
func Tiny(p *ir.Package, plan *ir.JSONPlan, links func(pkg string, names ...string) string) error {
	c := &tinyCheck{pkg: p.Path, plan: plan, links: links, seen: map[*ir.Type]bool{}}
	for _, t := range p.Roots {
		c.reach(t, print.TypeExprIn(t, p.Path), t.Pos)
	}
	return c.problems.Err()
}

type tinyCheck struct {
	pkg      string
	plan     *ir.JSONPlan
	links    func(pkg string, names ...string) string
	seen     map[*ir.Type]bool // types that were accepted
	problems ir.Problems
}

func (c *tinyCheck) problem(pos ir.Pos, path, hint, msg string) {
	c.problems = append(c.problems, ir.Problem{Pos: pos, Path: path, Hint: hint, Msg: "-tiny: " + msg})
}

// reach judges a type and its contents. A refused type is judged again on every path that leads to
// it.
func (c *tinyCheck) reach(t *ir.Type, path string, pos ir.Pos) {
	if c.seen[t] || len(c.problems) >= maxTiny {
		return
	}
	c.seen[t] = true
	before := len(c.problems)
	c.judge(t, path, pos)
	if len(c.problems) > before {
		delete(c.seen, t)
	}
}

func (c *tinyCheck) judge(t *ir.Type, path string, pos ir.Pos) {
	name := print.TypeExprIn(t, c.pkg)
	switch {
	case t.Kind == ir.Time:
		return
	case t.Kind == ir.Any, t.Kind == ir.Interface:
		c.problem(pos, path, "use a type, or "+skipHint, "a value of type "+name+" may be of any type, which package reflect alone can tell")
		return
	case t.Kind == ir.RawJSON, t.Kind == ir.Number:
		c.problem(pos, path, "use []byte with base64, or a string; or "+skipHint, name+" is of package encoding/json")
		return
	case c.plan.Reflect[t]:
		c.problem(pos, path, skipHint, "package reflect is needed for "+name)
		return
	}
	if t.Name != nil && t.Name.Pkg != "" && t.Name.Pkg != c.pkg {
		if found := c.links(t.Name.Pkg, heavy...); found != "" {
			c.problem(pos, path, "use a type of your own, or "+skipHint, "package "+t.Name.Pkg+" of "+name+" links "+found)
			return
		}
	}
	if h := t.Hooks; t.Kind != ir.Pointer && h&ir.JSONHooks != 0 {
		switch {
		case h.Has(ir.HasMarshalJSONPtr) && !h.Has(ir.HasMarshalJSON), h.Has(ir.HasMarshalTextPtr) && !h.Has(ir.HasMarshalText) &&
			!h.Has(ir.HasMarshalJSON):
			c.problem(pos, path, "give the method a value receiver, or "+skipHint, "whether the marshaling method of *"+name+
				" is called is known to package reflect only")
		case t.Kind == ir.Pointer, t.Kind == ir.Slice, t.Kind == ir.Bytes, t.Kind == ir.Map:
			c.problem(pos, path, skipHint, "package reflect is needed for "+name+", which may be nil and has methods")
		}
		if selfMade(h) {
			return
		}
	}
	switch t.Kind {
	case ir.Pointer:
		if t.Name != nil {
			c.problem(pos, path, "use the pointer itself, or "+skipHint, "package reflect is needed for the named pointer "+name)
			return
		}
		c.reach(t.Elem, path, pos)
	case ir.Bytes, ir.Slice, ir.Array:
		c.reach(t.Elem, path+"[]", pos)
	case ir.Map:
		if k := t.Key; k.Kind == ir.Interface || k.Kind == ir.Pointer || k.Kind == ir.Number || k.Hooks.Has(ir.HasUnmarshalJSONPtr) ||
			keyOneWay(k) {
			c.problem(pos, path, "use a string or integer as key, or "+skipHint, "package reflect is needed for the key "+print.TypeExprIn(k, c.pkg))
		}
		c.reach(t.Elem, path+"[]", pos)
	case ir.Struct:
		c.structType(t, path)
	}
}

// keyOneWay reports whether a key type has only one of the methods MarshalText and UnmarshalText.
func keyOneWay(k *ir.Type) bool {
	return k.Hooks.Has(ir.HasMarshalText) != k.Hooks.Has(ir.HasUnmarshalTextPtr)
}

func (c *tinyCheck) structType(t *ir.Type, path string) {
	s := c.plan.Struct(t)
	if s == nil {
		return
	}
	if f := s.Inline; f != nil {
		c.problem(f.Field.Pos, path+"."+f.Field.Name, "remove the option", "option inline of struct tag fxjson is for package jsonrt")
	}
	for _, f := range s.Fields {
		at := path
		for _, st := range f.Steps {
			at += "." + st.Field.Name
		}
		at += "." + f.Field.Name
		k := f.Type.Kind
		switch {
		case f.Intern:
			c.problem(f.Field.Pos, at, "remove the option", "option intern of struct tag fxjson is for package jsonrt")
		case f.Quoted && (f.Type.Hooks&ir.JSONHooks != 0 || k == ir.Pointer &&
			(f.Type.Elem.Kind == ir.Pointer || f.Type.Elem.Hooks&ir.JSONHooks != 0)):
			c.problem(f.Field.Pos, at, "remove the option", "option string on "+print.TypeExprIn(f.Type, c.pkg)+" needs package reflect")
		case f.OmitZero && (f.Zero == ir.ZeroNilMethod && k == ir.Interface || f.Zero == ir.ZeroCompare &&
			(k == ir.Struct || k == ir.Array || k == ir.Time)):
			c.problem(f.Field.Pos, at, "give the type a method IsZero, or use omitempty on a pointer", "option omitzero on "+
				print.TypeExprIn(f.Type, c.pkg)+" needs package reflect")
		}
		c.reach(f.Type, at, f.Field.Pos)
	}
}
