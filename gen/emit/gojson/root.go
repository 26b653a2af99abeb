package gojson

import (
	"fmt"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
)

// root writes what the user calls for t: methods, or functions if t cannot have methods here.
func (e *emitter) root(t *ir.Type) {
	if e.opt.Tiny {
		e.tinyRoot(t)
		return
	}
	enc, dec := e.rt("DecodeOnly")+"["+e.Type(t)+"]", e.rt("EncodeOnly")+"["+e.Type(t)+"]"
	if e.opt.encodes() {
		enc = e.fn(key{t, false, -1})
	}
	if e.opt.decodes() {
		dec = e.fn(key{t, true, -1})
	}
	name := e.typeName(t)
	code := e.Unique("jsonCode" + name)
	methods := e.hasMethods(t)
	shadow := ""
	if methods && e.opt.StdMethods {
		shadow = e.Unique("shadow" + name)
	}

	e.P("\nvar ", code, " = ", e.rt("Code"), "[", t, "]{")
	e.P("Encode: ", enc, ",")
	e.P("Decode: ", dec, ",")
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
	if !methods {
		e.functions(t, code, enc)
		return
	}
	recv := t.Name.Name
	if t.Lock {
		recv = "*" + recv
	}
	e.P("\n// JSONCode tells fxjson how to marshal and unmarshal ", t, ".")
	e.P("func (*", t, ") JSONCode() any { return &", code, " }")
	if e.opt.encodes() {
		e.P("\n// AppendJSON appends what json.Marshal(", e.v, ") returns to ", e.b, ".")
		e.appender("func ("+e.v+" "+recv+") AppendJSON("+e.b+" []byte)", code, enc, recv[0] == '*', shadow)
	}
	if e.opt.decodes() {
		e.P("\n// DecodeJSON does what json.Unmarshal(", e.b, ", ", e.v, ") does.")
		e.P("func (", e.v, " *", t, ") DecodeJSON(", e.b, " []byte) error { return ", code, ".Unmarshal(", e.b, ", ", e.v, ") }")
	}
	if shadow != "" {
		e.stdMethods(t, recv, code, shadow)
	}
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

// tinyRoot writes the methods, or functions, for package jsontiny.
func (e *emitter) tinyRoot(t *ir.Type) {
	if e.opt.encodes() {
		enc := e.fn(key{t, false, -1})
		head, pointer := "", true
		if e.hasMethods(t) {
			recv := t.Name.Name
			if pointer = t.Lock; pointer {
				recv = "*" + recv
			}
			e.P("\n// AppendJSON appends what json.Marshal(", e.v, ") returns to ", e.b, ".")
			head = "func (" + e.v + " " + recv + ") AppendJSON(" + e.b + " []byte)"
		} else {
			app, _ := FuncNames(t, e.pkg.Path)
			app = e.Unique(app)
			e.P("\n// ", app, " appends what json.Marshal(", e.v, ") returns to ", e.b, ".")
			head = "func " + app + "(" + e.b + " []byte, " + e.v + " *" + e.Type(t) + ")"
		}
		e.tinyAppender(head, enc, pointer)
	}
	if !e.opt.decodes() {
		return
	}
	dec := e.fn(key{t, true, -1})
	head := ""
	if e.hasMethods(t) {
		e.P("\n// DecodeJSON does what json.Unmarshal(", e.b, ", ", e.v, ") does, with errors of its own.")
		head = "func (" + e.v + " *" + e.Type(t) + ") DecodeJSON(" + e.b + " []byte)"
	} else {
		_, parse := FuncNames(t, e.pkg.Path)
		parse = e.Unique(parse)
		e.P("\n// ", parse, " does what json.Unmarshal(", e.b, ", ", e.v, ") does, with errors of its own.")
		head = "func " + parse + "(" + e.b + " []byte, " + e.v + " *" + e.Type(t) + ")"
	}
	e.P(head, " error { return ", e.rt("Unmarshal"), "(", e.b, ", ", e.v, ", ", dec, ") }")
}

// tinyAppender writes a function that appends JSON. pointer says whether v is a pointer.
func (e *emitter) tinyAppender(head, enc string, pointer bool) {
	addr := "&" + e.v
	e.P(head, " ([]byte, error) {")
	if pointer {
		addr = e.v
		e.P("if ", e.v, " == nil {\nreturn append(", e.b, ", \"null\"...), nil\n}")
	}
	e.P(e.e, ", ", e.n, " := ", e.rt("NewEnc"), "(), len(", e.b, ")")
	e.P("return ", e.e, ".End(", enc, "(", e.e, ", ", e.b, ", ", addr, "), ", e.n, ")\n}")
}

// FuncNames returns the names of the functions that replace AppendJSON and DecodeJSON, for a type
// that cannot have methods in the package pkg. If such a name is taken, the function has another.
func FuncNames(t *ir.Type, pkg string) (app, dec string) {
	name := typeWord(t, pkg)
	return "Append" + name + "JSON", "Decode" + name + "JSON"
}

// functions writes AppendXJSON and DecodeXJSON. Package fxjson finds generated code by a method,
// and an instance of a generic type cannot have one of its own. The alternative, a registry that
// init functions fill, is ruled out in this project.
func (e *emitter) functions(t *ir.Type, code, enc string) {
	app, dec := FuncNames(t, e.pkg.Path)
	if e.opt.encodes() {
		app = e.Unique(app)
		e.P("\n// ", app, " appends what json.Marshal(", e.v, ") returns to ", e.b, ". Call it where speed counts:")
		e.P("// ", t, " cannot have methods here, so that fxjson.Marshal goes by reflection.")
		e.appender("func "+app+"("+e.b+" []byte, "+e.v+" *"+e.Type(t)+")", code, enc, true, "")
	}
	if e.opt.decodes() {
		dec = e.Unique(dec)
		see := ""
		if e.opt.encodes() {
			see = "; see " + app
		}
		e.P("\n// ", dec, " does what json.Unmarshal(", e.b, ", ", e.v, ") does", see, ".")
		e.P("func ", dec, "(", e.b, " []byte, ", e.v, " *", t, ") error { return ", code, ".Unmarshal(", e.b, ", ", e.v, ") }")
	}
}

// appender writes AppendJSON or its function. pointer says whether v is a pointer.
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
