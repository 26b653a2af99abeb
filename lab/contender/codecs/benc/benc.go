// Package benc is the contender github.com/deneonet/benc in its raw form. It generates, in the
// subject's package, the calls of benc's package std that a careful user would write by hand.
package benc

import (
	"context"
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "benc",
	Family:  "binary",
	Text:    "deneonet/benc, its raw functions for each field of your type; both ends have the same type",
	Extra:   true,
	Modules: contender.Pins("benc"),
	Abilities: contender.Abilities{
		Evolution:     "no; both ends have the same type (code of bencgen would know others)",
		Languages:     "no; Go",
		Maps:          "yes",
		Any:           "no",
		Time:          "nanoseconds; seconds and nanoseconds of their own",
		Deterministic: "no; maps in random order",
		ZeroCopy:      "yes; mode alias",
		Validation:    "no; lengths are believed",
		Streaming:     "no; frames are up to the program",
		Licence:       "MIT",
		Released:      "2025-05-17",
	},
	Adopt: &run.Adopt{Import: "github.com/deneonet/benc/std",
		Manual:  "functions that call bstd for each field of the type, as its README shows",
		Marshal: "bstd.MarshalString(n, b, v.Name) …", Unmarshal: "bstd.UnmarshalString(n, b) …"},
	Plan: gosrc.Plan(refuse),
	Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		s, err := contender.Bind("benc", "zzadapter.New(zzCode)")
		if err != nil {
			return nil, err
		}
		s.Package["zz_benc.go"], err = code(t)
		return s, err
	},
}

var words = gosrc.Plain{Dynamic: "benc has no dynamic values", Lacks: "benc has no form for", Knows: "benc"}

func refuse(t *contender.Target, x *ir.Type) string {
	if reason := words.Refuse(t, x); reason != "" || x.Spellable(t.IR.Path) {
		return reason
	}
	return gosrc.Unnameable
}

// NOTE: each struct S has four functions in the subject's package:
//
//	func zzSize0(zzv *S) int
//	func zzPut0(zzn int, zzb []byte, zzv *S) int
//	func zzGet0(zzn int, zzb []byte, zzv *S) (int, error)
//	func zzAlias0, as zzGet0, with strings and bytes that share zzb
//
// zzn is the offset in the message. A pointer is encoded as a bool and the value that it points to,
// a time as its seconds and nanoseconds, an array as its elements.
type writer struct {
	*print.File
	pkg   string
	bstd  print.Pkg
	index map[*ir.Type]int
	todo  []*ir.Type
	alias bool // strings and bytes that are read share the input's memory
}

func code(t *contender.Target) ([]byte, error) {
	w := &writer{File: print.For(t.IR, "zmy lab"), pkg: t.IR.Path,
		bstd: print.Pkg{Path: "github.com/deneonet/benc/std", Name: "bstd"}, index: map[*ir.Type]int{}}
	root := w.of(t.Root)
	for i := 0; i < len(w.todo); i++ {
		w.funcs(i, w.todo[i])
	}
	w.P("var zzCode = ", print.Pkg{Path: contender.ModulePath + "/adapter", Name: "zzadapter"}.Ident("Code"), "[", t.Root, "]{",
		"Size: zzSize", root, ", Put: zzPut", root, ", Get: zzGet", root, ", Alias: zzAlias", root, "}")
	return w.Bytes()
}

// of returns the number that ends the names of a type's functions: 0 for zzSize0. All structs have
// functions, and so has the root.
func (w *writer) of(t *ir.Type) int {
	n, ok := w.index[t]
	if !ok {
		n = len(w.todo)
		w.index[t] = n
		w.todo = append(w.todo, t)
	}
	return n
}

func (w *writer) fn(name string) string { return w.Ident(w.bstd.Ident(name)) }

func (w *writer) funcs(n int, t *ir.Type) {
	parts := []part{{"(*zzv)", t}}
	if t.Kind == ir.Struct {
		parts = nil
		for _, f := range t.Fields {
			if gosrc.Kept(f, w.pkg) {
				parts = append(parts, part{"zzv." + f.Name, f.Type})
			}
		}
	}
	w.P("func zzSize", n, "(zzv *", t, ") (zzn int) {")
	for _, p := range parts {
		w.size(p.at, p.typ)
	}
	w.P("return zzn\n}\n")
	w.P("func zzPut", n, "(zzn int, zzb []byte, zzv *", t, ") int {")
	for _, p := range parts {
		w.put(p.at, p.typ)
	}
	w.P("return zzn\n}\n")
	for _, w.alias = range []bool{false, true} {
		w.P("func ", w.getter(), n, "(zzn int, zzb []byte, zzv *", t, ") (_ int, err error) {")
		for _, p := range parts {
			w.get(p.at, p.typ)
		}
		w.P("return zzn, nil\n}\n")
	}
}

