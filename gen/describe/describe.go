// Package describe turns the plan of a native type into the schema that travels
// with messages and that versions are compared by.
package describe

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// Schema describes a root of a plan. It is what schema.Of says of the Go type.
func Schema(root *ir.ZMYType) *schema.Schema {
	d := describer{s: &schema.Schema{}, seen: map[*ir.ZMYType]uint32{}}
	d.typ(root, false)
	return d.s
}

type describer struct {
	s    *schema.Schema
	seen map[*ir.ZMYType]uint32
}

func (d *describer) typ(t *ir.ZMYType, reserved bool) uint32 {
	if i, ok := d.seen[t]; ok {
		return i
	}
	i := uint32(len(d.s.Types))
	d.seen[t] = i
	d.s.Types = append(d.s.Types, schema.Type{Kind: kind(t)})
	if reserved {
		d.s.Types[i] = schema.Type{Kind: schema.Reserved, Name: words(t)}
		if t.Shape == ir.ZMYFixed {
			d.s.Types[i].Len = uint32(t.Size)
		}
		return i
	}
	if t.Key != nil {
		k := d.typ(t.Key, false)
		d.s.Types[i].Key = k
	}
	if t.Elem != nil {
		e := d.typ(t.Elem, false)
		d.s.Types[i].Elem = e
	}
	switch d.s.Types[i].Kind {
	case schema.Array:
		d.s.Types[i].Len = uint32(t.Type.Len)
	case schema.Struct:
		if t.Type.Name != nil {
			d.s.Types[i].Name = t.Type.Name.Name
		}
		var fields []schema.Field
		for _, f := range t.Fields {
			fields = append(fields, d.field(f))
		}
		d.s.Types[i].Fields = fields
	}
	return i
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
	out.Embedded = f.Field.Embedded && f.Field.Type.Kind == ir.Struct && out.JSON == ""
	return out
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
	case ir.ZMYStruct:
		return schema.Struct
	case ir.ZMYAny:
		return schema.Any
	case ir.ZMYBigInt:
		return schema.BigInt
	case ir.ZMYBigFloat:
		return schema.BigFloat
	case ir.ZMYArray:
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

// words is the canonical text of a reserved field's type.
func words(t *ir.ZMYType) string {
	switch {
	case t.Words != "":
		return t.Words
	case t.Type.Kind == ir.Array:
		return fmt.Sprintf("[%d]%s", t.Type.Len, words(t.Elem))
	}
	return scalars[t.Type.Kind].String()
}

var own = map[ir.ZMYVia]schema.Kind{ir.ZMYViaZMY: schema.OwnZMY, ir.ZMYViaBinary: schema.OwnBinary, ir.ZMYViaText: schema.OwnText}

var scalars = map[ir.Kind]schema.Kind{
	ir.Bool: schema.Bool, ir.Int8: schema.Int8, ir.Int16: schema.Int16, ir.Int32: schema.Int32, ir.Int64: schema.Int64, ir.Int: schema.Int64,
	ir.Uint8: schema.Uint8, ir.Uint16: schema.Uint16, ir.Uint32: schema.Uint32, ir.Uint64: schema.Uint64, ir.Uint: schema.Uint64, ir.Uintptr: schema.Uint64,
	ir.Float32: schema.Float32, ir.Float64: schema.Float64, ir.Complex64: schema.Complex64, ir.Complex128: schema.Complex128,
	ir.Time: schema.Time, ir.Duration: schema.Duration,
}
