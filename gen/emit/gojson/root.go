package gojson

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
)

// root writes the entry points for t: methods, or functions if the package cannot declare methods
// of t. Package fxjson finds generated code by a method, and an instance of a generic type cannot
// have one of its own. The alternative, a registry that init functions fill, is ruled out in this
// project.
func (e *emitter) root(t *ir.Type) {
	enc, dec := "", ""
	if e.opt.encodes() {
		enc = e.fn(key{t, false, -1})
	}
	if e.opt.decodes() {
		dec = e.fn(key{t, true, -1})
	}
	methods, code, shadow := e.hasMethods(t), "", ""
	if !e.opt.Tiny {
		code = e.Unique("jsonCode" + e.typeName(t))
		if methods && e.opt.StdMethods {
			shadow = e.Unique("shadow" + e.typeName(t))
		}
		e.code(t, code, enc, dec, shadow)
		if methods {
			e.P("\n// JSONCode tells fxjson how to marshal and unmarshal ", t, ".")
			e.P("func (*", t, ") JSONCode() any { return &", code, " }")
		}
	}
	app, parse := FuncNames(t, e.pkg.Path)
	recv, pointer := "", true // receiver of AppendJSON, and whether it is a pointer
	if methods {
		app, parse = "AppendJSON", "DecodeJSON"
		if recv, pointer = t.Name.Name, t.Lock; pointer {
			recv = "*" + recv
		}
	}
	if e.opt.encodes() {
		head, end := "func ("+e.v+" "+recv+") AppendJSON("+e.b+" []byte)", "."
		if !methods {
			app = e.Unique(app)
			head = "func " + app + "(" + e.b + " []byte, " + e.v + " *" + e.Type(t) + ")"
			if !e.opt.Tiny {
				end = ". Call it where speed counts:\n// " + e.Type(t) + " cannot have methods here, so that fxjson.Marshal goes by reflection."
			}
		}
		e.P("\n// ", app, " appends what json.Marshal(", e.v, ") returns to ", e.b, end)
		e.appender(head, code, enc, pointer, shadow)
	}
	if e.opt.decodes() {
		head, end, body := "func ("+e.v+" *"+e.Type(t)+") DecodeJSON("+e.b+" []byte)", ".", code+".Unmarshal("+e.b+", "+e.v+")"
		if !methods {
			parse = e.Unique(parse)
			head = "func " + parse + "(" + e.b + " []byte, " + e.v + " *" + e.Type(t) + ")"
			if e.opt.encodes() {
				end = "; see " + app + "."
			}
		}
		if e.opt.Tiny {
			end, body = ", with errors of its own.", e.rt("Unmarshal")+"("+e.b+", "+e.v+", "+dec+")"
		}
		e.P("\n// ", parse, " does what json.Unmarshal(", e.b, ", ", e.v, ") does", end)
		e.P(head, " error { return ", body, " }")
	}
	if shadow != "" {
		e.stdMethods(t, recv, code, shadow)
	}
}

// code writes the variable that tells fxjson the functions of a root. enc and dec are empty if they
// are not generated.
func (e *emitter) code(t *ir.Type, code, enc, dec, shadow string) {
	e.P("\nvar ", code, " = ", e.rt("Code"), "[", t, "]{")
	e.P("Encode: ", cmp.Or(enc, e.rt("DecodeOnly")+"["+e.Type(t)+"]"), ",")
	e.P("Decode: ", cmp.Or(dec, e.rt("EncodeOnly")+"["+e.Type(t)+"]"), ",")
	e.P("Print: ", e.print(t), ",")
	if e.opt.Only != "" {
		e.P("Only: ", strconv.Quote(e.opt.Only), ",")
	}
	if e.aliases(t, map[*ir.Type]bool{}) {
		e.P("Alias: true,")
	}
	if shadow != "" {
		e.P("Shadow: func(", e.v, " *", t, ") any { return (*", shadow, ")(", e.v, ") },")
	}
	e.P("}")
}

