package capnp

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/tables"
)

// NOTE: for each table T two functions join the subject's package:
//
//	func zzPut0(m zzcp.T0, v *T) error
//	func zzGet0(m zzcp.T0, v *T) error
//
// A careful user would write the same by hand. Empty and nil values are not written, and are read
// as nil.
type writer struct{ *tables.Writer }

// code writes the conversions.
func code(file *tables.Writer, t *contender.Target) {
	w := writer{file}
	w.Each(w.put, w.get)
	w.P("var zzCode = ", w.Adapter.Ident("Code"), "[", t.Root, ", ", w.Made.Ident("T0"), "]{Root: ", w.Made.Ident("NewRootT0"),
		", Open: ", w.Made.Ident("ReadRootT0"), ", Put: zzPut0, Get: zzGet0,")
	w.leaf(t)
	w.P("}")
}

const check = "; err != nil {\nreturn err\n}"

func (w writer) put(x *tables.Table) {
	w.P("func zzPut", x.N, "(zzm ", w.MadeType(x), ", zzv *", w.GoType(x), ") error {")
	for i, f := range x.Fields {
		w.write(fmt.Sprint("F", i), f.Place(), f.Value)
	}
	w.P("return nil\n}\n")
}

// write prints code that sets one field of zzm to the value in src.
func (w writer) write(field, src string, v *tables.Value) {
	set := "zzm.Set" + field + "("
	switch v.Form {
	case tables.Scalar:
		w.P(set, v.Scalar, "(", src, "))")
	case tables.Text:
		w.P("if ", src, " != \"\" {\nif err := ", set, "string(", src, "))", check, "\n}")
	case tables.Blob:
		w.P("if len(", src, ") > 0 {\nif err := ", set, src, ")", check, "\n}")
	case tables.Moment:
		w.P(set, src, ".Unix())\nzzm.Set", field, "n(int32(", src, ".Nanosecond()))")
	case tables.Record:
		w.writeRecord(field, src, v)
	case tables.Vector:
		w.writeVector(field, src, v)
	}
}

func (w writer) writeRecord(field, src string, v *tables.Value) {
	t, ref := w.Unique("zzt"), "&"+src
	w.P("{")
	if v.Absent {
		ref = src
		w.P("if ", src, " != nil {")
	}
	w.P(t, ", err := zzm.New", field, "()\nif err != nil {\nreturn err\n}")
	w.P("if err := zzPut", v.Table.N, "(", t, ", ", ref, ")", check, "\n}")
	if v.Absent {
		w.P("}")
	}
}

func (w writer) writeVector(field, src string, v *tables.Value) {
	l, i := w.Unique("zzl"), w.Unique("zzi")
	w.P("if len(", src, ") > 0 {\n", l, ", err := zzm.New", field, "(int32(len(", src, ")))\nif err != nil {\nreturn err\n}")
	at := src + "[" + i + "]"
	switch e := v.Elem; e.Form {
	case tables.Scalar:
		w.P("for ", i, " := range ", src, " {\n", l, ".Set(", i, ", ", e.Scalar, "(", at, "))\n}")
	case tables.Text:
		w.P("for ", i, " := range ", src, " {\nif err := ", l, ".Set(", i, ", string(", at, "))", check, "\n}")
	case tables.Moment:
		w.P("for ", i, " := range ", src, " {\n", l, ".At(", i, ").SetSec(", at, ".Unix())\n",
			l, ".At(", i, ").SetNsec(int32(", at, ".Nanosecond()))\n}")
	default:
		isMap := v.Type.Kind == ir.Map
		if isMap {
			w.P(i, " := 0")
		}
		elem := w.RangeTables(src, i, v, "return ")
		w.P("if err := zzPut", e.Table.N, "(", l, ".At(", i, "), ", elem, ")", check)
		if isMap {
			w.P(i, "++")
		}
		w.P("}")
	}
	w.P("}")
}

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
		w.P(dst, " = ", v.Type, "(", w.Instant(get, "zzm."+field+"n()"), ")")
	case tables.Record:
		w.readRecord(dst, field, v)
	case tables.Vector:
		fetch()
		w.readVector(dst, x, v)
		w.P("}")
	}
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
	w.Make(dst, n, v)
	at := dst + "[" + i + "]"
	w.P("for ", i, " := range ", n, " {")
	switch e := v.Elem; e.Form {
	case tables.Scalar:
		w.P(at, " = ", v.Type.Elem, "(", l, ".At(", i, "))")
	case tables.Text:
		s := w.Unique("zzs")
		w.P(s, ", err := ", l, ".At(", i, ")\nif err != nil {\nreturn err\n}\n", at, " = ", v.Type.Elem, "(", s, ")")
	case tables.Moment:
		w.P(at, " = ", v.Type.Elem, "(", w.Instant(l+".At("+i+").Sec()", l+".At("+i+").Nsec()"), ")")
	default:
		w.ReadElement(dst, i, v, func(to string) string {
			return fmt.Sprint("zzGet", e.Table.N, "(", l, ".At(", i, "), ", to, ")")
		})
	}
	w.P("}\n}")
}

// leaf prints the function that reads the string for operation access, if [tables.Model.Leaf] finds
// steps to it.
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
