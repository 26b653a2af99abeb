package flatbuffers

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

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
		w.P(dst, " = ", v.Type, "{}\nif ", get, "(&", at, ") != nil {\n", dst, " = ", w.instant(at), "\n}")
	case tables.Record:
		t := w.Unique("zzt")
		w.P("var ", t, " ", w.MadeType(v.Table))
		zero := "*new(" + w.Type(v.Type) + ")"
		w.P(dst, " = ", zero, "\nif ", get, "(&", t, ") != nil {")
		if v.Absent {
			w.P(dst, " = new(", v.Type.Elem, ")")
			w.P("if err := zzGet", v.Table.N, "(&", t, ", ", dst, "); err != nil {\nreturn err\n}\n}")
			return
		}
		w.P("if err := zzGet", v.Table.N, "(&", t, ", &", dst, "); err != nil {\nreturn err\n}\n}")
	case tables.Vector:
		w.readVector(dst, get, v)
	}
}

func (w writer) instant(at string) string {
	return w.Ident(print.Package("time").Ident("Unix")) + "(" + at + ".Sec(), int64(" + at + ".Nsec())).UTC()"
}

// readVector prints code that reads a vector. The code checks the vector's length against the
// message before it allocates. Nothing else is checked: the runtime has no verifier, and panics
// when it reads past the end.
func (w writer) readVector(dst, get string, v *tables.Value) {
	n, i, t := w.Unique("zzn"), w.Unique("zzi"), w.Unique("zzt")
	w.P(n, " := ", get, "Length()\nif err := ", w.Adapter.Ident("Bound"), "(", n, ", zzm.Table()); err != nil {\nreturn err\n}")
	switch v.Type.Kind {
	case ir.Map:
		w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.Type, ", ", n, ")")
	case ir.Array:
		w.P("if ", n, " != 0 && ", n, " != ", v.Type.Len, " {\nreturn ", w.Shared.Ident("Length"), "(", v.Type.Len, ", ", n, ")\n}\n{")
	default:
		w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.Type, ", ", n, ")")
	}
	at := dst + "[" + i + "]"
	switch e := v.Elem; e.Form {
	case tables.Scalar, tables.Text:
		w.P("for ", i, " := range ", n, " {\n", at, " = ", v.Type.Elem, "(", get, "(", i, "))\n}")
	case tables.Moment:
		w.P("var ", t, " ", w.Made.Ident("Moment"), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")\n", at, " = ",
			w.instant(t), "\n}")
	default:
		w.P("var ", t, " ", w.MadeType(e.Table), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")")
		target := "&" + at
		switch {
		case v.Type.Kind == ir.Map:
			w.P("var zze zzEntry", e.Table.N)
			target = "&zze"
		case e.Absent:
			w.P(at, " = new(", e.Type.Elem, ")")
			target = at
		}
		w.P("if err := zzGet", e.Table.N, "(&", t, ", ", target, "); err != nil {\nreturn err\n}")
		if v.Type.Kind == ir.Map {
			w.P(dst, "[zze.Key] = zze.Value")
		}
		w.P("}")
	}
	w.P("}")
}

// leaf prints the function that reads the string for op access, if tables lead to it.
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