type part struct {
	at  string
	typ *ir.Type
}

func (w *writer) getter() string {
	if w.alias {
		return "zzAlias"
	}
	return "zzGet"
}

// scalar has benc's name of a scalar, the Go type that benc's functions take, and the size in
// bytes, or 0 if the size depends on the value.
type scalar struct {
	name, typ string
	size      int
}

var scalars = map[ir.Kind]scalar{
	ir.Bool: {"Bool", "bool", 1}, ir.Int8: {"Byte", "byte", 1}, ir.Uint8: {"Byte", "byte", 1},
	ir.Int: {"Int", "int", 0}, ir.Int16: {"Int16", "int16", 2}, ir.Int32: {"Int32", "int32", 4}, ir.Int64: {"Int64", "int64", 8},
	ir.Duration: {"Int64", "int64", 8},
	ir.Uint:     {"Uint", "uint", 0}, ir.Uint16: {"Uint16", "uint16", 2}, ir.Uint32: {"Uint32", "uint32", 4},
	ir.Uint64:  {"Uint64", "uint64", 8},
	ir.Float32: {"Float32", "float32", 4}, ir.Float64: {"Float64", "float64", 8},
	ir.String: {"String", "string", 0}, ir.Number: {"String", "string", 0}, ir.Bytes: {"Bytes", "[]byte", 0},
	ir.RawJSON: {"Bytes", "[]byte", 0},
}

// plain reports whether benc's own functions accept values of the type without a conversion.
func plain(t *ir.Type) (scalar, bool) {
	s, ok := scalars[t.Kind]
	return s, ok && !gosrc.Named(t) && t.Kind != ir.Int8 && t.Kind != ir.Duration && t.Kind != ir.Number && t.Kind != ir.RawJSON
}

// reads returns the name of benc's function that reads a scalar.
func (w *writer) reads(s scalar) string {
	name := "Unmarshal" + s.name
	switch {
	case s.name == "Bytes" && w.alias:
		name += "Cropped"
	case s.name == "Bytes":
		name += "Copied"
	case s.name == "String" && w.alias:
		name = "UnmarshalUnsafeString"
	}
	return w.fn(name)
}

// fixed returns the size in bytes of a type's values if all have the same size, else 0. If the
// elements of a list have a fixed size, benc computes the list's size without calling a function
// for each element. A time takes the 8 bytes of its seconds and the 4 of its nanoseconds.
func fixed(t *ir.Type) int64 {
	switch t.Kind {
	case ir.Time:
		return 12
	case ir.Array:
		return t.Len * fixed(t.Elem)
	}
	return int64(scalars[t.Kind].size)
}

// size prints code that adds the size of a value to zzn. The argument at is the value's Go
// expression.
func (w *writer) size(at string, t *ir.Type) {
	if n := fixed(t); n > 0 {
		w.P("zzn += ", n)
		return
	}
	if s, ok := scalars[t.Kind]; ok {
		w.P("zzn += ", w.fn("Size"+s.name), "(", s.typ, "(", at, "))")
		return
	}
	switch t.Kind {
	case ir.Struct:
		w.P("zzn += zzSize", w.of(t), "(&", at, ")")
	case ir.Pointer:
		w.P("zzn++\nif ", at, " != nil {")
		w.size("(*"+at+")", t.Elem)
		w.P("}")
	case ir.Array:
		i := w.Unique("zzi")
		w.P("for ", i, " := range ", at, " {")
		w.size(at+"["+i+"]", t.Elem)
		w.P("}")
	case ir.Slice:
		if n := fixed(t.Elem); n > 0 {
			w.P("zzn += ", w.fn("SizeFixedSlice"), "(", at, ", ", n, ")")
			return
		}
		w.P("zzn += ", w.fn("SizeSlice"), "(", at, ",")
		w.sizer(t.Elem, ")")
	case ir.Map:
		w.P("zzn += ", w.fn("SizeMap"), "(", at, ",")
		w.sizer(t.Key, ",")
		w.sizer(t.Elem, ")")
	}
}

// sizer prints a function literal that returns an element's size, followed by the argument after.
func (w *writer) sizer(t *ir.Type, after string) {
	e := w.Unique("zze")
	w.P("func(", e, " ", t, ") (zzn int) {")
	w.size(e, t)
	w.P("return zzn\n}", after)
}

// put prints code that writes a value. The argument at is the value's Go expression.
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

// putter prints a function that writes an element, followed by the argument after.
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

// reader prints a function that reads an element, followed by the argument after.
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
