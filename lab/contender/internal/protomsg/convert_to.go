package protomsg

import (
	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// to writes the function zzToM.
func (w *converter) to(m *proto.Message) {
	if m.Kind == proto.Entry {
		return // the code for the map includes it
	}
	w.P("func ", w.fn("To", m), "(", w.m, " *", w.pbType(m), ", ", w.v, " *", m.Type, ") error {")
	for _, f := range m.Fields {
		src := "(*" + w.v + ")"
		if f.Go != nil {
			src = w.v + "." + f.Go.Name
		}
		w.toField(w.m+"."+w.goName(m, f), src, f)
	}
	w.P("return nil\n}\n")
}

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

// toOne writes dst = src for one value; src must be addressable.
func (w *converter) toOne(dst, src string, v proto.Value) {
	switch {
	case v.Message == nil:
		w.toScalar(dst, src, v)
	case v.Followed():
		w.P("if ", src, " != nil {\n", dst, " = new(", w.pbType(v.Message), ")")
		w.check(w.fn("To", v.Message) + "(" + dst + ", " + w.ref(src, v.Type.Elem) + ")")
		w.P("}")
	case v.Type.Kind == ir.Any:
		w.P("if ", src, " != nil {\n", dst, " = new(", w.pbType(v.Message), ")")
		w.check(w.fn("To", v.Message) + "(" + dst + ", " + w.ref("&"+src, v.Type) + ")")
		w.P("}")
	default:
		w.P(dst, " = new(", w.pbType(v.Message), ")")
		w.check(w.fn("To", v.Message) + "(" + dst + ", " + w.ref("&"+src, v.Type) + ")")
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
	if v.Scalar == proto.Bytes {
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
	slab := w.Unique("slab")
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
