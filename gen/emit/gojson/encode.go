package gojson

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Encoders append to b and return it, as append does. They record errors in e and may continue
// after an error, because the caller checks e once at the end. The result of encoding/json
// sometimes depends on whether a value is addressable; for such values, calls of e.Reach keep track
// of that.

// function writes the function for k.
func (e *emitter) function(k key) {
	name := e.funcs[k]
	if k.decode {
		e.P("\nfunc ", name, "(", e.d, " *", e.rt("Dec"), ", ", e.i, " int, ", e.v, " *", k.t, ") int {")
		e.decodeBody(k.t)
	} else {
		e.P("\nfunc ", name, "(", e.e, " *", e.rt("Enc"), ", ", e.b, " []byte, ", e.v, " *", k.t, ") []byte {")
		e.encodeBody(k)
	}
	e.P("}")
	if s := e.plan.Struct(k.t); s != nil && k.decode && e.decoder(k.t).fn == name {
		e.names(s)
	}
}

// encodeBody writes the body of an encoder: it appends the value that v points to and returns.
func (e *emitter) encodeBody(k key) {
	t, c := k.t, e.coder(k)
	own := c.fn == e.funcs[k]
	switch {
	case own && t.Kind.IsFloat():
		e.P("return ", e.rt("EncodeFixed"), "(", e.e, ", ", e.b, ", ", e.v, ", ", k.decimals, ")")
	case own && t.Kind == ir.Array:
		// The output has a loop here, because a call of a function of the runtime would move v to
		// the heap.
		c := e.encoder(t.Elem, k.decimals)
		e.P(e.b, " = append(", e.b, ", '[')")
		e.P("for ", e.i, " := range ", e.v, " {")
		e.P("if ", e.i, " > 0 {\n", e.b, " = append(", e.b, ", ',')\n}")
		e.P(e.b, " = ", c.args(e.e, e.b, "&"+e.v+"["+e.i+"]"))
		e.P("}\nreturn append(", e.b, ", ']')")
	case own && e.isStruct(t):
		e.encodeStruct(e.plan.Struct(t))
	case own && namedComposite(t):
		e.P("return ", e.shape(k).args(e.e, e.b, e.v))
	default:
		e.P("return ", c.args(e.e, e.b, e.v))
	}
}

// encodeStruct writes code that appends one member after the other. If the first member may be left
// out, the code writes a comma before each member, and at the end replaces the first comma by the
// opening brace.
func (e *emitter) encodeStruct(s *ir.JSONStruct) {
	if len(s.Fields) == 0 && s.Inline == nil {
		e.P("return append(", e.b, ", \"{}\"...)")
		return
	}
	if s.Inline != nil {
		e.P(e.e, ".Own()")
	}
	always := false // whether some member is always written
	for _, f := range s.Fields {
		always = always || e.present(f) == ""
	}
	open := "{"
	if len(s.Fields) == 0 || e.present(s.Fields[0]) != "" {
		open = ","
		e.P(e.n, " := len(", e.b, ")")
	}
	for i, f := range s.Fields {
		cond := e.present(f)
		if cond != "" {
			e.P("if ", cond, " {")
		}
		lead := ","
		if i == 0 {
			lead = open
		}
		e.member(f, lead)
		if cond != "" {
			e.P("}")
		}
	}
	e.encodeInline(s.Inline)
	switch {
	case open == "{":
		e.P("return append(", e.b, ", '}')")
	case always:
		e.P(e.b, "[", e.n, "] = '{'")
		e.P("return append(", e.b, ", '}')")
	default:
		e.P("return ", e.rt("Close"), "(", e.b, ", ", e.n, ")")
	}
}

