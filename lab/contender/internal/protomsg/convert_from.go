package protomsg

import (
	"strconv"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
)

// from writes the function zzFromM.
func (w *converter) from(m *proto.Message) {
	if m.Kind == proto.Entry {
		return
	}
	w.P("func ", w.fn("From", m), "(", w.v, " *", m.Type, ", ", w.m, " *", w.pbType(m), ") error {")
	w.P("if ", w.m, " == nil {\n*", w.v, " = *new(", m.Type, ")\nreturn nil\n}")
	for _, f := range m.Fields {
		dst := "(*" + w.v + ")"
		if f.Go != nil {
			dst = w.v + "." + f.Go.Name
		}
		w.fromField(dst, w.m+"."+w.goName(m, f), f)
	}
	w.P("return nil\n}\n")
}

func (w *converter) fromField(dst, src string, f *proto.Field) {
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

// fromOne writes dst = src for one value; dst must be addressable.
func (w *converter) fromOne(dst, src string, v proto.Value) {
	switch {
	case v.Message == nil:
		w.fromScalar(dst, src, v)
	case v.Followed():
		w.P("if ", src, " == nil {\n", dst, " = nil\n} else {\n", dst, " = new(", w.Type(v.Type.Elem), ")")
		w.fromMessage(dst, src, proto.Value{Message: v.Message, Type: v.Type.Elem}, true)
		w.P("}")
	default:
		w.fromMessage(dst, src, v, false)
	}
}

// fromMessage writes a call of the message's own function. ptr says that dst is a pointer.
func (w *converter) fromMessage(dst, src string, v proto.Value, ptr bool) {
	ref := "&" + dst
	if ptr {
		ref = dst
	}
	switch v.Type.Kind {
	case ir.Complex64:
		c := w.Unique("c")
		w.P("var ", c, " complex128")
		w.check(w.fn("From", v.Message) + "(&" + c + ", " + src + ")")
		w.P("*(", ref, ") = ", w.Type(v.Type), "(", c, ")")
		return
	}
	ref = w.ref(ref, v.Type)
	w.check(w.fn("From", v.Message) + "(" + ref + ", " + src + ")")
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
		w.P(dst, " = ", w.pb, ".ZZGrow(", dst, ", len(", src, "))")
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
