package gojson

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// emitter is the state while one file is generated.
type emitter struct {
	*print.File
	pkg   *ir.Package
	plan  *ir.JSONPlan
	opt   Options
	funcs map[key]string // names of functions in the output
	queue []key          // functions yet to be written
	vars  map[string]string

	// Names of parameters and variables in the output.
	v, e, b, d, i, k, s, n, r string
}

// key identifies a function of the output.
type key struct {
	t        *ir.Type
	decode   bool
	decimals int // digits after the decimal point of floats, -1 for the shortest form; decoders always have -1
}

// verb returns the verb in names of the runtime's functions.
func (k key) verb() string {
	if k.decode {
		return "Decode"
	}
	return "Encode"
}

// encoder returns the function that encodes a value of type t.
func (e *emitter) encoder(t *ir.Type, decimals int) call { return e.coder(key{t, false, decimals}) }

// decoder returns the function that decodes a value of type t.
func (e *emitter) decoder(t *ir.Type) call { return e.coder(key{t, true, -1}) }

// The packages that generated code calls. tiny has those functions of runtime that need no
// reflection.
var (
	runtime = print.Package("github.com/zmylab/zmy/fxjson/jsonrt")
	tiny    = print.Package("github.com/zmylab/zmy/fxjson/jsontiny")
)

// rt returns an identifier of the runtime as the file must write it.
func (e *emitter) rt(name string) string {
	if e.opt.Tiny {
		return e.Ident(tiny.Ident(name))
	}
	return e.Ident(runtime.Ident(name))
}

func (e *emitter) nameLocals() {
	e.rt(generation) // so that the import's name is reserved before the names of variables
	for _, l := range []struct {
		to   *string
		want string
	}{{&e.v, "v"}, {&e.e, "e"}, {&e.b, "b"}, {&e.d, "d"}, {&e.i, "i"}, {&e.k, "k"}, {&e.s, "s"}, {&e.n, "n"}, {&e.r, "r"}} {
		*l.to = e.Local(l.want)
	}
}

// fn returns the name of the function for k. The first call for k queues the function.
func (e *emitter) fn(k key) string {
	if name, ok := e.funcs[k]; ok {
		return name
	}
	name := e.typeName(e.pkg.Roots[0])
	if k.t != e.pkg.Roots[0] && !e.hasMethods(k.t) {
		name += "_" + e.typeName(k.t)
	} else {
		name = e.typeName(k.t)
	}
	if k.decimals >= 0 {
		name += "Fixed"
	}
	name = e.Unique(strings.ToLower(k.verb()) + name)
	e.funcs[k] = name
	e.queue = append(e.queue, k)
	return name
}

// hasMethods reports whether t is a root that can have methods: the package declares it, and it is
// not an instance of a generic type.
func (e *emitter) hasMethods(t *ir.Type) bool {
	if t.Name == nil || t.Name.Pkg != e.pkg.Path || len(t.Name.Args) > 0 || t.Kind == ir.Pointer || t.Kind == ir.Interface ||
		t.Kind == ir.Any {
		return false
	}
	return slices.Contains(e.pkg.Roots, t)
}

func (e *emitter) typeName(t *ir.Type) string { return typeWord(t, e.pkg.Path) }

// typeWord makes one word of a type's name in the package pkg.
func typeWord(t *ir.Type, pkg string) string {
	spelling := ir.Spelling{
		Base: func(t *ir.Type) string {
			if n := t.Name; n != nil && n.Pkg != "" && n.Pkg != pkg {
				return ir.Title(n.PkgName) + ir.Title(n.Name)
			}
			return ir.Title(t.Said())
		},
		Bytes: "SliceUint8", Slice: "Slice{}", Array: "Array{}", Map: "Map{key}{}", Pointer: "Ptr{}",
	}
	return spelling.Word(t)
}

// call names a function fn that has the parameters of an encoder or decoder. elem is the text of
// further arguments, or "": the function for elements; for some maps the function for keys comes
// before it.
type call struct{ fn, elem string }

// args returns the text of a call of the function. state, at and loc are the arguments that all
// encoders and decoders have; loc is the address of the value.
func (c call) args(state, at, loc string) string {
	s := c.fn + "(" + state + ", " + at + ", " + loc
	if c.elem != "" {
		s += ", " + c.elem
	}
	return s + ")"
}

// value returns the name of a function for k that can be passed as an argument. If the call for k
// has further arguments, this is a generated function that makes the call.
func (e *emitter) value(k key) string {
	if c := e.coder(k); c.elem == "" {
		return c.fn
	}
	return e.fn(k)
}