// encodeInline writes code for the members of an inlined map or json.RawMessage. A comma precedes
// each.
func (e *emitter) encodeInline(f *ir.JSONInline) {
	if f == nil {
		return
	}
	loc, t := e.v+"."+f.Selector(e.pkg.Path), f.Type
	var and []string
	if f.Unknown {
		and = append(and, e.e+".KeepsUnknown()")
	}
	if c := e.present(f.JSONField); c != "" {
		and = append(and, c)
	}
	at := "&" + loc
	if t.Kind == ir.Pointer && t.Name == nil {
		and = append(and, loc+" != nil")
		t, at = t.Elem, loc
	}
	if len(and) > 0 {
		e.P("if ", strings.Join(and, " && "), " {")
		defer e.P("}")
	}
	if t.Kind == ir.RawJSON {
		e.P(e.b, " = ", e.rt("EncodeInlineRaw"), "(", e.e, ", ", e.b, ", ", at, ")")
		return
	}
	e.P(e.b, " = ", e.rt("EncodeInline"), "(", e.e, ", ", e.b, ", ", at, ", ", e.value(key{t, false, -1}), ")")
}

// member writes code that appends lead, the key and the value.
func (e *emitter) member(f *ir.JSONField, lead string) {
	loc := e.v + "." + f.Selector(e.pkg.Path)
	lit := lead + keyLiteral(f.Name)
	t := f.Type
	if strings.ContainsAny(f.Name, "<>&") { // options of the encoding decide how these are escaped
		e.P(e.b, " = ", e.rt("Key"), "(", e.e, ", ", e.b, ", ", goString(lit), ", ", goString(lead+`"`+f.Name+`":`), ")")
		lit = ""
	}
	if e.byAddress(f) {
		e.P(e.k, " := ", e.e, ".Reach(true)")
		defer e.P(e.e, ".Reach(", e.k, ")")
	}
	switch {
	case !f.Quoted:
		e.literal(lit)
		e.P(e.b, " = ", e.encoder(t, f.Decimals).args(e.e, e.b, "&"+loc))
	case !plain(t): // the type's methods may override the option
		e.literal(lit)
		e.P(e.b, " = ", e.rt("EncodeQuoted"), "(", e.e, ", ", e.b, ", &", loc, ")")
	case t.Kind == ir.Pointer:
		e.literal(lit)
		e.P("if ", loc, " == nil {\n", e.b, " = append(", e.b, ", \"null\"...)\n} else {")
		e.quoted(t.Elem, loc, "", f.Decimals)
		e.P("}")
	default:
		e.quoted(t, "&"+loc, lit, f.Decimals)
	}
}

// byAddress reports whether a member is encoded differently because the path to it contains an
// embedded pointer, which makes it addressable.
func (e *emitter) byAddress(f *ir.JSONField) bool {
	return slices.ContainsFunc(f.Steps, func(s ir.JSONStep) bool { return s.Pointer }) && e.asksAddress(f.Type, map[*ir.Type]bool{})
}

