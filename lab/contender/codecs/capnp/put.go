package capnp

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
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

// code returns the file with the conversions.
func code(t *contender.Target, m *tables.Model) ([]byte, error) {
	w := writer{tables.NewWriter(t, m, "zzcp")}
	w.Each(w.put, w.get)
	w.P("var zzCode = ", w.Adapter.Ident("Code"), "[", t.Root, ", ", w.Made.Ident("T0"), "]{Root: ", w.Made.Ident("NewRootT0"),
		", Open: ", w.Made.Ident("ReadRootT0"), ", Put: zzPut0, Get: zzGet0,")
	w.leaf(t)
	w.P("}")
	return w.Bytes()
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
		w.P(set, plain(v), "(", src, "))")
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

// plain returns the scalar's type in generated Go.
func plain(v *tables.Value) string {
	return map[ir.Kind]string{ir.Bool: "bool", ir.Int8: "int8", ir.Int16: "int16", ir.Int32: "int32", ir.Int64: "int64", ir.Uint8: "uint8",
		ir.Uint16: "uint16", ir.Uint32: "uint32", ir.Uint64: "uint64", ir.Float32: "float32", ir.Float64: "float64"}[v.Scalar]
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
		w.P("for ", i, " := range ", src, " {\n", l, ".Set(", i, ", ", plain(e), "(", at, "))\n}")
	case tables.Text:
		w.P("for ", i, " := range ", src, " {\nif err := ", l, ".Set(", i, ", string(", at, "))", check, "\n}")
	case tables.Moment:
		w.P("for ", i, " := range ", src, " {\n", l, ".At(", i, ").SetSec(", at, ".Unix())\n",
			l, ".At(", i, ").SetNsec(int32(", at, ".Nanosecond()))\n}")
	default:
		w.writeRecords(l, src, v)
	}
	w.P("}")
}

func (w writer) writeRecords(l, src string, v *tables.Value) {
	i, k, x := w.Unique("zzi"), w.Unique("zzk"), w.Unique("zzx")
	e := v.Elem
	if v.Type.Kind == ir.Map {
		w.P(i, " := 0\nfor ", k, ", ", x, " := range ", src, " {\nzze := zzEntry", e.Table.N, "{", k, ", ", x, "}")
		w.P("if err := zzPut", e.Table.N, "(", l, ".At(", i, "), &zze)", check, "\n", i, "++\n}")
		return
	}
	ref := "&" + src + "[" + i + "]"
	w.P("for ", i, " := range ", src, " {")
	if e.Absent {
		ref = src + "[" + i + "]"
		w.P("if ", ref, " == nil {\nreturn ", w.Shared.Ident("Nil"), "(", fmt.Sprintf("%q", print.TypeExpr(v.Type)), ")\n}")
	}
	w.P("if err := zzPut", e.Table.N, "(", l, ".At(", i, "), ", ref, ")", check, "\n}")
}