// stdMethods writes MarshalJSON and UnmarshalJSON.
func (e *emitter) stdMethods(t *ir.Type, recv, code, shadow string) {
	e.P("\n// ", shadow, " is ", t, " without its methods.")
	e.P("type ", shadow, " ", t)
	addr := "&" + e.v
	if recv[0] == '*' {
		addr = e.v
	}
	if e.opt.encodes() {
		e.P("\n// MarshalJSON is AppendJSON for encoding/json.")
		e.P("func (", e.v, " ", recv, ") MarshalJSON() ([]byte, error) { return ", code, ".MarshalMethod(", addr, ") }")
	}
	if e.opt.decodes() {
		e.P("\n// UnmarshalJSON is DecodeJSON for encoding/json.")
		e.P("func (", e.v, " *", t, ") UnmarshalJSON(", e.b, " []byte) error { return ", code, ".UnmarshalMethod(", e.b, ", ", e.v, ") }")
	}
}

// print returns the fingerprint of a root as a literal.
func (e *emitter) print(t *ir.Type) string {
	p := e.plan.Prints[t].Plain
	if e.opt.StdMethods {
		p = e.plan.Prints[t].Methods
	}
	return fmt.Sprintf("%#016x", p)
}

// FuncNames returns the names of the functions that replace AppendJSON and DecodeJSON, for a type
// that cannot have methods in the package pkg. If such a name is taken, the function has another.
func FuncNames(t *ir.Type, pkg string) (app, dec string) {
	name := typeWord(t, pkg)
	return "Append" + name + "JSON", "Decode" + name + "JSON"
}

// appender writes AppendJSON, or the function in its place. pointer says whether its variable v is
// a pointer.
func (e *emitter) appender(head, code, enc string, pointer bool, shadow string) {
	std, addr := e.v, "&"+e.v
	if pointer {
		addr = e.v
	}
	if shadow != "" {
		std = shadow + "(" + e.v + ")"
		if pointer {
			std = "(*" + shadow + ")(" + e.v + ")"
		}
	}
	e.P(head, " ([]byte, error) {")
	if pointer {
		e.P("if ", e.v, " == nil {\nreturn append(", e.b, ", \"null\"...), nil\n}")
	}
	if e.opt.Tiny {
		e.P(e.e, ", ", e.n, " := ", e.rt("NewEnc"), "(), len(", e.b, ")")
		e.P("return ", e.e, ".End(", enc, "(", e.e, ", ", e.b, ", ", addr, "), ", e.n, ")\n}")
		return
	}
	e.P(e.e, ", ", e.n, " := ", code, ".NewEnc(", pointer, "), len(", e.b, ")")
	e.P(e.b, " = ", enc, "(", e.e, ", ", e.b, ", ", addr, ")")
	e.P("if ", e.e, ".Done() {\nreturn ", e.b, ", nil\n}")
	e.P("return ", code, ".AppendStd(", e.b, "[:", e.n, "], ", std, ")\n}")
}

// aliases reports whether a decoded value of type t may share memory with the document.
func (e *emitter) aliases(t *ir.Type, seen map[*ir.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if t.Hooks.Has(ir.HasUnmarshalJSONPtr) && t.Kind != ir.Time { // the method may keep its argument
		return true
	}
	switch t.Kind {
	case ir.String, ir.Number, ir.Any:
		return true
	case ir.Pointer, ir.Slice, ir.Array:
		return e.aliases(t.Elem, seen)
	case ir.Map:
		return e.aliases(t.Key, seen) || e.aliases(t.Elem, seen)
	}
	if s := e.plan.Struct(t); s != nil {
		for _, f := range s.Fields {
			if !f.Intern && e.aliases(f.Type, seen) {
				return true
			}
		}
		return s.Inline != nil
	}
	return false
}
