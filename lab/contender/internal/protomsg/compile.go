package protomsg

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// wrappers is the only file that schemas may import.
var wrappers = wrapperspb.File_google_protobuf_wrappers_proto

// Compiled is a schema as generators see it. This process compiles the text to descriptors, without
// protoc.
type Compiled struct {
	Plugin   *protogen.Plugin
	File     *protogen.File
	messages map[string]*protogen.Message // by name in the schema
}

// Describe compiles the text of a .proto file, which must contain go_package, to its descriptor.
// name is the file's name in the descriptor.
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

// Load prepares a descriptor for generators. The schema may import Google's wrappers and no other
// file. parameters are those of the plugin: "default_api_level=API_OPAQUE".
func Load(fd *descriptorpb.FileDescriptorProto, parameters ...string) (*Compiled, error) {
	files := []*descriptorpb.FileDescriptorProto{fd}
	if slices.Contains(fd.Dependency, wrappers.Path()) {
		files = []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(wrappers), fd}
	}
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{fd.GetName()},
		Parameter:      proto.String(strings.Join(parameters, ",")),
		ProtoFile:      files,
	})
	if err != nil {
		return nil, fmt.Errorf("read the schema's descriptors: %w", err)
	}
	c := &Compiled{Plugin: plugin, File: plugin.FilesByPath[fd.GetName()], messages: map[string]*protogen.Message{}}
	for _, m := range c.File.Messages {
		c.messages[string(m.Desc.Name())] = m
	}
	return c, nil
}

// GoName returns the Go name of a message, which is the same for all generators.
func (c *Compiled) GoName(message string) string { return c.messages[message].GoIdent.GoName }

// Generate runs generators in this process, one after another. It returns the files that they
// write, by base name.
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

// RunTool runs a generator in a program of its own and returns the file that it writes. The
// generator's source is the folder generate of texts; it reads the schema's descriptors from
// schema.bin. Its function Run writes the file.
func (t *Task) RunTool(ctx context.Context, texts fs.FS, file string) (map[string][]byte, error) {
	desc, err := proto.Marshal(protodesc.ToFileDescriptorProto(t.Compiled.File.Desc))
	if err != nil {
		return nil, err
	}
	return gosrc.RunGenerator(ctx, t.tools, t.own, texts, &contender.Sources{
		Module: map[string][]byte{"generate/schema.bin": desc},
		Main:   fmt.Sprintf("zzgenerate.Run(%q)", file),
	})
}
