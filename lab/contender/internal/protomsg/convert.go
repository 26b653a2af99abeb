package protomsg

import (
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zmylab/zmy/gen/emit/proto"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// NOTE: for each message M of the schema, except the fixed ones, the converter writes two functions
// into the subject's package:
//
//	func zzToM(m *zzpb.M, v *T) error     m is zero before, T is what M carries
//	func zzFromM(v *T, m *zzpb.M) error   v may hold anything before, m may be nil
//
// Slices, maps and byte strings with the same Go type on both sides are shared, not copied: a
// careful user writes it so, and it is the cheapest way. The messages of a list are allocated
// together. Fixed messages have the same two functions in the package of the schema, written by
// hand (folder pb). The other code is in convert_to.go and convert_from.go.
type converter struct {
	*print.File
	pb       string // name of the schema's package
	v, m     string // the parameters
	messages map[string]*protogen.Message
}

// convert writes the conversions for every message of the schema.
func convert(p *ir.Package, schema *proto.File, c *Compiled, pbPath string) ([]byte, error) {
	w := &converter{File: print.For(p, "zmy lab"), messages: map[string]*protogen.Message{}}
	w.Reserve("err")
	w.v, w.m = w.Local("v"), w.Local("m")
	w.pb = strings.TrimSuffix(w.Ident(print.Pkg{Path: pbPath, Name: "zzpb"}.Ident("X")), ".X")
	for _, m := range c.File.Messages {
		w.messages[string(m.Desc.Name())] = m
	}
	for _, m := range schema.Messages {
		if m.Kind != proto.Support {
			w.to(m)
			w.from(m)
		}
	}
	return w.Bytes()
}

// pbType returns the Go name of a message. goName returns the Go name of one of its fields.
func (w *converter) pbType(m *proto.Message) string {
	return w.pb + "." + w.messages[m.Name].GoIdent.GoName
}

func (w *converter) goName(m *proto.Message, f *proto.Field) string {
	for _, x := range w.messages[m.Name].Fields {
		if x.Desc.Number() == protoreflect.FieldNumber(f.Number) {
			return x.GoName
		}
	}
	return ""
}

func (w *converter) fn(dir string, m *proto.Message) string {
	if m.Kind == proto.Support {
		return w.pb + ".ZZ" + dir + m.Name
	}
	return "zz" + dir + m.Name
}

func (w *converter) check(call string) {
	w.P("if err := ", call, "; err != nil {\nreturn err\n}")
}

var scalarGo = map[proto.Scalar]string{
	proto.Bool: "bool", proto.Int32: "int32", proto.Int64: "int64", proto.Uint32: "uint32", proto.Uint64: "uint64",
	proto.Float: "float32", proto.Double: "float64", proto.String: "string", proto.Bytes: "[]byte",
}

// same reports whether the value's Go type is identical to that of the generated field.
func (w *converter) same(v proto.Value) bool {
	return v.Message == nil && v.Hook == proto.None && !gosrc.Named(v.Type) && w.Type(v.Type) == scalarGo[v.Scalar]
}

// elem returns the Go type of the generated field's element.
func (w *converter) elem(v proto.Value) string {
	if v.Message != nil {
		return "*" + w.pbType(v.Message)
	}
	return scalarGo[v.Scalar]
}
