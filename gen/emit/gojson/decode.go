package gojson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// A decoder takes the index at which a value starts in the document, and returns the index after
// the value. It records errors in d, as encoders do in e. Most documents have their members in the
// order of the fields. So after each field, the code first compares the document with the key of
// the next one. In other documents it loses only the time of this comparison.

// decodeBody writes code that reads the value at i, stores it in the variable that v points to, and
// returns the index after it.
func (e *emitter) decodeBody(t *ir.Type) {
	c := e.decoder(t)
	own := c.fn == e.funcs[key{t, true, -1}]
	switch {
	case own && t.Kind == ir.Array:
		array := e.rt("DecodeArray")
		if !e.opt.Tiny { // errors of the tiny runtime have no type names
			array = e.rt("DecodeArrayOf") + "[" + e.Type(t) + "]"
		}
		e.P("return ", array, "(", e.d, ", ", e.i, ", ", e.v, "[:], ", e.value(key{t.Elem, true, -1}), ")")
	case own && t.Kind == ir.Any:
		e.P("return ", e.rt("DecodeAny"), "(", e.d, ", ", e.i, ", (*any)(", e.v, "))")
	case own && namedComposite(t):
		e.P("return ", e.shape(key{t, true, -1}).args(e.d, e.i, e.v))
	case own:
		e.decodeStruct(e.plan.Struct(t))
	default:
		e.P("return ", c.args(e.d, e.i, e.v))
	}
}

// decodeStruct writes a loop over members. After a field, the code compares the document with the
// key of the next field in its most usual form: comma, key and colon without space. If they differ,
// the runtime reads the key. It first tries the next field, then searches among all fields.
func (e *emitter) decodeStruct(s *ir.JSONStruct) {
	names := e.namesVar(s)
	e.P(e.i, ", ", e.k, " := ", e.rt("Object"), "[", s.Type, "](", e.d, ", ", e.i, ", &", names, ")")
	if len(s.Fields) > 1 {
		e.P(e.s, " := ", e.d, ".Doc()")
	}
	required := requiredFields(s)
	if len(required) > 0 {
		e.P("var ", e.r, " [", (len(required)+63)/64, "]uint64")
	}
	e.P("for {\nswitch ", e.k, " {")
	for n, f := range s.Fields {
		e.P("case ", n, ":")
		if at := slices.Index(required, f); at >= 0 {
			e.P(e.r, "[", at/64, "] |= 1 << ", at%64)
		}
		e.decodeField(f)
		if n+1 == len(s.Fields) {
			continue
		}
		lit := "," + keyLiteral(s.Fields[n+1].Name)
		e.P("if ", e.differs(lit), " {")
		if n > 0 { // the code may have fallen through from the field before
			e.P(e.k, " = ", n)
		}
		e.P("break\n}")
		e.P(e.i, " += ", len(lit))
		e.P("fallthrough")
	}
	if len(required) == 0 {
		e.P("case ", e.rt("Done"), ":\nreturn ", e.i)
	} else {
		e.P("case ", e.rt("Done"), ":\nreturn ", e.d, ".Require(", e.i, ", ", e.r, "[:], ", e.requiredVar(s), "[:])")
	}
	e.P("default:")
	e.decodeUnknown(s.Inline)
	e.P("}")
	e.P(e.i, ", ", e.k, " = ", e.d, ".Key(", e.i, ", ", e.k, ", &", names, ")\n}")
}

// requiredFields returns the fields that every object must have.
func requiredFields(s *ir.JSONStruct) (fs []*ir.JSONField) {
	for _, f := range s.Fields {
		if f.Required {
			fs = append(fs, f)
		}
	}
	return fs
}

// differs returns the condition that the document does not have lit at i. It compares sixteen bytes
// at a time, since the compiler turns such comparisons into single loads. Indexes stay in bounds
// because padding follows the document.
func (e *emitter) differs(lit string) string {
	var or []string
	for at := 0; at < len(lit); at += 16 {
		end := min(at+16, len(lit))
		from, to := e.i, e.i+"+"+strconv.Itoa(end)
		if at > 0 {
			from += "+" + strconv.Itoa(at)
		}
		or = append(or, "string("+e.s+"["+from+":"+to+"]) != "+goString(lit[at:end]))
	}
	return strings.Join(or, " || ")
}

// decodeUnknown writes code that reads the value of a member for which there is no field.
func (e *emitter) decodeUnknown(f *ir.JSONInline) {
	if f == nil {
		e.P(e.i, " = ", e.d, ".Unknown(", e.i, ")")
		return
	}
	if f.Unknown {
		e.P("if !", e.d, ".KeepsUnknown() {\n", e.i, " = ", e.d, ".Unknown(", e.i, ")\nbreak\n}")
	}
	ends := e.reach(f.JSONField)
	loc, t := e.v+"."+f.Selector(e.pkg.Path), f.Type
	at := "&" + loc
	if t.Kind == ir.Pointer && t.Name == nil {
		t, at = t.Elem, loc
		e.P("if ", loc, " == nil {\n", loc, " = new(", t, ")\n}")
	}
	if t.Kind == ir.RawJSON {
		e.P(e.i, " = ", e.rt("DecodeInlineRaw"), "(", e.d, ", ", e.i, ", ", at, ")")
	} else {
		e.P(e.i, " = ", e.rt("DecodeInline"), "(", e.d, ", ", e.i, ", ", at, ", ", e.value(key{t.Elem, true, -1}), ")")
	}
	if ends != "" {
		e.P(ends)
	}
}

