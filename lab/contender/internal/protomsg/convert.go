package protomsg

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// NOTE: for each message M of the schema, except the fixed ones, the converter writes two functions
// into the subject's package:
//
//	func zzToM(m *zzpb.M, v *T) error     m is zero before, T is what M carries
//	func zzFromM(v *T, m *zzpb.M) error   v may hold anything before, m may be nil
//
// Slices, maps and byte strings with the same Go type on both sides are shared, not copied. A
// careful user would do the same, and it is the cheapest way. The messages of a list are allocated
// together. Fixed messages have the same two functions in the package of the schema, written by
// hand (folder pb).
type converter struct {
	*print.File
	*Compiled
	pb   string // name of the schema's package
	v, m string // names of the parameters
}

// convert writes the conversions for every message of the schema.
func convert(p *ir.Package, schema *proto.File, c *Compiled, pbPath string) ([]byte, error) {
	w := &converter{File: print.For(p, "zmy lab"), Compiled: c}
	w.Reserve("err")
	w.v, w.m = w.Local("v"), w.Local("m")
	w.pb = strings.TrimSuffix(w.Ident(print.Pkg{Path: pbPath, Name: "zzpb"}.Ident("X")), ".X")
	for _, m := range schema.Messages {
		if m.Kind != proto.Support && m.Kind != proto.Entry { // the code for a map includes its entries
			w.function("To", "("+w.m+" *"+w.pbType(m)+", "+w.v+" *"+w.Type(m.Type)+")", m, w.toField)
			w.function("From", "("+w.v+" *"+w.Type(m.Type)+", "+w.m+" *"+w.pbType(m)+")", m, w.fromField)
		}
	}
	return w.Bytes()
}

// function writes a message's function zzTo or zzFrom.
func (w *converter) function(dir, params string, m *proto.Message, field func(msg, val string, f *proto.Field)) {
	w.P("func ", w.fn(dir, m), params, " error {")
	if dir == "From" {
		w.P("if ", w.m, " == nil {\n*", w.v, " = *new(", m.Type, ")\nreturn nil\n}")
	}
	for _, f := range m.Fields {
		val := "(*" + w.v + ")"
		if f.Go != nil {
			val = w.v + "." + f.Go.Name
		}
		field(w.m+"."+w.goName(m, f), val, f)
	}
	w.P("return nil\n}\n")
}

// pbType returns the Go name of a message. goName returns the Go name of one of its fields.
func (w *converter) pbType(m *proto.Message) string {
	return w.pb + "." + w.GoName(m.Name)
}

func (w *converter) goName(m *proto.Message, f *proto.Field) string {
	for _, x := range w.messages[m.Name].Fields {
		if x.Desc.Number() == protoreflect.FieldNumber(f.Number) {
			return x.GoName
		}
	}
	return ""
}

func (w *converter) fn(dir string, m *proto.Message) string {
	if m.Kind == proto.Support {
		return w.pb + ".ZZ" + dir + m.Name
	}
	return "zz" + dir + m.Name
}

func (w *converter) check(call string) {
	w.P("if err := ", call, "; err != nil {\nreturn err\n}")
}

var scalarGo = map[proto.Scalar]string{
	proto.Bool: "bool", proto.Int32: "int32", proto.Int64: "int64", proto.Uint32: "uint32", proto.Uint64: "uint64",
	proto.Float: "float32", proto.Double: "float64", proto.String: "string", proto.Bytes: "[]byte",
}

// same reports whether the value's Go type is identical to that of the generated field.
func (w *converter) same(v proto.Value) bool {
	return v.Message == nil && v.Hook == proto.None && !gosrc.Named(v.Type) && w.Type(v.Type) == scalarGo[v.Scalar]
}

// elem returns the Go type of the generated field's element.
func (w *converter) elem(v proto.Value) string {
	if v.Message != nil {
		return "*" + w.pbType(v.Message)
	}
	return scalarGo[v.Scalar]
}

