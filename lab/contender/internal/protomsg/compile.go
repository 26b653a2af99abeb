package protomsg

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"google.golang.org/protobuf/types/pluginpb"
)

// wrappers are the one file that schemas may import.
var wrappers = wrapperspb.File_google_protobuf_wrappers_proto

// Compiled is a schema as generators see it, made without protoc: the text is
// compiled to descriptors in this process.
type Compiled struct {
	Plugin *protogen.Plugin
	File   *protogen.File
}

// compile reads one .proto text, which must carry go_package. name is the file's
// name in descriptors.
func compile(ctx context.Context, name string, text []byte) (*Compiled, error) {
	fd, err := Describe(ctx, name, text)
	if err != nil {
		return nil, err
	}
	return Load(fd)
}

// Describe makes the descriptor of a text.
func Describe(ctx context.Context, name string, text []byte) (*descriptorpb.FileDescriptorProto, error) {
	c := protocompile.Compiler{
		Resolver: &protocompile.SourceResolver{
			Accessor: protocompile.SourceAccessorFromMap(map[string]string{name: string(text)}),
		},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	fds, err := c.Compile(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("compile the schema: %w\n%s", err, text)
	}
	return protodesc.ToFileDescriptorProto(fds[0]), nil
}

// Load reads a descriptor as generators do. Of other files it may import Google's wrappers.
func Load(fd *descriptorpb.FileDescriptorProto) (*Compiled, error) {
	files := []*descriptorpb.FileDescriptorProto{fd}
	if slices.Contains(fd.Dependency, wrappers.Path()) {
		files = []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(wrappers), fd}
	}
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{fd.GetName()},
		Parameter:      proto.String(""),
		ProtoFile:      files,
	})
	if err != nil {
		return nil, fmt.Errorf("read the schema's descriptors: %w", err)
	}
	return &Compiled{Plugin: plugin, File: plugin.FilesByPath[fd.GetName()]}, nil
}

// GoName is the Go name of a message, which all generators agree on.
func (c *Compiled) GoName(message string) string {
	for _, m := range c.File.Messages {
		if string(m.Desc.Name()) == message {
			return m.GoIdent.GoName
		}
	}
	return message
}

// Generate runs generators of this process one after another and returns what
// they write, by base name.
func (c *Compiled) Generate(generators ...func(*Compiled) error) (map[string][]byte, error) {
	for _, g := range generators {
		if err := g(c); err != nil {
			return nil, err
		}
	}
	res := c.Plugin.Response()
	if res.Error != nil {
		return nil, fmt.Errorf("generate Go from the schema: %s", res.GetError())
	}
	files := map[string][]byte{}
	for _, f := range res.File {
		files[path.Base(f.GetName())] = []byte(f.GetContent())
	}
	return files, nil
}

// ProtocGenGo is Google's generator.
func ProtocGenGo(c *Compiled) error {
	internal_gengo.GenerateFile(c.Plugin, c.File)
	return nil
}
