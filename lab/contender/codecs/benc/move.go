package benc

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// put prints code that writes the value at an expression.
func (w *writer) put(at string, t *ir.Type) {
	if s, ok := scalars[t.Kind]; ok {
		w.P("zzn = ", w.fn("Marshal"+s.name), "(zzn, zzb, ", s.typ, "(", at, "))")
		return
	}
	switch t.Kind {
	case ir.Time:
		w.P("zzn = ", w.fn("MarshalInt64"), "(zzn, zzb, ", at, ".Unix())\nzzn = ", w.fn("MarshalInt32"), "(zzn, zzb, int32(", at,
			".Nanosecond()))")
	case ir.Struct:
		w.P("zzn = zzPut", w.of(t), "(zzn, zzb, &", at, ")")
	case ir.Pointer:
		w.P("zzn = ", w.fn("MarshalBool"), "(zzn, zzb, ", at, " != nil)\nif ", at, " != nil {")
		w.put("(*"+at+")", t.Elem)
		w.P("}")
	case ir.Array:
		i := w.Unique("zzi")
		w.P("for ", i, " := range ", at, " {")
		w.put(at+"["+i+"]", t.Elem)
		w.P("}")
	case ir.Slice:
		w.P("zzn = ", w.fn("MarshalSlice"), "(zzn, zzb, ", at, ",")
		w.putter(t.Elem, ")")
	case ir.Map:
		w.P("zzn = ", w.fn("MarshalMap"), "(zzn, zzb, ", at, ",")
		w.putter(t.Key, ",")
		w.putter(t.Elem, ")")
	}
}

// putter prints a function that writes an element, and then the text after.
func (w *writer) putter(t *ir.Type, after string) {
	if s, ok := plain(t); ok {
		w.P(w.fn("Marshal"+s.name), after)
		return
	}
	e := w.Unique("zze")
	w.P("func(zzn int, zzb []byte, ", e, " ", t, ") int {")
	w.put(e, t)
	w.P("return zzn\n}", after)
}

const check = "; err != nil {\nreturn 0, err\n}"

// get prints code that reads a value into dst.
func (w *writer) get(dst string, t *ir.Type) {
	x := w.Unique("zzx")
	if s, ok := scalars[t.Kind]; ok {
		w.P("var ", x, " ", s.typ, "\nif zzn, ", x, ", err = ", w.reads(s), "(zzn, zzb)", check, "\n", dst, " = ", t, "(", x, ")")
		return
	}
	switch t.Kind {
	case ir.Time:
		y := w.Unique("zzx")
		w.P("var ", x, " int64\nvar ", y, " int32\nif zzn, ", x, ", err = ", w.fn("UnmarshalInt64"), "(zzn, zzb)", check)
		w.P("if zzn, ", y, ", err = ", w.fn("UnmarshalInt32"), "(zzn, zzb)", check)
		w.P(dst, " = ", t, "(", print.Package("time").Ident("Unix"), "(", x, ", int64(", y, ")).UTC())")
	case ir.Struct:
		w.P("if zzn, err = ", w.getter(), w.of(t), "(zzn, zzb, &", dst, ")", check)
	case ir.Pointer:
		w.P("var ", x, " bool\nif zzn, ", x, ", err = ", w.fn("UnmarshalBool"), "(zzn, zzb)", check)
		w.P(dst, " = nil\nif ", x, " {\n", dst, " = new(", t.Elem, ")")
		w.get("(*"+dst+")", t.Elem)
		w.P("}")
	case ir.Array:
		i := w.Unique("zzi")
		w.P("for ", i, " := range ", dst, " {")
		w.get(dst+"["+i+"]", t.Elem)
		w.P("}")
	case ir.Slice:
		w.P("var ", x, " []", t.Elem, "\nif zzn, ", x, ", err = ", w.fn("UnmarshalSlice"), "[", t.Elem, "](zzn, zzb,")
		w.reader(t.Elem, ")"+check)
		w.P(dst, " = ", x)
	case ir.Map:
		w.P("var ", x, " map[", t.Key, "]", t.Elem, "\nif zzn, ", x, ", err = ", w.fn("UnmarshalMap"), "[", t.Key, ", ", t.Elem, "](zzn, zzb,")
		w.reader(t.Key, ",")
		w.reader(t.Elem, ")"+check)
		w.P(dst, " = ", x)
	}
}

// reader prints a function that reads an element, and then the text after.
func (w *writer) reader(t *ir.Type, after string) {
	if s, ok := plain(t); ok {
		w.P(w.reads(s), after)
		return
	}
	e := w.Unique("zze")
	w.P("func(zzn int, zzb []byte, ", e, " *", t, ") (_ int, err error) {")
	w.get(fmt.Sprint("(*", e, ")"), t)
	w.P("return zzn, nil\n}", after)
}