// toField writes the assignment dst = src for a field; dst belongs to the message.
func (w *converter) toField(dst, src string, f *proto.Field) {
	switch f.Card {
	case proto.One:
		w.toOne(dst, src, f.Value)
	case proto.Optional:
		w.toOptional(dst, src, f.Value)
	case proto.Repeated:
		w.toRepeated(dst, src, f)
	case proto.Map:
		w.toMap(dst, src, f)
	}
}

// toOne writes the assignment dst = src for one value; src must be addressable. A nil pointer or
// interface leaves dst nil.
func (w *converter) toOne(dst, src string, v proto.Value) {
	if v.Message == nil {
		w.toScalar(dst, src, v)
		return
	}
	may, arg := v.Followed() || v.Type.Kind == ir.Any, "&"+src
	if v.Followed() {
		arg, v.Type = src, v.Type.Elem
	}
	if may {
		w.P("if ", src, " != nil {")
	}
	w.P(dst, " = new(", w.pbType(v.Message), ")")
	w.check(w.fn("To", v.Message) + "(" + dst + ", " + w.ref(arg, v.Type) + ")")
	if may {
		w.P("}")
	}
}

// ref converts p, an expression for a pointer to a value of type t, into the argument of the
// function for t's message. A complex64 is widened into a copy.
func (w *converter) ref(p string, t *ir.Type) string {
	switch t.Kind {
	case ir.Complex64:
		return w.pb + ".ZZWide(complex128(*" + p + "))"
	case ir.Any, ir.Complex128:
		if gosrc.Named(t) {
			return "(*" + known[t.Kind] + ")(" + p + ")"
		}
	}
	return p
}

// known has the Go names of the predeclared types that fixed messages carry.
var known = map[ir.Kind]string{ir.Any: "any", ir.Complex128: "complex128"}

func (w *converter) toScalar(dst, src string, v proto.Value) {
	switch {
	case v.Hook != proto.None:
		method := map[proto.Hook]string{proto.Binary: "MarshalBinary", proto.Text: "MarshalText"}[v.Hook]
		b := w.Unique("b")
		w.P(b, ", err := ", src, ".", method, "()\nif err != nil {\nreturn err\n}")
		w.P(dst, " = ", scalarGo[v.Scalar], "(", b, ")")
	case w.same(v):
		w.P(dst, " = ", src)
	case v.Type.Kind == ir.Array:
		w.P(dst, " = ", src, "[:]")
	default:
		w.P(dst, " = ", scalarGo[v.Scalar], "(", src, ")")
	}
}

func (w *converter) toOptional(dst, src string, v proto.Value) {
	if w.same(v) && v.Scalar != proto.Bytes {
		w.P(dst, " = ", src)
		return
	}
	w.P("if ", src, " != nil {")
	x := w.Unique("x")
	w.P("var ", x, " ", scalarGo[v.Scalar])
	w.toScalar(x, "(*"+src+")", v)
	if v.Scalar == proto.Bytes { // an optional field of bytes is a slice, for which nil means absent
		w.P("if ", x, " == nil {\n", x, " = []byte{}\n}\n", dst, " = ", x)
	} else {
		w.P(dst, " = &", x)
	}
	w.P("}")
}

func (w *converter) toRepeated(dst, src string, f *proto.Field) {
	v, n, i := f.Value, w.Unique("n"), w.Unique("i")
	if v.Message != nil && v.Message.Kind == proto.Entry {
		w.toEntries(dst, src, v.Message)
		return
	}
	if w.same(v) {
		if f.Type.Kind == ir.Array {
			src += "[:]"
		}
		w.P(dst, " = ", src)
		return
	}
	w.P("if ", n, " := len(", src, "); ", n, " > 0 {")
	w.P(dst, " = make([]", w.elem(v), ", ", n, ")")
	if v.Message == nil {
		w.P("for ", i, " := range ", src, " {")
		w.toScalar(dst+"["+i+"]", src+"["+i+"]", v)
		w.P("}\n}")
		return
	}
	slab := w.Unique("slab") // one allocation for the messages of the list
	w.P(slab, " := make([]", w.pbType(v.Message), ", ", n, ")")
	w.P("for ", i, " := range ", src, " {\n", dst, "[", i, "] = &", slab, "[", i, "]")
	arg := w.ref("&"+src+"["+i+"]", v.Type)
	if v.Followed() {
		w.P("if ", src, "[", i, "] == nil {\ncontinue\n}")
		arg = w.ref(src+"["+i+"]", v.Type.Elem)
	}
	w.check(w.fn("To", v.Message) + "(&" + slab + "[" + i + "], " + arg + ")")
	w.P("}\n}")
}

