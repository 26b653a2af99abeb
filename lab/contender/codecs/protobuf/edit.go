package protobuf

import (
	"slices"

	pb "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/zmylab/zmy/gen/emit/proto"
)

// The functions here change descriptors, for variants. A proto.File says which fields a variant
// changes. Only messages of the subject are changed, not fixed ones such as Timestamp, which the
// user cannot change.

// scalarOf maps the types in descriptors to those in schemas.
var scalarOf = map[descriptorpb.FieldDescriptorProto_Type]proto.Scalar{
	descriptorpb.FieldDescriptorProto_TYPE_BOOL: proto.Bool, descriptorpb.FieldDescriptorProto_TYPE_INT32: proto.Int32,
	descriptorpb.FieldDescriptorProto_TYPE_INT64: proto.Int64, descriptorpb.FieldDescriptorProto_TYPE_UINT32: proto.Uint32,
	descriptorpb.FieldDescriptorProto_TYPE_UINT64: proto.Uint64, descriptorpb.FieldDescriptorProto_TYPE_FLOAT: proto.Float,
	descriptorpb.FieldDescriptorProto_TYPE_DOUBLE: proto.Double, descriptorpb.FieldDescriptorProto_TYPE_STRING: proto.String,
	descriptorpb.FieldDescriptorProto_TYPE_BYTES: proto.Bytes,
}

var zigzags = map[proto.Scalar]descriptorpb.FieldDescriptorProto_Type{
	proto.Int32: descriptorpb.FieldDescriptorProto_TYPE_SINT32, proto.Int64: descriptorpb.FieldDescriptorProto_TYPE_SINT64,
}

var fixed = map[proto.Scalar]descriptorpb.FieldDescriptorProto_Type{
	proto.Int32: descriptorpb.FieldDescriptorProto_TYPE_SFIXED32, proto.Int64: descriptorpb.FieldDescriptorProto_TYPE_SFIXED64,
	proto.Uint32: descriptorpb.FieldDescriptorProto_TYPE_FIXED32, proto.Uint64: descriptorpb.FieldDescriptorProto_TYPE_FIXED64,
}

// wrapperOf has the wrapper of each scalar, from google/protobuf/wrappers.proto.
var wrapperOf = map[proto.Scalar]string{
	proto.Bool: "BoolValue", proto.Int32: "Int32Value", proto.Int64: "Int64Value", proto.Uint32: "UInt32Value", proto.Uint64: "UInt64Value",
	proto.Float: "FloatValue", proto.Double: "DoubleValue", proto.String: "StringValue", proto.Bytes: "BytesValue",
}

func plainScalar(f *proto.Field) bool { return f.Card == proto.One && f.Value.Message == nil }

func packable(v proto.Value) bool {
	return v.Message == nil && v.Scalar != proto.String && v.Scalar != proto.Bytes
}

func hasString(f *proto.Field) bool {
	return f.Value.Scalar == proto.String || f.Card == proto.Map && f.Key.Scalar == proto.String
}

// optional gives a field explicit presence, as proto3's keyword optional does: with a oneof of its
// own.
func optional(_ *fileEdit, m *messageEdit, f *field) {
	f.Proto3Optional, f.OneofIndex = pb.Bool(true), pb.Int32(int32(len(m.OneofDecl)))
	m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: pb.String("_" + f.GetName())})
}

// wrap turns a scalar field into a message that contains the scalar.
func wrap(fd *fileEdit, _ *messageEdit, f *field) {
	f.TypeName = pb.String(".google.protobuf." + wrapperOf[scalarOf[f.GetType()]])
	f.Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
	if file := wrapperspb.File_google_protobuf_wrappers_proto.Path(); !slices.Contains(fd.Dependency, file) {
		fd.Dependency = append(fd.Dependency, file)
	}
}

// unchecked turns the file into one of edition 2023. It means the same except that strings are not
// checked, for which proto3 has no option.
func unchecked(fd *fileEdit) {
	fd.Syntax, fd.Edition = pb.String("editions"), descriptorpb.Edition_EDITION_2023.Enum()
	fd.Options.Features = &descriptorpb.FeatureSet{
		FieldPresence:  descriptorpb.FeatureSet_IMPLICIT.Enum(),
		Utf8Validation: descriptorpb.FeatureSet_NONE.Enum(),
	}
	for _, m := range fd.MessageType {
		explicit(m)
	}
}

// explicit replaces proto3's optional by the feature of editions, which need no oneof for it.
func explicit(m *messageEdit) {
	real := 0
	for _, f := range m.Field {
		if !f.GetProto3Optional() {
			if f.OneofIndex != nil {
				real = max(real, int(f.GetOneofIndex())+1)
			}
			continue
		}
		f.Proto3Optional, f.OneofIndex = nil, nil
		if f.Options == nil {
			f.Options = new(descriptorpb.FieldOptions)
		}
		f.Options.Features = &descriptorpb.FeatureSet{FieldPresence: descriptorpb.FeatureSet_EXPLICIT.Enum()}
	}
	m.OneofDecl = m.OneofDecl[:real] // the oneofs of optional fields were the last ones
	for _, n := range m.NestedType {
		explicit(n)
	}
}
