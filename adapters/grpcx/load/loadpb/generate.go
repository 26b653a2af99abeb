//go:build ignore

// Generate runs protoc-gen-go and protoc-gen-go-vtproto to write load.pb.go and load_vtproto.pb.go.
// It needs no protoc, since it makes the descriptor itself.
package main

import (
	"bytes"
	"log"
	"os"
	"os/exec"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

type (
	field = descriptorpb.FieldDescriptorProto
	kind  = descriptorpb.FieldDescriptorProto_Type
)

func one(number int32, name string, t kind) *field {
	return &field{Name: &name, Number: &number, Type: &t, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
}

func items(number int32) *field {
	f := one(number, "items", descriptorpb.FieldDescriptorProto_TYPE_MESSAGE)
	f.Label, f.TypeName = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum(), proto.String(".zmyload.Item")
	return f
}

const path = "github.com/zmylab/zmy/adapters/grpcx/load/loadpb"

func main() {
	const (
		text   = descriptorpb.FieldDescriptorProto_TYPE_STRING
		double = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
		int32s = descriptorpb.FieldDescriptorProto_TYPE_INT32
		uint32 = descriptorpb.FieldDescriptorProto_TYPE_UINT32
		uint64 = descriptorpb.FieldDescriptorProto_TYPE_UINT64
		bool   = descriptorpb.FieldDescriptorProto_TYPE_BOOL
		bytess = descriptorpb.FieldDescriptorProto_TYPE_BYTES
	)
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("load.proto"), Package: proto.String("zmyload"), Syntax: proto.String("proto3"),
		Options: &descriptorpb.FileOptions{GoPackage: proto.String(path)},
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("Item"), Field: []*field{one(1, "sku", text), one(2, "price", double),
				one(3, "qty", int32s), one(4, "attrs", bytess)}},
			{Name: proto.String("Message"), Field: []*field{one(1, "variant", uint32), one(2, "size", uint32),
				one(3, "blob", bool), one(4, "count", uint64),
				items(5), one(6, "body", bytess)}},
		},
	}
	run(file, "google.golang.org/protobuf/cmd/protoc-gen-go", "paths=source_relative")
	run(file, "github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto",
		"paths=source_relative,features=marshal+unmarshal+size+pool,pool="+path+".Message,pool="+path+".Item")
}

func run(file *descriptorpb.FileDescriptorProto, plugin, parameter string) {
	request, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{FileToGenerate: []string{"load.proto"},
		Parameter: &parameter, ProtoFile: []*descriptorpb.FileDescriptorProto{file}})
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command("go", "run", plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatal(plugin, ": ", err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil || response.Error != nil {
		log.Fatal(plugin, ": ", err, response.GetError())
	}
	for _, f := range response.File {
		if err := os.WriteFile(f.GetName(), []byte(f.GetContent()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