// asksAddress reports whether the encoding of a value of type t depends on whether it is
// addressable. That is so if the value, or a value that it contains other than by a pointer, has
// methods that are called only on addressable values.
func (e *emitter) asksAddress(t *ir.Type, seen map[*ir.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	byPointer := t.Hooks.Has(ir.HasMarshalJSONPtr) && !t.Hooks.Has(ir.HasMarshalJSON) || t.Hooks.Has(ir.HasMarshalTextPtr) &&
		!t.Hooks.Has(ir.HasMarshalText)
	if e.plan.Reflect[t] || byPointer {
		return true
	}
	if t.Kind == ir.Array {
		return e.asksAddress(t.Elem, seen)
	}
	if s := e.plan.Struct(t); s != nil {
		return slices.ContainsFunc(s.Fields, func(f *ir.JSONField) bool { return e.asksAddress(f.Type, seen) })
	}
	return false
}

// literal writes code that appends a constant text.
func (e *emitter) literal(lit string) {
	if lit != "" {
		e.P(e.b, " = append(", e.b, ", ", goString(lit), "...)")
	}
}

// quoted writes code that appends the text lit and a scalar within quotes.
func (e *emitter) quoted(t *ir.Type, at, lit string, decimals int) {
	if t.Kind == ir.String {
		e.literal(lit)
		e.P(e.b, " = ", e.rt("EncodeQuotedString"), "(", e.e, ", ", e.b, ", ", at, ")")
		return
	}
	e.literal(lit + `"`)
	e.P(e.b, " = ", e.encoder(t, decimals).args(e.e, e.b, at))
	e.P(e.b, " = append(", e.b, `, '"')`)
}

// present returns the condition under which a member is written, "" for always.
func (e *emitter) present(f *ir.JSONField) string {
	var and []string
	path := e.v
	for _, st := range f.Steps {
		if st.Field.Usable(e.pkg.Path) {
			path += "." + st.Field.Name
		}
		if st.Pointer {
			and = append(and, path+" != nil")
		}
	}
	loc := e.v + "." + f.Selector(e.pkg.Path)
	if c := notEmpty(f.Type, loc); f.OmitEmpty && c != "" {
		and = append(and, c)
	}
	if f.OmitZero {
		// Both options may give the same condition. Writing it twice would fail go vet.
		for _, c := range e.notZero(f, loc) {
			if !slices.Contains(and, c) {
				and = append(and, c)
			}
		}
	}
	return strings.Join(and, " && ")
}

// notEmpty returns the condition under which option omitempty keeps the value, "" for always.
func notEmpty(t *ir.Type, loc string) string {
	switch k := t.Kind; {
	case k == ir.Bool:
		return "bool(" + loc + ")"
	case k.IsInt(), k.IsUint(), k.IsFloat():
		return loc + " != 0"
	case k == ir.String, k == ir.Number:
		return loc + ` != ""`
	case k == ir.Slice, k == ir.Bytes, k == ir.Map, k == ir.RawJSON:
		return "len(" + loc + ") != 0"
	case k == ir.Array && t.Len == 0:
		return "false"
	case k == ir.Pointer, k == ir.Any, k == ir.Interface:
		return loc + " != nil"
	}
	return ""
}

// notZero returns conditions which all hold if option omitzero keeps the value. Methods of the user
// are not called after the encoding has failed, since encoding/json would have stopped before the
// call.
func (e *emitter) notZero(f *ir.JSONField, loc string) []string {
	method := "!" + loc + ".IsZero()"
	if f.Zero == ir.ZeroNilMethod && f.Type.Kind == ir.Interface {
		method = "!" + e.rt("IsZeroIn") + "(&" + loc + ")"
	}
	sound := "!" + e.e + ".Failed()"
	switch t := f.Type; {
	case f.Zero == ir.ZeroNilMethod && t.Kind == ir.Pointer && t.Elem.Kind == ir.Time:
		return []string{loc + " != nil", method}
	case f.Zero == ir.ZeroNilMethod && t.Kind == ir.Pointer:
		return []string{loc + " != nil", sound, method}
	case f.Zero == ir.ZeroMethod && t.Kind == ir.Time:
		return []string{method}
	case f.Zero == ir.ZeroNilMethod, f.Zero == ir.ZeroMethod, f.Zero == ir.ZeroAddr:
		return []string{sound, method}
	}
	switch k := f.Type.Kind; {
	case k == ir.Bool, k.IsInt(), k.IsUint(), k == ir.String, k == ir.Number, k == ir.Pointer, k == ir.Any, k == ir.Interface:
		return []string{notEmpty(f.Type, loc)}
	case k == ir.Slice, k == ir.Bytes, k == ir.Map, k == ir.RawJSON:
		return []string{loc + " != nil"}
	}
	return []string{"!" + e.rt("IsZero") + "(&" + loc + ")"}
}

// keyLiteral returns a key as encoding/json writes it, with its colon.
func keyLiteral(name string) string {
	b, err := json.Marshal(name)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(b) + ":"
}

// goString returns s as a Go literal, with back quotes if possible.
func goString(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
