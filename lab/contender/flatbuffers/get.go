package flatbuffers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
)

// get writes zzGet.
func (w *writer) get(x *table) {
	w.P("func zzGet", x.n, "(zzm *", w.fb.Ident(fmt.Sprint("T", x.n)), ", zzv *", w.goType(x), ") error {")
	for i, f := range x.fields {
		w.read(place(f), fmt.Sprint("zzm.F", i), f.v)
	}
	w.P("return nil\n}\n")
}

func (w *writer) read(dst, get string, v *value) {
	switch v.form {
	case scalar:
		w.P(dst, " = ", v.typ, "(", get, "())")
	case text:
		w.P(dst, " = ", v.typ, "(", get, "())")
	case blob:
		b := w.Unique("zzy")
		w.P(dst, " = nil\nif ", b, " := ", get, "Bytes(); ", b, " != nil {\n", dst, " = append(", v.typ, "(nil), ", b, "...)\n}")
	case moment:
		at := w.Unique("zzt")
		w.P("var ", at, " ", w.fb.Ident("Moment"))
		w.P(dst, " = ", v.typ, "{}\nif ", get, "(&", at, ") != nil {\n", dst, " = ", w.instant(at), "\n}")
	case record:
		t := w.Unique("zzt")
		w.P("var ", t, " ", w.fb.Ident(fmt.Sprint("T", v.table.n)))
		zero := "*new(" + w.Type(v.typ) + ")"
		w.P(dst, " = ", zero, "\nif ", get, "(&", t, ") != nil {")
		if v.absent {
			w.P(dst, " = new(", v.typ.Elem, ")")
			w.P("if err := zzGet", v.table.n, "(&", t, ", ", dst, "); err != nil {\nreturn err\n}\n}")
			return
		}
		w.P("if err := zzGet", v.table.n, "(&", t, ", &", dst, "); err != nil {\nreturn err\n}\n}")
	case vector:
		w.readVector(dst, get, v)
	}
}

func (w *writer) instant(at string) string {
	return w.Ident(print.Package("time").Ident("Unix")) + "(" + at + ".Sec(), int64(" + at + ".Nsec())).UTC()"
}

// readVector bounds the length by the message before it allocates. All else is
// trusted: the runtime has no verifier, and reading past the end makes it panic.
func (w *writer) readVector(dst, get string, v *value) {
	n, i, t := w.Unique("zzn"), w.Unique("zzi"), w.Unique("zzt")
	w.P(n, " := ", get, "Length()\nif err := ", w.adapter.Ident("Bound"), "(", n, ", zzm.Table()); err != nil {\nreturn err\n}")
	switch v.typ.Kind {
	case ir.Map:
		w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.typ, ", ", n, ")")
	case ir.Array:
		w.P("if ", n, " != 0 && ", n, " != ", v.typ.Len, " {\nreturn ", w.adapter.Ident("Length"), "(", v.typ.Len, ", ", n, ")\n}\n{")
	default:
		w.P(dst, " = nil\nif ", n, " > 0 {\n", dst, " = make(", v.typ, ", ", n, ")")
	}
	at := dst + "[" + i + "]"
	switch e := v.elem; e.form {
	case scalar, text:
		w.P("for ", i, " := range ", n, " {\n", at, " = ", v.typ.Elem, "(", get, "(", i, "))\n}")
	case moment:
		w.P("var ", t, " ", w.fb.Ident("Moment"), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")\n", at, " = ", w.instant(t), "\n}")
	default:
		w.P("var ", t, " ", w.fb.Ident(fmt.Sprint("T", e.table.n)), "\nfor ", i, " := range ", n, " {\n", get, "(&", t, ", ", i, ")")
		target := "&" + at
		switch {
		case v.typ.Kind == ir.Map:
			w.P("var zze zzEntry", e.table.n)
			target = "&zze"
		case e.absent:
			w.P(at, " = new(", e.typ.Elem, ")")
			target = at
		}
		w.P("if err := zzGet", e.table.n, "(&", t, ", ", target, "); err != nil {\nreturn err\n}")
		if v.typ.Kind == ir.Map {
			w.P(dst, "[zze.Key] = zze.Value")
		}
		w.P("}")
	}
	w.P("}")
}

// leaf writes the way to the string that op access reads, where tables lead to
// it.
func (w *writer) leaf(t *contender.Target) {
	body, at, x := "", "zzm", w.m.tables[0]
	steps := strings.Split(t.Leaf, ".")
	if t.Leaf == "" {
		return
	}
	for n, step := range steps {
		name, indexed := strings.CutSuffix(step, "[0]")
		i := slices.IndexFunc(x.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return
		}
		v, get := x.fields[i].v, fmt.Sprintf("%s.F%d", at, i)
		if indexed != (v.form == vector) || indexed && v.typ.Kind == ir.Map {
			return
		}
		args := ""
		if indexed {
			body += "if " + get + "Length() == 0 {\nreturn \"\"\n}\n"
			v, args = v.elem, "0"
		}
		switch {
		case v.form == text && n == len(steps)-1:
			w.P("Path: ", fmt.Sprintf("%q", t.Leaf), ", Leaf: func(b []byte) string {\nzzm := ", w.fb.Ident("GetRootAsT0"), "(b, 0)\n",
				body, "return string(", get, "(", args, "))\n},")
			return
		case v.form != record || v.table.typ.Kind != ir.Struct:
			return
		}
		next := fmt.Sprint("zzm", n)
		decl := "var " + next + " " + w.Ident(w.fb.Ident(fmt.Sprint("T", v.table.n))) + "\n"
		if indexed {
			body += decl + get + "(&" + next + ", 0)\n"
		} else {
			body += decl + "if " + get + "(&" + next + ") == nil {\nreturn \"\"\n}\n"
		}
		at, x = next, v.table
	}
}
