package flatbuffers

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// NOTE: for each table T two functions join the subject's package:
//
//	func zzPut0(b *zzadapter.Builder, v *T) (zzadapter.Offset, error)
//	func zzGet0(m *zzfb.T0, v *T) error
//
// A careful user would write the same by hand: from the Go value directly into the builder, without
// flatc's object API, which would copy everything twice. The native row uses that API's types;
// values are converted to these through a message.
type writer struct{ *tables.Writer }

// code returns the file with the conversions.
func code(t *contender.Target, m *tables.Model) ([]byte, error) {
	w := writer{tables.NewWriter(t, m, "zzfb")}
	w.Each(w.put, w.get)
	w.P("func zzGet(b []byte, v *", t.Root, ") error { return zzGet0(", w.Made.Ident("GetRootAsT0"), "(b, 0), v) }\n")
	w.P("func zzUnpack(b []byte) *", w.Made.Ident("T0T"), " { return ", w.Made.Ident("GetRootAsT0"), "(b, 0).UnPack() }\n")
	w.P("var zzCode = ", w.Adapter.Ident("Code"), "[", t.Root, "]{Put: zzPut0, Get: zzGet, Blobs: ", m.Blobs(), ",")
	w.leaf(t)
	w.P("}")
	return w.Bytes()
}

// put prints the function zzPut of a table: children first, then the table itself.
func (w writer) put(x *tables.Table) {
	offset := w.Ident(w.Adapter.Ident("Offset"))
	w.P("func zzPut", x.N, "(zzb *", w.Adapter.Ident("Builder"), ", zzv *", w.GoType(x), ") (zzo ", offset, ", err error) {")
	for i, f := range x.Fields {
		if f.Value.Form != tables.Scalar && f.Value.Form != tables.Moment {
			o := fmt.Sprint("zzo", i)
			w.P("var ", o, " ", offset)
			w.child(o, f.Place(), f.Value)
		}
	}
	w.call("", x, "Start", "zzb")
	for i, f := range x.Fields {
		add := fmt.Sprint("AddF", i)
		switch f.Value.Form {
		case tables.Scalar:
			w.call("", x, add, "zzb, "+scalars[f.Value.Scalar].plain+"("+f.Place()+")")
		case tables.Moment:
			w.call("", x, add, "zzb, "+w.moment(f.Place()))
		default:
			w.P("if zzo", i, " != 0 {")
			w.call("", x, add, fmt.Sprint("zzb, zzo", i))
			w.P("}")
		}
	}
	w.call("return ", x, "End", "zzb", ", nil")
	w.P("}\n")
}

// call prints a call of a table's function from flatc.
func (w writer) call(before string, x *tables.Table, fn, args string, after ...string) {
	w.P(before, w.Made.Ident(fmt.Sprint("T", x.N, fn)), "(", args, ")", fmt.Sprint(toAny(after)...))
}

func toAny(s []string) []any {
	out := make([]any, len(s))
	for i := range s {
		out[i] = s[i]
	}
	return out
}

func (w writer) moment(src string) string {
	return w.Ident(w.Made.Ident("CreateMoment")) + "(zzb, " + src + ".Unix(), int32(" + src + ".Nanosecond()))"
}

const failed = "; err != nil {\nreturn 0, err\n}"

// child prints code that sets o to the offset of the value in src. o stays 0 for an empty value.
func (w writer) child(o, src string, v *tables.Value) {
	switch v.Form {
	case tables.Text:
		w.P("if ", src, " != \"\" {\n", o, " = zzb.CreateString(string(", src, "))\n}")
	case tables.Blob:
		w.P("if len(", src, ") > 0 {\n", o, " = zzb.CreateByteVector(", src, ")\n}")
	case tables.Record:
		if v.Absent {
			w.P("if ", src, " != nil {\nif ", o, ", err = zzPut", v.Table.N, "(zzb, ", src, ")", failed, "\n}")
			return
		}
		w.P("if ", o, ", err = zzPut", v.Table.N, "(zzb, &", src, ")", failed)
	case tables.Vector:
		w.P("if len(", src, ") > 0 {")
		w.vector(o, src, v)
		w.P("}")
	}
}

// vector prints code for a vector that is not empty. FlatBuffers builds vectors from their end.
func (w writer) vector(o, src string, v *tables.Value) {
	i := w.Unique("zzi")
	switch e := v.Elem; e.Form {
	case tables.Scalar:
		sc := scalars[e.Scalar]
		w.P("zzb.StartVector(", sc.size, ", len(", src, "), ", sc.size, ")")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.Prepend", sc.method, "(", sc.plain, "(", src, "[", i, "]))\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	case tables.Moment:
		w.P("zzb.StartVector(16, len(", src, "), 8)")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\n", w.moment(src+"["+i+"]"), "\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	default:
		w.offsets(o, src, v)
	}
}

// offsets prints code for a vector of strings or tables. Up to 32 offsets stay on the stack.
func (w writer) offsets(o, src string, v *tables.Value) {
	few, list, i, k, x := w.Unique("zzfew"), w.Unique("zzlist"), w.Unique("zzi"), w.Unique("zzk"), w.Unique("zzx")
	w.P("var ", few, " [32]", w.Adapter.Ident("Offset"), "\n", list, " := ", few, "[:0]")
	e := v.Elem
	switch {
	case v.Type.Kind == ir.Map:
		w.P("for ", k, ", ", x, " := range ", src, " {\nzze := zzEntry", e.Table.N, "{", k, ", ", x, "}")
		w.P(o, ", err := zzPut", e.Table.N, "(zzb, &zze)\nif err != nil {\nreturn 0, err\n}")
	case e.Form == tables.Text:
		w.P("for ", i, " := range ", src, " {\n", o, " := zzb.CreateString(string(", src, "[", i, "]))")
	case e.Absent:
		w.P("for ", i, " := range ", src, " {\nif ", src, "[", i, "] == nil {\nreturn 0, ", w.Shared.Ident("Nil"), "(",
			fmt.Sprintf("%q", print.TypeExpr(v.Type)), ")\n}")
		w.P(o, ", err := zzPut", e.Table.N, "(zzb, ", src, "[", i, "])\nif err != nil {\nreturn 0, err\n}")
	default:
		w.P("for ", i, " := range ", src, " {\n", o, ", err := zzPut", e.Table.N, "(zzb, &", src, "[", i, "])\nif err != nil {\nreturn 0, err\n}")
	}
	w.P(list, " = append(", list, ", ", o, ")\n}")
	w.P("zzb.StartVector(4, len(", list, "), 4)")
	w.P("for ", i, " := len(", list, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.PrependUOffsetT(", list, "[", i, "])\n}")
	w.P(o, " = zzb.EndVector(len(", list, "))")
}
