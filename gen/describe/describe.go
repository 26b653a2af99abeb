// Package describe turns the plan of native types into the schema that travels
// with messages and that versions are compared by.
package describe

import (
	"reflect"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Schema describes a root of a plan. It is what schema.Of says of the Go type,
// and what only the source says: unions, sparse structs, reserved numbers, named
// values, limits and what is deprecated.
func Schema(root *ir.ZMYType) *schema.Schema {
	s := Types([]*ir.ZMYType{root}).Schema
	s.Limits = Limits(root.Type)
	return s
}

// Table describes all that some roots reach.
type Table struct {
	*schema.Schema
	From []*ir.ZMYType // what each type was made from
}

// Types describes several roots, with the types that they share listed once.
func Types(roots []*ir.ZMYType) *Table {
	d := describer{Table{Schema: &schema.Schema{}}, map[*ir.ZMYType]uint32{}}
	for _, r := range roots {
		d.typ(r, false)
	}
	return &d.Table
}

type describer struct {
	Table
	seen map[*ir.ZMYType]uint32
}

func (d *describer) typ(t *ir.ZMYType, reserved bool) uint32 {
	if i, ok := d.seen[t]; ok {
		return i
	}
	i := uint32(len(d.Types))
	d.seen[t] = i
	d.Types, d.From = append(d.Types, schema.Type{}), append(d.From, t)
	if reserved {
		d.Types[i] = reservedType(t)
		return i
	}
	out := schema.Type{Kind: kind(t)} // copied into the table last: it grows on the way
	if t.Key != nil {
		out.Key = d.typ(t.Key, false)
	}
	if t.Elem != nil {
		out.Elem = d.typ(t.Elem, false)
	}
	switch out.Kind {
	case schema.Array:
		out.Len = uint32(t.Type.Len)
	case schema.Struct, schema.Union:
		d.declared(&out, t)
	default:
		if n := t.Type.Name; n != nil && t.Shape == ir.ZMYFixed && len(t.Type.Values) > 0 {
			out.Name = n.Name
			for _, v := range t.Type.Values {
				out.Values = append(out.Values, schema.Value{Number: v.Number, Name: v.Name})
			}
		}
	}
	d.Types[i] = out
	return i
}

// declared fills in what structs and unions have.
func (d *describer) declared(out *schema.Type, t *ir.ZMYType) {
	out.Sparse = t.Shape == ir.ZMYSparse
	if n := t.Type.Name; n != nil {
		out.Name, out.Deprecated = n.Name, Deprecated(n.Doc)
	}
	for _, f := range t.Fields {
		out.Fields = append(out.Fields, d.field(f))
	}
	for _, a := range t.Arms {
		out.Fields = append(out.Fields, schema.Field{Number: uint32(a.Disc), Type: d.typ(a.Type, false), Name: a.Type.Type.Name.Name})
	}
}

func (d *describer) field(f *ir.ZMYField) schema.Field {
	if f.Field == nil {
		return schema.Field{Number: uint32(f.Number), Type: d.typ(f.Type, true), Reserved: true}
	}
	out := schema.Field{
		Number: uint32(f.Number), Type: d.typ(f.Type, false), Deprecated: f.Deprecated,
		Name: f.Field.Name, JSON: jsonName(f.Field),
	}
	out.Inline = f.Type.Shape == ir.ZMYFixed && f.Type.Type.Kind == ir.Struct
	t := f.Field.Type
	if t.Kind == ir.Pointer {
		t = t.Elem
	}
	out.Embedded = f.Field.Embedded && t.Kind == ir.Struct && out.JSON == ""
	return out
}

// Deprecated reports a comment with a paragraph that begins with "Deprecated:",
// as Go's own tools take it.
func Deprecated(doc string) bool {
	return strings.HasPrefix(doc, "Deprecated: ") || strings.Contains(doc, "\n\nDeprecated: ")
}

func jsonName(f *ir.Field) string {
	tag := reflect.StructTag(f.Tag).Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-" || !f.Exported && !f.Embedded:
		return "-"
	case name == f.Name:
		return ""
	}
	return name
}

func kind(t *ir.ZMYType) schema.Kind {
	switch t.Shape {
	case ir.ZMYString:
		return schema.String
	case ir.ZMYBytes:
		if t.Type.Kind == ir.RawJSON {
			return schema.JSON
		}
		return schema.Bytes
	case ir.ZMYPacked, ir.ZMYList, ir.ZMYDense:
		return schema.List
	case ir.ZMYMap:
		return schema.Map
	case ir.ZMYPtrStruct, ir.ZMYPtrFixed, ir.ZMYOpt, ir.ZMYPtrBigInt, ir.ZMYPtrBigFloat:
		return schema.Opt
	case ir.ZMYStruct, ir.ZMYSparse:
		return schema.Struct
	case ir.ZMYUnion:
		return schema.Union
	case ir.ZMYAny:
		return schema.Any
	case ir.ZMYBigInt:
		return schema.BigInt
	case ir.ZMYBigFloat:
		return schema.BigFloat
	case ir.ZMYArray, ir.ZMYFixedTail:
		return schema.Array
	case ir.ZMYMethods:
		return own[t.Via]
	}
	switch { // of scalars
	case t.Type.Kind == ir.Array:
		return schema.Array
	case t.Type.Kind == ir.Struct:
		return schema.Struct // inline
	case t.Time == ir.ZMYZone:
		return schema.TimeZone
	case t.Time == ir.ZMYUnixNano:
		return schema.TimeUnixNano
	}
	return scalars[t.Type.Kind]
}

// reservedType is what a number stands for that Go has no field for any more.
func reservedType(t *ir.ZMYType) schema.Type {
	out := schema.Type{Kind: schema.Reserved, Name: t.Words}
	if t.Shape == ir.ZMYFixed {
		out.Len = uint32(t.Size)
	}
	return out
}

var own = map[ir.ZMYVia]schema.Kind{ir.ZMYViaZMY: schema.OwnZMY, ir.ZMYViaBinary: schema.OwnBinary, ir.ZMYViaText: schema.OwnText, ir.ZMYViaJSON: schema.JSON}

var scalars = map[ir.Kind]schema.Kind{
	ir.Bool: schema.Bool, ir.Int8: schema.Int8, ir.Int16: schema.Int16, ir.Int32: schema.Int32, ir.Int64: schema.Int64, ir.Int: schema.Int64,
	ir.Uint8: schema.Uint8, ir.Uint16: schema.Uint16, ir.Uint32: schema.Uint32, ir.Uint64: schema.Uint64, ir.Uint: schema.Uint64, ir.Uintptr: schema.Uint64,
	ir.Float32: schema.Float32, ir.Float64: schema.Float64, ir.Complex64: schema.Complex64, ir.Complex128: schema.Complex128,
	ir.Time: schema.Time, ir.Duration: schema.Duration,
}
