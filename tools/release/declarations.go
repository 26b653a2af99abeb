package release

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// declarations returns the exported declarations of a package, one a line and sorted. Two packages with
// the same lines are the same to their importers. A name comes before what may change about it:
//
//	const Max untyped int = 3
//	func Marshal(any) ([]byte, error)
//	type Reader struct
//	field Reader.Limit int
//	method (*Reader) Read([]byte) (int, error)
//
// Names of parameters and struct tags are left out, since importers do not compile against them.
func declarations(p *types.Package) []string {
	d := &declarer{qualify: types.RelativeTo(p)}
	scope := p.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() {
			d.object(o)
		}
	}
	slices.Sort(d.lines)
	return slices.Compact(d.lines)
}

type declarer struct {
	qualify types.Qualifier
	lines   []string
}

func (d *declarer) add(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *declarer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		d.add("const %s %s = %s", o.Name(), d.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		d.add("var %s %s", o.Name(), d.text(o.Type()))
	case *types.Func:
		d.add("func %s%s", o.Name(), d.signature(o.Signature()))
	case *types.TypeName:
		d.typeName(o)
	}
}

func (d *declarer) typeName(o *types.TypeName) {
	if a, ok := o.Type().(*types.Alias); ok {
		d.add("type %s%s = %s", o.Name(), d.parameters(a.TypeParams()), d.text(a.Rhs()))
		if t, ok := types.Unalias(a).(*types.Named); ok && t.Obj().Pkg() != nil && ours(t.Obj().Pkg().Path()) && !promised(t.Obj().Pkg().Path()) {
			d.named(o, t) // no other line tells what it has
		}
		return
	}
	if t, ok := o.Type().(*types.Named); ok {
		d.named(o, t)
	}
}

// named adds a type, its fields and its methods, under the name of o.
func (d *declarer) named(o *types.TypeName, t *types.Named) {
	head := "type " + o.Name() + d.parameters(t.TypeParams())
	switch u := t.Underlying().(type) {
	case *types.Interface:
		d.add("%s %s", head, d.methodsOf(u))
		return // its methods are in the line: each of them is asked of all who implement it
	case *types.Struct:
		if !types.Comparable(u) {
			head += " (not comparable)"
		}
		d.add("%s struct", head)
		d.fields(o.Name(), u, map[types.Type]bool{})
	default:
		d.add("%s %s", head, d.text(u))
	}
	values := types.NewMethodSet(t)
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		m := s.Obj().(*types.Func)
		if !m.Exported() {
			continue
		}
		receiver := "*" + o.Name()
		if values.Lookup(m.Pkg(), m.Name()) != nil {
			receiver = o.Name()
		}
		d.add("method (%s) %s%s", receiver, m.Name(), d.signature(s.Type().(*types.Signature)))
	}
}

// fields adds the fields of struct type name that importers can select, those of embedded structs that
// have no exported name included.
func (d *declarer) fields(name string, s *types.Struct, seen map[types.Type]bool) {
	for f := range s.Fields() {
		switch {
		case f.Exported() && f.Embedded():
			d.add("field %s.%s %s, embedded", name, f.Name(), d.text(f.Type()))
		case f.Exported():
			d.add("field %s.%s %s", name, f.Name(), d.text(f.Type()))
		case f.Embedded() && !seen[f.Type()]:
			seen[f.Type()] = true
			t := f.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if in, ok := t.Underlying().(*types.Struct); ok {
				d.fields(name, in, seen)
			}
		}
	}
}

// methodsOf returns an interface with all its methods, also those of interfaces that it embeds.
func (d *declarer) methodsOf(i *types.Interface) string {
	if !i.IsMethodSet() {
		return d.text(i)
	}
	all := map[string]bool{}
	for m := range i.Methods() {
		if m.Exported() {
			all[m.Name()+d.signature(m.Signature())] = true
		} else {
			all["methods that are not exported"] = true
		}
	}
	return "interface{ " + strings.Join(slices.Sorted(maps.Keys(all)), "; ") + " }"
}

func (d *declarer) parameters(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+d.text(p.Constraint()))
	}
	if all == nil {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// signature returns type parameters, parameters and results without their names.
func (d *declarer) signature(s *types.Signature) string {
	list := func(t *types.Tuple, variadic bool) (all []string) {
		for i := range t.Len() {
			typ := t.At(i).Type()
			if slice, ok := typ.(*types.Slice); ok && variadic && i == t.Len()-1 {
				all = append(all, "..."+d.text(slice.Elem()))
				continue
			}
			all = append(all, d.text(typ))
		}
		return all
	}
	text := d.parameters(s.TypeParams()) + "(" + strings.Join(list(s.Params(), s.Variadic()), ", ") + ")"
	switch results := list(s.Results(), false); len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	default:
		return text + " (" + strings.Join(results, ", ") + ")"
	}
}

func (d *declarer) text(t types.Type) string {
	switch t := t.(type) {
	case *types.Signature:
		return "func" + d.signature(t)
	case *types.Pointer:
		return "*" + d.text(t.Elem())
	case *types.Slice:
		return "[]" + d.text(t.Elem())
	case *types.Map:
		return "map[" + d.text(t.Key()) + "]" + d.text(t.Elem())
	}
	return types.TypeString(t, d.qualify)
}
