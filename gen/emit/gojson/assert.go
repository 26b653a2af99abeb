package gojson

import "github.com/zmylab/zmy/gen/ir"

// changed is what the compiler calls a value of a type that is no longer what it
// was: its message is all that a user sees.
const changed = "changedRunGoGenerate"

// assertions writes functions that do not compile when a struct of the package is
// no longer what it was: the compiler says so before the program's fingerprint does. A
// struct that cannot be written down has the fingerprint only. They come first, since the
// compiler stops after ten errors.
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

// assertStruct assigns a struct to an unnamed one, which must be identical in
// names, types and tags.
func (e *emitter) assertStruct(t *ir.Type) {
	v, typ := e.Local(changed), e.Type(t)
	if t.Lock { // parameters are copies, results are not
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

// writable reports whether the struct's fields can be written down in the
// package.
func (e *emitter) writable(t *ir.Type) bool {
	for _, f := range t.Fields {
		if !f.Usable(e.pkg.Path) || !f.Type.Spellable(e.pkg.Path) || !expressible(f.Type) || aliased(f) {
			return false
		}
	}
	return true
}

// aliased reports an embedded field that bears the name of an alias, which the IR
// does not keep.
func aliased(f *ir.Field) bool {
	t := f.Type
	if t.Kind == ir.Pointer && t.Name == nil {
		t = t.Elem
	}
	return f.Embedded && (t.Name == nil || t.Name.Name != f.Name)
}

// expressible reports whether the type has no unnamed part that the IR does not
// describe in full.
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
