package fxprototest

import (
	"fmt"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb" // google/protobuf/duration.proto, for the descriptors
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

type (
	plannedMessage = pbtype.MessageType[reflect.Type, pbreflect.Field]
	plannedField   = pbreflect.PlannedField
	plannedValue   = pbreflect.PlannedValue
)

// schema is a Go type with the descriptor that is equivalent to it.
type schema struct {
	rt   reflect.Type
	plan *plannedMessage
	desc protoreflect.MessageDescriptor
	kept [2]any // values that generated code and reflection use again and again
}

var protoTypes = map[pbtype.Kind]descriptorpb.FieldDescriptorProto_Type{
	pbtype.Bool: descriptorpb.FieldDescriptorProto_TYPE_BOOL, pbtype.Enum: descriptorpb.FieldDescriptorProto_TYPE_ENUM,
	pbtype.Int32: descriptorpb.FieldDescriptorProto_TYPE_INT32, pbtype.Int64: descriptorpb.FieldDescriptorProto_TYPE_INT64,
	pbtype.Uint32: descriptorpb.FieldDescriptorProto_TYPE_UINT32, pbtype.Uint64: descriptorpb.FieldDescriptorProto_TYPE_UINT64,
	pbtype.Sint32: descriptorpb.FieldDescriptorProto_TYPE_SINT32, pbtype.Sint64: descriptorpb.FieldDescriptorProto_TYPE_SINT64,
	pbtype.Fixed32: descriptorpb.FieldDescriptorProto_TYPE_FIXED32, pbtype.Fixed64: descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
	pbtype.Sfixed32: descriptorpb.FieldDescriptorProto_TYPE_SFIXED32, pbtype.Sfixed64: descriptorpb.FieldDescriptorProto_TYPE_SFIXED64,
	pbtype.Float: descriptorpb.FieldDescriptorProto_TYPE_FLOAT, pbtype.Double: descriptorpb.FieldDescriptorProto_TYPE_DOUBLE,
	pbtype.String: descriptorpb.FieldDescriptorProto_TYPE_STRING, pbtype.Bytes: descriptorpb.FieldDescriptorProto_TYPE_BYTES,
	pbtype.Text: descriptorpb.FieldDescriptorProto_TYPE_STRING, pbtype.Binary: descriptorpb.FieldDescriptorProto_TYPE_BYTES,
	pbtype.Message: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, pbtype.Group: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE,
}

// schemaOf derives the descriptor of a Go type from its plan: a file of edition 2023, whose features
// state everything that the plan says.
func schemaOf(t testing.TB, rt reflect.Type) *schema {
	t.Helper()
	plan, problems := pbreflect.Types(rt)
	for i := range problems {
		t.Fatal(problems[i].String())
	}
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String(rt.Name() + ".proto"), Syntax: proto.String("editions"), Edition: descriptorpb.Edition_EDITION_2023.Enum(),
		Dependency: []string{"google/protobuf/timestamp.proto", "google/protobuf/duration.proto", "google/protobuf/wrappers.proto",
			"google/protobuf/struct.proto"},
		EnumType: []*descriptorpb.EnumDescriptorProto{{Name: proto.String("E"), Value: []*descriptorpb.EnumValueDescriptorProto{
			{Name: proto.String("E0"), Number: proto.Int32(0)}}}},
	}
	for _, m := range plan.Messages {
		file.MessageType = append(file.MessageType, describe(m))
	}
	f, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatalf("%v: %v", rt, err)
	}
	kept := [2]any{reflect.New(rt).Interface(), reflect.New(rt).Interface()}
	return &schema{rt: rt, plan: plan.Root, desc: f.Messages().Get(plan.Root.ID), kept: kept}
}

func describe(m *plannedMessage) *descriptorpb.DescriptorProto {
	d := &descriptorpb.DescriptorProto{Name: proto.String(nameOf(m))}
	for _, name := range m.Oneofs {
		d.OneofDecl = append(d.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(name)})
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		out := describeValue(fmt.Sprintf("f%d", f.Number), f.Number, &f.Value)
		switch {
		case f.Shape == pbtype.Map:
			entry := fmt.Sprintf("F%dEntry", f.Number)
			d.NestedType = append(d.NestedType, &descriptorpb.DescriptorProto{
				Name: proto.String(entry), Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)},
				Field: []*descriptorpb.FieldDescriptorProto{describeValue("key", 1, &f.Key), describeValue("value", 2, &f.Value)},
			})
			out = &descriptorpb.FieldDescriptorProto{Name: out.Name, Number: out.Number, Label: repeated(),
				Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), TypeName: proto.String("." + nameOf(m) + "." + entry)}
		case f.Shape == pbtype.List:
			out.Label = repeated()
			if f.Value.Kind.IsNumber() && !f.Packed {
				out.Options.Features.RepeatedFieldEncoding = descriptorpb.FeatureSet_EXPANDED.Enum()
			}
		case f.Oneof >= 0:
			out.OneofIndex = proto.Int32(int32(f.Oneof))
		case f.Presence == pbtype.Implicit && !f.Value.Kind.IsMessage():
			out.Options.Features.FieldPresence = descriptorpb.FeatureSet_IMPLICIT.Enum()
		}
		d.Field = append(d.Field, out)
	}
	return d
}

func repeated() *descriptorpb.FieldDescriptorProto_Label {
	return descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
}

func nameOf(m *plannedMessage) string { return fmt.Sprintf("M%d", m.ID) }

func describeValue(name string, number int32, v *plannedValue) *descriptorpb.FieldDescriptorProto {
	features := &descriptorpb.FeatureSet{}
	out := &descriptorpb.FieldDescriptorProto{
		Name: proto.String(name), Number: proto.Int32(number), Type: protoTypes[v.Kind].Enum(),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Options: &descriptorpb.FieldOptions{Features: features},
	}
	if v.Kind >= pbtype.Timestamp {
		out.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
		out.TypeName = proto.String("." + v.Kind.String())
	}
	switch v.Kind {
	case pbtype.Enum:
		out.TypeName = proto.String(".E")
	case pbtype.Group:
		features.MessageEncoding = descriptorpb.FeatureSet_DELIMITED.Enum()
		fallthrough
	case pbtype.Message:
		out.TypeName = proto.String("." + nameOf(v.Message))
	case pbtype.Wrapper:
		out.TypeName = proto.String("." + pbtype.WrapperName(v.Wrapped))
	case pbtype.String:
		if v.Raw {
			features.Utf8Validation = descriptorpb.FeatureSet_NONE.Enum()
		}
	}
	return out
}