func (w *converter) toEntries(dst, src string, m *proto.Message) {
	k, x, e := w.Unique("k"), w.Unique("x"), w.Unique("e")
	w.P("if len(", src, ") > 0 {\n", dst, " = make([]*", w.pbType(m), ", 0, len(", src, "))")
	w.P("for ", k, ", ", x, " := range ", src, " {\n", e, " := new(", w.pbType(m), ")")
	w.toOne(e+"."+w.goName(m, m.Fields[0]), k, m.Fields[0].Value)
	w.toOne(e+"."+w.goName(m, m.Fields[1]), x, m.Fields[1].Value)
	w.P(dst, " = append(", dst, ", ", e, ")\n}\n}")
}

func (w *converter) toMap(dst, src string, f *proto.Field) {
	if w.same(f.Key) && w.same(f.Value) {
		w.P(dst, " = ", src)
		return
	}
	k, x, y := w.Unique("k"), w.Unique("x"), w.Unique("y")
	w.P("if len(", src, ") > 0 {\n", dst, " = make(map[", scalarGo[f.Key.Scalar], "]", w.elem(f.Value), ", len(", src, "))")
	w.P("for ", k, ", ", x, " := range ", src, " {")
	w.P("var ", y, " ", w.elem(f.Value))
	w.toOne(y, x, f.Value)
	if f.Value.Followed() || f.Value.Type.Kind == ir.Any {
		w.P("if ", y, " == nil {\n", y, " = new(", w.pbType(f.Value.Message), ")\n}") // a map holds no nil message
	}
	w.P(dst, "[", scalarGo[f.Key.Scalar], "(", k, ")] = ", y, "\n}\n}")
}

// fromField writes the assignment dst = src for a field; src belongs to the message.
func (w *converter) fromField(src, dst string, f *proto.Field) {
	switch f.Card {
	case proto.One:
		w.fromOne(dst, src, f.Value)
	case proto.Optional:
		w.fromOptional(dst, src, f)
	case proto.Repeated:
		w.fromRepeated(dst, src, f)
	case proto.Map:
		w.fromMap(dst, src, f)
	}
}

// fromOne writes the assignment dst = src for one value; dst must be addressable.
func (w *converter) fromOne(dst, src string, v proto.Value) {
	switch {
	case v.Message == nil:
		w.fromScalar(dst, src, v)
	case v.Followed():
		w.P("if ", src, " == nil {\n", dst, " = nil\n} else {\n", dst, " = new(", w.Type(v.Type.Elem), ")")
		w.fromMessage(dst, src, v.Message, v.Type.Elem)
		w.P("}")
	default:
		w.fromMessage("&"+dst, src, v.Message, v.Type)
	}
}

// fromMessage writes a call of the message's function zzFromM, which fills *to.
func (w *converter) fromMessage(to, src string, m *proto.Message, t *ir.Type) {
	if t.Kind == ir.Complex64 {
		c := w.Unique("c")
		w.P("var ", c, " complex128")
		w.check(w.fn("From", m) + "(&" + c + ", " + src + ")")
		w.P("*(", to, ") = ", w.Type(t), "(", c, ")")
		return
	}
	w.check(w.fn("From", m) + "(" + w.ref(to, t) + ", " + src + ")")
}

