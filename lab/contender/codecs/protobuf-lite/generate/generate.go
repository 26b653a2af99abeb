//go:build ignore

// Package generate runs protobuf-go-lite's generator. It runs in a program of its own, since the
// generator's fork of protogen registers the same names as the original.
package generate

import (
	_ "embed"
	"errors"
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/aperturerobotics/protobuf-go-lite/compiler/protogen"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/marshal"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/size"
	_ "github.com/aperturerobotics/protobuf-go-lite/features/unmarshal"
	"github.com/aperturerobotics/protobuf-go-lite/generator"
)

//go:embed schema.bin
var schema []byte

// Run writes the generated code of the schema to the file.
func Run(file string) {
	fd := new(descriptorpb.FileDescriptorProto)
	check(proto.Unmarshal(schema, fd))
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{fd.GetName()},
		Parameter:      proto.String(""),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{fd},
	})
	check(err)
	g, err := generator.NewGenerator(plugin, []string{"marshal", "size", "unmarshal", "unmarshal_unsafe"}, new(generator.Config))
	check(err)
	g.Generate()
	res := plugin.Response()
	if res.Error != nil {
		check(errors.New(res.GetError()))
	}
	check(os.WriteFile(file, []byte(res.File[0].GetContent()), 0o600))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
