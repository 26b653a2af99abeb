package protobuf

import (
	"context"
	"fmt"
	"path"

	"github.com/bufbuild/protocompile"
	"github.com/planetscale/vtprotobuf/generator"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
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

// compiled is a schema turned into Go, without protoc: the text is compiled to
// descriptors, and the generators of protoc-gen-go and vtprotobuf run in this
// process.
type compiled struct {
	file  *protogen.File
	files map[string][]byte // base name to Go source
}

// compile makes the Go package of one .proto text, which must carry go_package.
// name is the file's name in descriptors; poolable lists message names.
func compile(ctx context.Context, name string, text []byte, vt bool, poolable []string) (*compiled, error) {
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
	fd := protodesc.ToFileDescriptorProto(fds[0])
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{name},
		Parameter:      proto.String(""),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{fd},
	})
	if err != nil {
		return nil, fmt.Errorf("read the schema's descriptors: %w", err)
	}
	file := plugin.FilesByPath[name]
	internal_gengo.GenerateFile(plugin, file)
	if vt {
		if err := generateVT(plugin, file, poolable); err != nil {
			return nil, err
		}
	}
	res := plugin.Response()
	if res.Error != nil {
		return nil, fmt.Errorf("generate Go from the schema: %s", res.GetError())
	}
	out := &compiled{file: file, files: map[string][]byte{}}
	for _, f := range res.File {
		out.files[path.Base(f.GetName())] = []byte(f.GetContent())
	}
	return out, nil
}

func generateVT(plugin *protogen.Plugin, file *protogen.File, poolable []string) error {
	cfg := &generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
	for _, m := range poolable {
		if err := cfg.Poolable.Set(fmt.Sprintf("%s.%s", string(file.GoImportPath), m)); err != nil {
			return fmt.Errorf("vtprotobuf: poolable %s: %w", m, err)
		}
	}
	g, err := generator.NewGenerator(plugin, vtFeatures, cfg)
	if err != nil {
		return fmt.Errorf("vtprotobuf: %w", err)
	}
	g.Generate()
	return nil
}
