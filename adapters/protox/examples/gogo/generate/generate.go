// Command generate writes the generated code of both schemas without protoc: gogopb/shop.pb.go as
// protoc-gen-gogofaster writes it, and pb/shop.pb.go as protoc-gen-go does. Run it in the folder of
// package gogo.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	files, err := generated(context.Background(), ".")
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generated returns the code of both schemas, by file name. dir is the folder that has the folders
// of the schemas.
func generated(ctx context.Context, dir string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for file, generator := range map[string]func(*pluginpb.CodeGeneratorRequest) ([]byte,
		error){"gogopb/shop": gogofaster, "pb/shop": protocGenGo} {
		q, err := request(ctx, dir, file+".proto")
		if err != nil {
			return nil, err
		}
		if out[filepath.FromSlash(file+".pb.go")], err = generator(q); err != nil {
			return nil, fmt.Errorf("%s.proto: %w", file, err)
		}
	}
	return out, nil
}

// request returns what protoc passes to its plugins for one file.
func request(ctx context.Context, dir, file string) (*pluginpb.CodeGeneratorRequest, error) {
	open := func(name string) (io.ReadCloser, error) {
		if name == optionsFile {
			file, err := options(ctx)
			if err != nil {
				return nil, err
			}
			return os.Open(file)
		}
		return os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	}
	c := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: open}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	found, err := c.Compile(ctx, file)
	if err != nil {
		return nil, err
	}
	q := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{file}, Parameter: proto.String("paths=source_relative")}
	add(q, found[0], map[string]bool{})
	return q, nil
}

// add adds a file to q, after the files that it imports.
func add(q *pluginpb.CodeGeneratorRequest, f protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[f.Path()] {
		return
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		add(q, f.Imports().Get(i).FileDescriptor, seen)
	}
	q.ProtoFile = append(q.ProtoFile, described(f))
}

func described(f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	if r, ok := f.(linker.Result); ok {
		return r.FileDescriptorProto() // with its options and its comments
	}
	return protodesc.ToFileDescriptorProto(f)
}

// protocGenGo runs Google's generator.
func protocGenGo(q *pluginpb.CodeGeneratorRequest) ([]byte, error) {
	plugin, err := protogen.Options{}.New(q)
	if err != nil {
		return nil, err
	}
	for _, f := range plugin.Files {
		if f.Generate {
			internal_gengo.GenerateFile(plugin, f)
		}
	}
	res := plugin.Response()
	if res.Error != nil {
		return nil, fmt.Errorf("%s", res.GetError())
	}
	return []byte(res.File[0].GetContent()), nil
}
