package flatbuffers

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
)

// NOTE: for each table T two functions join the subject's package:
//
//	func zzPut0(b *zzadapter.Builder, v *T) (zzadapter.Offset, error)
//	func zzGet0(m *zzfb.T0, v *T) error
//
// They are what a careful user writes by hand: straight from the Go value into
// the builder, without flatc's object API, which would copy everything twice. The
// native row is on that API's types; values become such by way of a message.
type writer struct {
	*print.File
	m       *model
	adapter print.Pkg
	fb      print.Pkg
}

// code is the file of conversions.
func code(t *contender.Target, m *model) ([]byte, error) {
	w := &writer{File: print.For(t.IR, "zmy lab"), m: m,
		adapter: print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"},
		fb:      print.Pkg{Path: contender.ModulePath + "/zzfb", Name: "zzfb"}}
	for _, x := range m.tables {
		if x.entry != nil {
			w.P("type zzEntry", x.n, " struct {\nKey ", x.entry.Key, "\nValue ", x.entry.Elem, "\n}\n")
		}
		w.put(x)
		w.get(x)
	}
	w.P("func zzGet(b []byte, v *", t.Root, ") error { return zzGet0(", w.fb.Ident("GetRootAsT0"), "(b, 0), v) }\n")
	w.P("func zzUnpack(b []byte) *", w.fb.Ident("T0T"), " { return ", w.fb.Ident("GetRootAsT0"), "(b, 0).UnPack() }\n")
	w.P("var zzCode = ", w.adapter.Ident("Code"), "[", t.Root, "]{Put: zzPut0, Get: zzGet, Blobs: ", m.blobs(), ",")
	w.leaf(t)
	w.P("}")
	return w.Bytes()
}

// goType is what a table's functions take.
func (w *writer) goType(x *table) string {
	if x.entry != nil {
		return fmt.Sprint("zzEntry", x.n)
	}
	return w.Type(x.typ)
}

func place(f field) string {
	if f.name == "" {
		return "(*zzv)"
	}
	return "zzv." + f.name
}

// put writes zzPut: children first, then the table itself.
func (w *writer) put(x *table) {
	offset := w.Ident(w.adapter.Ident("Offset"))
	w.P("func zzPut", x.n, "(zzb *", w.adapter.Ident("Builder"), ", zzv *", w.goType(x), ") (zzo ", offset, ", err error) {")
	for i, f := range x.fields {
		if f.v.form != scalar && f.v.form != moment {
			o := fmt.Sprint("zzo", i)
			w.P("var ", o, " ", offset)
			w.child(o, place(f), f.v)
		}
	}
	w.call("", x, "Start", "zzb")
	for i, f := range x.fields {
		add := fmt.Sprint("AddF", i)
		switch f.v.form {
		case scalar:
			w.call("", x, add, "zzb, "+f.v.plain+"("+place(f)+")")
		case moment:
			w.call("", x, add, "zzb, "+w.moment(place(f)))
		default:
			w.P("if zzo", i, " != 0 {")
			w.call("", x, add, fmt.Sprint("zzb, zzo", i))
			w.P("}")
		}
	}
	w.call("return ", x, "End", "zzb", ", nil")
	w.P("}\n")
}

// call prints a call of flatc's function for a table.
func (w *writer) call(before string, x *table, fn, args string, after ...string) {
	w.P(before, w.fb.Ident(fmt.Sprint("T", x.n, fn)), "(", args, ")", fmt.Sprint(toAny(after)...))
}

func toAny(s []string) []any {
	out := make([]any, len(s))
	for i := range s {
		out[i] = s[i]
	}
	return out
}

func (w *writer) moment(src string) string {
	return w.Ident(w.fb.Ident("CreateMoment")) + "(zzb, " + src + ".Unix(), int32(" + src + ".Nanosecond()))"
}

const failed = "; err != nil {\nreturn 0, err\n}"

// child writes o = the offset of what src holds; o stays 0 for what is empty.
func (w *writer) child(o, src string, v *value) {
	switch v.form {
	case text:
		w.P("if ", src, " != \"\" {\n", o, " = zzb.CreateString(string(", src, "))\n}")
	case blob:
		w.P("if len(", src, ") > 0 {\n", o, " = zzb.CreateByteVector(", src, ")\n}")
	case record:
		if v.absent {
			w.P("if ", src, " != nil {\nif ", o, ", err = zzPut", v.table.n, "(zzb, ", src, ")", failed, "\n}")
			return
		}
		w.P("if ", o, ", err = zzPut", v.table.n, "(zzb, &", src, ")", failed)
	case vector:
		w.P("if len(", src, ") > 0 {")
		w.vector(o, src, v)
		w.P("}")
	}
}

// vector writes one with elements, which FlatBuffers builds from its end.
func (w *writer) vector(o, src string, v *value) {
	i := w.Unique("zzi")
	switch e := v.elem; e.form {
	case scalar:
		size := map[string]int{"bool": 1, "byte": 1, "ubyte": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4}[e.fb]
		if size == 0 {
			size = 8
		}
		w.P("zzb.StartVector(", size, ", len(", src, "), ", size, ")")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.Prepend", e.method, "(", e.plain, "(", src, "[", i, "]))\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	case moment:
		w.P("zzb.StartVector(16, len(", src, "), 8)")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\n", w.moment(src+"["+i+"]"), "\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	default:
		w.offsets(o, src, v)
	}
}

// offsets writes a vector of strings or tables; few offsets stay on the stack.
func (w *writer) offsets(o, src string, v *value) {
	few, list, i, k, x := w.Unique("zzfew"), w.Unique("zzlist"), w.Unique("zzi"), w.Unique("zzk"), w.Unique("zzx")
	w.P("var ", few, " [32]", w.adapter.Ident("Offset"), "\n", list, " := ", few, "[:0]")
	e := v.elem
	switch {
	case v.typ.Kind == ir.Map:
		w.P("for ", k, ", ", x, " := range ", src, " {\nzze := zzEntry", e.table.n, "{", k, ", ", x, "}")
		w.P(o, ", err := zzPut", e.table.n, "(zzb, &zze)\nif err != nil {\nreturn 0, err\n}")
	case e.form == text:
		w.P("for ", i, " := range ", src, " {\n", o, " := zzb.CreateString(string(", src, "[", i, "]))")
	case e.absent:
		w.P("for ", i, " := range ", src, " {\nif ", src, "[", i, "] == nil {\nreturn 0, ", w.adapter.Ident("Nil"), "(", fmt.Sprintf("%q", print.TypeExpr(v.typ)), ")\n}")
		w.P(o, ", err := zzPut", e.table.n, "(zzb, ", src, "[", i, "])\nif err != nil {\nreturn 0, err\n}")
	default:
		w.P("for ", i, " := range ", src, " {\n", o, ", err := zzPut", e.table.n, "(zzb, &", src, "[", i, "])\nif err != nil {\nreturn 0, err\n}")
	}
	w.P(list, " = append(", list, ", ", o, ")\n}")
	w.P("zzb.StartVector(4, len(", list, "), 4)")
	w.P("for ", i, " := len(", list, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.PrependUOffsetT(", list, "[", i, "])\n}")
	w.P(o, " = zzb.EndVector(len(", list, "))")
}
