package capnp

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

func (w writer) get(x *tables.Table) {
	w.P("func zzGet", x.N, "(zzm ", w.MadeType(x), ", zzv *", w.GoType(x), ") error {")
	for i, f := range x.Fields {
		w.read(f.Place(), fmt.Sprint("F", i), f.Value)
	}
	w.P("return nil\n}\n")
}

// read prints code that sets dst to the content of one field of zzm.
func (w writer) read(dst, field string, v *tables.Value) {
	get := "zzm." + field + "()"
	x := w.Unique("zzx")
	fetch := func() { w.P("{\n", x, ", err := ", get, "\nif err != nil {\nreturn err\n}") }
	switch v.Form {
	case tables.Scalar:
		w.P(dst, " = ", v.Type, "(", get, ")")
	case tables.Text:
		fetch()
		w.P(dst, " = ", v.Type, "(", x, ")\n}")
	case tables.Blob:
		fetch()
		w.P(dst, " = append(", v.Type, "(nil), ", x, "...)\n}")
	case tables.Moment:
		w.P(dst, " = ", v.Type, "(", w.instant(get, "zzm."+field+"n()"), ")")
	case tables.Record:
		w.readRecord(dst, field, v)
	case tables.Vector:
		fetch()
		w.readVector(dst, x, v)
		w.P("}")
	}
}

func (w writer) instant(sec, nsec string) string {
	return w.Ident(print.Package("time").Ident("Unix")) + "(" + sec + ", int64(" + nsec + ")).UTC()"
}

func (w writer) readRecord(dst, field string, v *tables.Value) {
	x, ref := w.Unique("zzx"), "&"+dst
	w.P("{")
	if v.Absent {
		ref = dst
		w.P(dst, " = nil\nif zzm.Has", field, "() {\n", dst, " = new(", v.Type.Elem, ")")
	}
	w.P(x, ", err := zzm.", field, "()\nif err != nil {\nreturn err\n}")
	w.P("if err := zzGet", v.Table.N, "(", x, ", ", ref, ")", check, "\n}")
	if v.Absent {
		w.P("}")
	}
}

// readVector prints code that reads list l. The library has checked the list's length against the
// message.
func (w writer) readVector(dst, l string, v *tables.Value) {
	n, i := w.Unique("zzn"), w.Unique("zzi")
	w.P(n, " := ", l, ".Len()")
	switch v.Type.Kind {
	case ir.Array:
		w.P("if ", n, " != 0 && ", n, " != ", v.Type.Len, " {\nreturn ", w.Shared.Ident("Length"), "(", v.Type.Len, ", ", n, ")\n}\n{")
	default:
		w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.Type, ", ", n, ")")
	}
	at := dst + "[" + i + "]"
	w.P("for ", i, " := range ", n, " {")
	switch e := v.Elem; e.Form {
	case tables.Scalar:
		w.P(at, " = ", v.Type.Elem, "(", l, ".At(", i, "))")
	case tables.Text:
		s := w.Unique("zzs")
		w.P(s, ", err := ", l, ".At(", i, ")\nif err != nil {\nreturn err\n}\n", at, " = ", v.Type.Elem, "(", s, ")")
	case tables.Moment:
		w.P(at, " = ", v.Type.Elem, "(", w.instant(l+".At("+i+").Sec()", l+".At("+i+").Nsec()"), ")")
	default:
		target := "&" + at
		switch {
		case v.Type.Kind == ir.Map:
			w.P("var zze zzEntry", e.Table.N)
			target = "&zze"
		case e.Absent:
			w.P(at, " = new(", e.Type.Elem, ")")
			target = at
		}
		w.P("if err := zzGet", e.Table.N, "(", l, ".At(", i, "), ", target, ")", check)
		if v.Type.Kind == ir.Map {
			w.P(dst, "[zze.Key] = zze.Value")
		}
	}
	w.P("}\n}")
}

// leaf prints the function that reads the string for op access, if tables lead to it.
func (w writer) leaf(t *contender.Target) {
	steps := w.Leaf(t)
	if steps == nil {
		return
	}
	w.P("Path: ", fmt.Sprintf("%q", t.Leaf), ", Leaf: func(zzm ", w.Made.Ident("T0"), ") (string, error) {")
	at := "zzm"
	for n, step := range steps {
		x := fmt.Sprint("zzx", n)
		if step.To == nil && !step.First {
			w.P("return ", at, ".F", step.Field, "()\n},")
			return
		}
		w.P(x, ", err := ", at, ".F", step.Field, "()\nif err != nil {\nreturn \"\", err\n}")
		if step.First {
			w.P("if ", x, ".Len() == 0 {\nreturn \"\", nil\n}")
			x += ".At(0)"
		}
		if step.To == nil {
			w.P("return ", x, "\n},")
			return
		}
		at = x
	}
}
