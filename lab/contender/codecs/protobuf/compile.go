package protobuf

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/bufbuild/protocompile"
	"github.com/planetscale/vtprotobuf/generator"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"google.golang.org/protobuf/types/pluginpb"

	// The vtprotobuf features in use register themselves.
	_ "github.com/planetscale/vtprotobuf/features/marshal"
	_ "github.com/planetscale/vtprotobuf/features/pool"
	_ "github.com/planetscale/vtprotobuf/features/size"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"

	"google.golang.org/protobuf/types/descriptorpb"
)

// vtFeatures are the parts of vtprotobuf that are measured.
var vtFeatures = []string{"marshal", "size", "unmarshal", "unmarshal_unsafe", "pool"}

var wrappers = wrapperspb.File_google_protobuf_wrappers_proto

// compiled is a schema as generators see it, made without protoc: the text is
// compiled to descriptors in this process.
type compiled struct {
	plugin *protogen.Plugin
	file   *protogen.File
}

// compile reads one .proto text, which must carry go_package. name is the file's
// name in descriptors.
func compile(ctx context.Context, name string, text []byte) (*compiled, error) {
	fd, err := describe(ctx, name, text)
	if err != nil {
		return nil, err
	}
	return load(fd)
}

// describe makes the descriptor of a text.
func describe(ctx context.Context, name string, text []byte) (*descriptorpb.FileDescriptorProto, error) {
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

// load reads a descriptor as generators do. Of other files it may import Google's wrappers.
func load(fd *descriptorpb.FileDescriptorProto) (*compiled, error) {
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
	return &compiled{plugin: plugin, file: plugin.FilesByPath[fd.GetName()]}, nil
}

// goName is the Go name of a message, which all generators agree on.
func (c *compiled) goName(message string) string {
	for _, m := range c.file.Messages {
		if string(m.Desc.Name()) == message {
			return m.GoIdent.GoName
		}
	}
	return message
}

// generate runs generators of this process one after another and returns what
// they write, by base name.
func (c *compiled) generate(generators ...func(*compiled) error) (map[string][]byte, error) {
	for _, g := range generators {
		if err := g(c); err != nil {
			return nil, err
		}
	}
	res := c.plugin.Response()
	if res.Error != nil {
		return nil, fmt.Errorf("generate Go from the schema: %s", res.GetError())
	}
	files := map[string][]byte{}
	for _, f := range res.File {
		files[path.Base(f.GetName())] = []byte(f.GetContent())
	}
	return files, nil
}

// protocGenGo is Google's generator.
func protocGenGo(c *compiled) error {
	internal_gengo.GenerateFile(c.plugin, c.file)
	return nil
}

// vtprotobuf adds its methods to what Google's generator makes.
func vtprotobuf(poolable []string) func(*compiled) error {
	return func(c *compiled) error {
		cfg := &generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
		for _, m := range poolable {
			if err := cfg.Poolable.Set(fmt.Sprintf("%s.%s", string(c.file.GoImportPath), m)); err != nil {
				return fmt.Errorf("vtprotobuf: poolable %s: %w", m, err)
			}
		}
		g, err := generator.NewGenerator(c.plugin, vtFeatures, cfg)
		if err != nil {
			return fmt.Errorf("vtprotobuf: %w", err)
		}
		g.Generate()
		return nil
	}
}
