package gojson

import "github.com/zmylab/zmy/gen/ir"

// changed is the name of a variable in assertions. If a type has changed, the user sees nothing but
// the compiler's message, which has this name.
const changed = "changedRunGoGenerate"

// assertions writes functions that do not compile once a struct of the package has changed: the
// compiler notices before the fingerprint does at run time. A struct that the package cannot write
// in full has only the fingerprint. The functions are written first, since the compiler stops after
// ten errors.
func (e *emitter) assertions() {
	for _, s := range e.plan.Structs {
		t := s.Type
		if t.Name == nil || t.Name.Pkg != e.pkg.Path || !e.writable(t) {
			continue
		}
		e.P("\n// ", t, " has changed since this file was generated if this does not compile:")
		e.P("// run go generate.")
		e.assertStruct(t)
	}
}

// assertStruct writes an assignment of the struct to an unnamed struct. It compiles only if names,
// types and tags are identical.
func (e *emitter) assertStruct(t *ir.Type) {
	v, typ := e.Local(changed), e.Type(t)
	if t.Lock { // a parameter would be copied, a result is not
		typ = "func() " + typ
	}
	e.P("func _(", v, " ", typ, ") {")
	e.P("var _ struct {")
	for _, f := range t.Fields {
		line := e.Type(f.Type)
		if !f.Embedded {
			line = f.Name + " " + line
		}
		if f.Tag != "" {
			line += " " + goString(f.Tag)
		}
		e.P(line)
	}
	if t.Lock {
		v += "()"
	}
	e.P("} = ", v)
	e.P("}")
}

// writable reports whether the package can write the types of all of the struct's fields.
func (e *emitter) writable(t *ir.Type) bool {
	for _, f := range t.Fields {
		if !f.Usable(e.pkg.Path) || !f.Type.Spellable(e.pkg.Path) || !expressible(f.Type) || aliased(f) {
			return false
		}
	}
	return true
}

// aliased reports whether f is an embedded field that has the name of an alias. The IR does not
// record aliases.
func aliased(f *ir.Field) bool {
	t := f.Type
	if t.Kind == ir.Pointer && t.Name == nil {
		t = t.Elem
	}
	return f.Embedded && (t.Name == nil || t.Name.Name != f.Name)
}

// expressible reports whether the IR describes all unnamed parts of the type in full.
func expressible(t *ir.Type) bool {
	if t.Name != nil {
		for _, a := range t.Name.Args {
			if !expressible(a) {
				return false
			}
		}
		return true
	}
	switch t.Kind {
	case ir.Chan, ir.Func, ir.Interface, ir.Invalid:
		return false
	}
	for _, f := range t.Fields {
		if !expressible(f.Type) {
			return false
		}
	}
	return (t.Key == nil || expressible(t.Key)) && (t.Elem == nil || expressible(t.Elem))
}