// decodeField writes code that reads the value of a field.
func (e *emitter) decodeField(f *ir.JSONField) {
	ends := e.reach(f)
	loc := "&" + e.v + "." + f.Selector(e.pkg.Path)
	if f.Intern {
		e.P(e.n, " := ", e.d, ".Intern()")
	}
	e.P(e.i, " = ", e.fieldDecoder(f).args(e.d, e.i, loc))
	if f.Intern {
		e.P(e.d, ".EndIntern(", e.n, ")")
	}
	if ends != "" {
		e.P(ends)
	}
}

// reach writes code that allocates the embedded pointers on the path to a field. It returns the
// closing braces that must follow the code for the field.
func (e *emitter) reach(f *ir.JSONField) string {
	path := e.v
	ends := ""
	for _, st := range f.Steps {
		if st.Field.Usable(e.pkg.Path) {
			path += "." + st.Field.Name
		}
		if !st.Pointer {
			continue
		}
		if st.Field.Exported {
			e.P("if ", path, " == nil {\n", path, " = new(", st.Field.Type.Elem, ")\n}")
			continue
		}
		e.P("if ", path, " == nil {\n", e.i, " = ", e.d, ".RefuseEmbedded(", e.i, ", ",
			strconv.Quote(print.TypeExpr(st.Field.Type.Elem)), ")\n} else {")
		ends += "}\n"
	}
	return strings.TrimSuffix(ends, "\n")
}

// fieldDecoder returns the decoder of the field's type, or with option string a decoder that
// removes the quotes.
func (e *emitter) fieldDecoder(f *ir.JSONField) call {
	if !f.Quoted {
		return e.decoder(f.Type)
	}
	if fn := quotedDecoder(f.Type); fn != "" {
		return call{fn: e.rt(fn)}
	}
	if t := f.Type; t.Kind == ir.Pointer && t.Name == nil {
		if fn := quotedDecoder(t.Elem); fn != "" {
			return call{e.rt("DecodeQuotedPtr"), e.rt(fn)}
		}
	}
	return call{fn: e.rt("DecodeQuoted")}
}

// quotedDecoder returns the name of the function that reads a t within quotes. It returns "" for
// types that need the general function, DecodeQuoted.
func quotedDecoder(t *ir.Type) string {
	switch k := t.Kind; {
	case !plain(t):
		return ""
	case k == ir.Bool:
		return "DecodeQuotedBool"
	case k.IsInt():
		return "DecodeQuotedInt"
	case k.IsUint():
		return "DecodeQuotedUint"
	case k.IsFloat():
		return "DecodeQuotedFloat"
	case k == ir.String:
		return "DecodeQuotedString"
	}
	return ""
}

// namesVar returns the name of the variable that has a struct's keys. findFunc returns the name of
// the function that finds a key.
func (e *emitter) namesVar(s *ir.JSONStruct) string { return e.once("names", s) }
func (e *emitter) findFunc(s *ir.JSONStruct) string { return e.once("find", s) }

// requiredVar returns the name of the variable that has the keys of the required fields.
func (e *emitter) requiredVar(s *ir.JSONStruct) string { return e.once("required", s) }

// once returns the name of a variable or function for a struct: kind is "names", "find" or
// "required". Each call with the same arguments returns the same name.
func (e *emitter) once(kind string, s *ir.JSONStruct) string {
	want := kind + strings.TrimPrefix(e.funcs[key{s.Type, true, -1}], "decode")
	if _, ok := e.vars[want]; !ok {
		e.vars[want] = e.Unique(want)
	}
	return e.vars[want]
}

// names writes the keys of a struct and the function that finds a key.
func (e *emitter) names(s *ir.JSONStruct) {
	find := e.findFunc(s)
	e.P("\nvar ", e.namesVar(s), " = ", e.rt("Names"), "{")
	e.P("Find: ", find, ",")
	if s.Inline != nil {
		e.P("Rest: true,")
	}
	if len(s.Fields) > 0 {
		e.P("Keys: []string{")
		e.keys(s.Fields)
		e.P("},")
	}
	e.P("}")
	if fs := requiredFields(s); len(fs) > 0 {
		e.P("\nvar ", e.requiredVar(s), " = [...]string{")
		e.keys(fs)
		e.P("}")
	}
	e.P("\nfunc ", find, "(", e.k, " string) int {")
	if len(s.Fields) > 0 {
		e.P("switch ", e.k, " {")
		for n, f := range s.Fields {
			e.P("case ", strconv.Quote(f.Name), ":\nreturn ", n)
		}
		e.P("}")
	}
	e.P("return ", e.rt("Unknown"), "\n}")
}

// keys writes the keys of fields as string literals.
func (e *emitter) keys(fs []*ir.JSONField) {
	line := ""
	for _, f := range fs {
		q := strconv.Quote(f.Name)
		if len(line)+len(q) > 100 {
			e.P(line)
			line = ""
		}
		line += q + ", "
	}
	e.P(strings.TrimSuffix(line, " "))
}
