package fromproto

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/internal/pbtype"
)

// oneof is a oneof and the name of its interface in Go.
type oneof struct {
	protoreflect.OneofDescriptor
	name string
}

// inOneof reports whether a field is an arm of a oneof.
func inOneof(f protoreflect.FieldDescriptor) bool {
	return f.ContainingOneof() != nil && !f.ContainingOneof().IsSynthetic()
}

// holder prints the field that holds the arm of a oneof, in the struct of that name.
func (g *generator) holder(of string, o protoreflect.OneofDescriptor, taken map[string]bool) *oneof {
	out := &oneof{o, g.Unique(of + camel(string(o.Name()), true))}
	g.comment(o, false)
	tag, name := "oneof", fieldName(string(o.Name()), taken)
	if pbtype.Snake(name) != string(o.Name()) {
		tag += ",name:" + string(o.Name())
	}
	g.P(name, " ", out.name, fmt.Sprintf(" `proto:%q json:%q`", tag, pbtype.JSONName(string(o.Name()))+",omitempty"))
	return out
}

// oneof prints the interface of a oneof, and a struct for each arm that is not a message by itself.
func (g *generator) oneof(o *oneof) {
	names := make([]string, o.Fields().Len())
	for i := range names {
		f := o.Fields().Get(i)
		if names[i] = g.armMessage(f); names[i] == "" {
			names[i] = g.Unique(g.names[f.ContainingMessage().FullName()] + camel(string(f.Name()), true))
		}
	}
	g.P("// ", o.name, " is the oneof ", string(o.Name()), ": a pointer to one of these structs.")
	g.P("//")
	line := "//zmy:union"
	for i, name := range names {
		word := fmt.Sprintf(" %s=%d", name, o.Fields().Get(i).Number())
		if len(line)+len(word) > 120 {
			g.P(line)
			line = "//zmy:union"
		}
		line += word
	}
	g.P(line)
	g.P("type ", o.name, " interface{ is", o.name, "() }\n")
	for i, name := range names {
		if f := o.Fields().Get(i); g.armMessage(f) == "" {
			g.P("// ", name, " is ", string(f.Name()), " in ", o.name, ".")
			g.P("type ", name, " struct {")
			g.field(f, map[string]bool{}, "oneof")
			g.P("}\n")
		}
	}
	for _, name := range names {
		g.P("func (*", name, ") is", o.name, "() {}")
	}
	g.P()
	g.P("func init() { // so that reflection knows the structs")
	g.P(g.Ident(runtimePkg.Ident("Oneof")), "[", o.name, "](")
	for i, name := range names {
		number := protoreflect.FieldNumber(0) // its field has it
		if f := o.Fields().Get(i); g.armMessage(f) != "" {
			number = f.Number()
		}
		g.P(g.Ident(runtimePkg.Ident("OneofArm")), "[", name, "](", int32(number), "),")
	}
	g.P(")\n}\n")
}

// armMessage returns the Go name of a message that is an arm by itself: it is of this package, and its name
// says all that the arm does. It returns "" for other arms.
func (g *generator) armMessage(f protoreflect.FieldDescriptor) string {
	opts, _ := f.Options().(*descriptorpb.FieldOptions)
	if f.Kind() != protoreflect.MessageKind || knownType(f) != "" || leading(f) != "" || opts.GetDeprecated() {
		return ""
	}
	name := g.typeName(f.Message())
	if strings.Contains(name, ".") || pbtype.Snake(name) != string(f.Name()) || pbtype.JSONName(string(f.Name())) != f.JSONName() {
		return ""
	}
	return name
}
