//go:build ignore

// Generate runs protoc-gen-go to write bench.pb.go, the messages of the examples order-lite and
// result as protobuf. It needs no protoc, since it makes the descriptor itself.
package main

import (
	"bytes"
	"log"
	"os"
	"os/exec"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/pluginpb"

	"google.golang.org/protobuf/reflect/protodesc"
)

type (
	field   = descriptorpb.FieldDescriptorProto
	message = descriptorpb.DescriptorProto
)

func one(number int32, name string, t descriptorpb.FieldDescriptorProto_Type, typeName string) *field {
	f := &field{Name: &name, Number: &number, Type: &t, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
	if typeName != "" {
		f.TypeName = &typeName
	}
	return f
}

func many(f *field) *field {
	f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	return f
}

func main() {
	const (
		text   = descriptorpb.FieldDescriptorProto_TYPE_STRING
		double = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
		int32s = descriptorpb.FieldDescriptorProto_TYPE_INT32
		int64s = descriptorpb.FieldDescriptorProto_TYPE_INT64
		uint64 = descriptorpb.FieldDescriptorProto_TYPE_UINT64
		bytess = descriptorpb.FieldDescriptorProto_TYPE_BYTES
		sub    = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	)
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("bench.proto"), Package: proto.String("bench"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/timestamp.proto"},
		Options:    &descriptorpb.FileOptions{GoPackage: proto.String("github.com/zmylab/zmy/adapters/grpcx/bench/benchpb")},
		MessageType: []*message{
			{Name: proto.String("Item"), Field: []*field{one(1, "sku", text, ""), one(2, "price", double, ""),
				one(3, "qty", int32s, ""), one(4, "attrs", bytess, "")}},
			{
				Name: proto.String("Order"),
				Field: []*field{one(1, "id", text, ""), many(one(2, "items", sub, ".bench.Item")),
					many(one(3, "metadata", sub, ".bench.Order.MetadataEntry")),
					one(4, "timestamp", sub, ".google.protobuf.Timestamp")},
				NestedType: []*message{{Name: proto.String("MetadataEntry"),
					Field:   []*field{one(1, "key", text, ""), one(2, "value", text, "")},
					Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)}}},
			},
			{Name: proto.String("Result"), Field: []*field{one(1, "id", uint64, ""), many(one(2, "data", double, "")),
				one(3, "timestamp", int64s, "")}},
		},
	}
	request, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{"bench.proto"}, Parameter: proto.String("paths=source_relative"),
		ProtoFile: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto),
			file},
	})
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command("go", "run", "google.golang.org/protobuf/cmd/protoc-gen-go")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatal(err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil || response.Error != nil {
		log.Fatal(err, response.GetError())
	}
	for _, f := range response.File {
		if err := os.WriteFile(f.GetName(), []byte(f.GetContent()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