func (w *converter) fromScalar(dst, src string, v proto.Value) {
	switch {
	case v.Hook != proto.None:
		method := map[proto.Hook]string{proto.Binary: "UnmarshalBinary", proto.Text: "UnmarshalText"}[v.Hook]
		w.P("if len(", src, ") > 0 {")
		w.check(dst + "." + method + "([]byte(" + src + "))")
		w.P("} else {\n", dst, " = *new(", w.Type(v.Type), ")\n}")
	case w.same(v):
		w.P(dst, " = ", src)
	case v.Type.Kind == ir.Array:
		w.P("if len(", src, ") != 0 && len(", src, ") != ", v.Type.Len, " {\nreturn ", w.pb, ".ZZLength(", v.Type.Len, ", len(", src, "))\n}")
		w.P(dst, " = *new(", w.Type(v.Type), ")\ncopy(", dst, "[:], ", src, ")")
	default:
		w.P(dst, " = ", w.Type(v.Type), "(", src, ")")
	}
}

func (w *converter) fromOptional(dst, src string, f *proto.Field) {
	if w.same(f.Value) && f.Value.Scalar != proto.Bytes {
		w.P(dst, " = ", src)
		return
	}
	w.P("if ", src, " == nil {\n", dst, " = nil\n} else {")
	w.P(dst, " = new(", w.Type(f.Type.Elem), ")")
	from := "(*" + src + ")"
	if f.Value.Scalar == proto.Bytes {
		from = src
	}
	w.fromScalar("(*"+dst+")", from, f.Value)
	w.P("}")
}

func (w *converter) fromRepeated(dst, src string, f *proto.Field) {
	v, i := f.Value, w.Unique("i")
	if v.Message != nil && v.Message.Kind == proto.Entry {
		w.fromEntries(dst, src, f)
		return
	}
	if f.Type.Kind == ir.Array {
		n := strconv.FormatInt(f.Type.Len, 10)
		w.P("if len(", src, ") != ", n, " {\nreturn ", w.pb, ".ZZLength(", n, ", len(", src, "))\n}")
		if w.same(v) {
			w.P("copy(", dst, "[:], ", src, ")")
			return
		}
	} else {
		if w.same(v) {
			w.P(dst, " = ", src)
			return
		}
		w.P(dst, " = ", w.pb, ".ZZGrow(", dst, ", len(", src, "))") // keeps the memory of a value that is reused
	}
	w.P("for ", i, " := range ", src, " {")
	w.fromOne(dst+"["+i+"]", src+"["+i+"]", v)
	w.P("}")
}

func (w *converter) fromEntries(dst, src string, f *proto.Field) {
	m, e, k, x := f.Value.Message, w.Unique("e"), w.Unique("k"), w.Unique("x")
	w.P(dst, " = nil\nif len(", src, ") > 0 {\n", dst, " = make(", w.Type(f.Type), ", len(", src, "))")
	w.P("for _, ", e, " := range ", src, " {\nvar ", k, " ", w.Type(f.Type.Key), "\nvar ", x, " ", w.Type(f.Type.Elem))
	w.fromOne(k, e+"."+w.goName(m, m.Fields[0]), m.Fields[0].Value)
	w.fromOne(x, e+"."+w.goName(m, m.Fields[1]), m.Fields[1].Value)
	w.P(dst, "[", k, "] = ", x, "\n}\n}")
}

func (w *converter) fromMap(dst, src string, f *proto.Field) {
	if w.same(f.Key) && w.same(f.Value) {
		w.P(dst, " = ", src)
		return
	}
	k, x, y := w.Unique("k"), w.Unique("x"), w.Unique("y")
	w.P(dst, " = nil\nif len(", src, ") > 0 {\n", dst, " = make(", w.Type(f.Type), ", len(", src, "))")
	w.P("for ", k, ", ", x, " := range ", src, " {\nvar ", y, " ", w.Type(f.Type.Elem))
	w.fromOne(y, x, f.Value)
	w.P(dst, "[", w.Type(f.Type.Key), "(", k, ")] = ", y, "\n}\n}")
}
