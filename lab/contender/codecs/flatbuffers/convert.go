package flatbuffers

import (
	"fmt"

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

// code writes the conversions.
func code(file *tables.Writer, t *contender.Target) {
	w := writer{file}
	w.Each(w.put, w.get)
	w.P("func zzGet(b []byte, v *", t.Root, ") error { return zzGet0(", w.Made.Ident("GetRootAsT0"), "(b, 0), v) }\n")
	w.P("func zzUnpack(b []byte) *", w.Made.Ident("T0T"), " { return ", w.Made.Ident("GetRootAsT0"), "(b, 0).UnPack() }\n")
	w.P("var zzCode = ", w.Adapter.Ident("Code"), "[", t.Root, "]{Put: zzPut0, Get: zzGet, Blobs: ", w.Blobs(), ",")
	w.leaf(t)
	w.P("}")
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
	w.P(w.table(x, "Start"), "(zzb)")
	for i, f := range x.Fields {
		add := w.table(x, fmt.Sprint("AddF", i))
		switch f.Value.Form {
		case tables.Scalar:
			w.P(add, "(zzb, ", f.Value.Scalar, "(", f.Place(), "))")
		case tables.Moment:
			w.P(add, "(zzb, ", w.moment(f.Place()), ")")
		default:
			w.P("if zzo", i, " != 0 {\n", add, "(zzb, zzo", i, ")\n}")
		}
	}
	w.P("return ", w.table(x, "End"), "(zzb), nil\n}\n")
}

// table returns the name of a function that flatc generated for a table. fn is the end of the name.
func (w writer) table(x *tables.Table, fn string) string {
	return w.Ident(w.Made.Ident(fmt.Sprint("T", x.N, fn)))
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

// vector prints code for a vector that is not empty. FlatBuffers builds vectors from their end. A
// Moment takes 16 bytes in a vector: its 12 bytes are padded to a multiple of 8, the alignment of
// its seconds.
func (w writer) vector(o, src string, v *tables.Value) {
	i := w.Unique("zzi")
	switch e := v.Elem; e.Form {
	case tables.Scalar:
		sc := scalars[e.Scalar]
		w.P("zzb.StartVector(", sc.size, ", len(", src, "), ", sc.size, ")")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.Prepend", sc.method, "(", e.Scalar, "(", src, "[", i, "]))\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	case tables.Moment:
		w.P("zzb.StartVector(16, len(", src, "), 8)")
		w.P("for ", i, " := len(", src, ") - 1; ", i, " >= 0; ", i, "-- {\n", w.moment(src+"["+i+"]"), "\n}")
		w.P(o, " = zzb.EndVector(len(", src, "))")
	default:
		w.offsets(o, src, v)
	}
}

// offsets prints code for a vector of strings or tables. All of them are written before the vector
// is begun, since the builder writes one object at a time. So their offsets have to be kept; up to
// 32 stay on the stack.
func (w writer) offsets(o, src string, v *tables.Value) {
	few, list, i := w.Unique("zzfew"), w.Unique("zzlist"), w.Unique("zzi")
	w.P("var ", few, " [32]", w.Adapter.Ident("Offset"), "\n", list, " := ", few, "[:0]")
	if e := v.Elem; e.Form == tables.Text {
		w.P("for ", i, " := range ", src, " {\n", o, " := zzb.CreateString(string(", src, "[", i, "]))")
	} else {
		elem := w.RangeTables(src, i, v, "return 0, ")
		w.P(o, ", err := zzPut", e.Table.N, "(zzb, ", elem, ")\nif err != nil {\nreturn 0, err\n}")
	}
	w.P(list, " = append(", list, ", ", o, ")\n}")
	w.P("zzb.StartVector(4, len(", list, "), 4)")
	w.P("for ", i, " := len(", list, ") - 1; ", i, " >= 0; ", i, "-- {\nzzb.PrependUOffsetT(", list, "[", i, "])\n}")
	w.P(o, " = zzb.EndVector(len(", list, "))")
}

// get prints the function zzGet of a table.
func (w writer) get(x *tables.Table) {
	w.P("func zzGet", x.N, "(zzm *", w.MadeType(x), ", zzv *", w.GoType(x), ") error {")
	for i, f := range x.Fields {
		w.read(f.Place(), fmt.Sprint("zzm.F", i), f.Value)
	}
	w.P("return nil\n}\n")
}

func (w writer) read(dst, get string, v *tables.Value) {
	switch v.Form {
	case tables.Scalar:
		w.P(dst, " = ", v.Type, "(", get, "())")
	case tables.Text:
		w.P(dst, " = ", v.Type, "(", get, "())")
	case tables.Blob:
		b := w.Unique("zzy")
		w.P(dst, " = nil\nif ", b, " := ", get, "Bytes(); ", b, " != nil {\n", dst, " = append(", v.Type, "(nil), ", b, "...)\n}")
	case tables.Moment:
		at := w.Unique("zzt")
		w.P("var ", at, " ", w.Made.Ident("Moment"))
		w.P(dst, " = ", v.Type, "{}\nif ", get, "(&", at, ") != nil {\n", dst, " = ", w.Instant(at+".Sec()", at+".Nsec()"), "\n}")
	case tables.Record:
		t := w.Unique("zzt")
		w.P("var ", t, " ", w.MadeType(v.Table))
		to := "&" + dst
		w.P(dst, " = *new(", v.Type, ")\nif ", get, "(&", t, ") != nil {")
		if v.Absent {
			w.P(dst, " = new(", v.Type.Elem, ")")
			to = dst
		}
		w.P("if err := zzGet", v.Table.N, "(&", t, ", ", to, "); err != nil {\nreturn err\n}\n}")
	case tables.Vector:
		w.readVector(dst, get, v)
	}
}

// readVector prints code that reads a vector. The code checks the vector's length against the
// message before it allocates. Nothing else is checked: the runtime has no verifier, and panics
// when it reads past the end.
func (w writer) readVector(dst, get string, v *tables.Value) {
	n, i, t := w.Unique("zzn"), w.Unique("zzi"), w.Unique("zzt")
	w.P(n, " := ", get, "Length()\nif err := ", w.Adapter.Ident("Bound"), "(", n, ", zzm.Table()); err != nil {\nreturn err\n}")
	w.Make(dst, n, v)
	at := dst + "[" + i + "]"
	switch e := v.Elem; e.Form {
	case tables.Scalar, tables.Text:
		w.P("for ", i, " := range ", n, " {\n", at, " = ", v.Type.Elem, "(", get, "(", i, "))\n}")
	case tables.Moment:
		w.P("var ", t, " ", w.Made.Ident("Moment"), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")\n", at, " = ",
			w.Instant(t+".Sec()", t+".Nsec()"), "\n}")
	default:
		w.P("var ", t, " ", w.MadeType(e.Table), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")")
		w.ReadElement(dst, i, v, func(to string) string { return fmt.Sprint("zzGet", e.Table.N, "(&", t, ", ", to, ")") })
		w.P("}")
	}
	w.P("}")
}

// leaf prints the function that reads the string for operation access, if [tables.Model.Leaf] finds
// steps to it.
func (w writer) leaf(t *contender.Target) {
	body, at := "", "zzm"
	for n, step := range w.Leaf(t) {
		get, args := fmt.Sprintf("%s.F%d", at, step.Field), ""
		if step.First {
			body += "if " + get + "Length() == 0 {\nreturn \"\"\n}\n"
			args = "0"
		}
		if step.To == nil {
			w.P("Path: ", fmt.Sprintf("%q", t.Leaf), ", Leaf: func(b []byte) string {\nzzm := ", w.Made.Ident("GetRootAsT0"), "(b, 0)\n",
				body, "return string(", get, "(", args, "))\n},")
			return
		}
		at = fmt.Sprint("zzm", n)
		body += "var " + at + " " + w.MadeType(step.To) + "\n"
		if step.First {
			body += get + "(&" + at + ", 0)\n"
		} else {
			body += "if " + get + "(&" + at + ") == nil {\nreturn \"\"\n}\n"
		}
	}
}
