package fromproto

import (
	"flag"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// Plugin reads a request of protoc or buf and writes the answer. Parameters are those that all plugins
// for Go have (paths, module, M), and unknown=false. An error is not one of the .proto files: those
// are part of the answer.
func Plugin(in io.Reader, out io.Writer) error {
	b, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	req := &pluginpb.CodeGeneratorRequest{}
	if err := proto.Unmarshal(b, req); err != nil {
		return fmt.Errorf("the input is no request of protoc, which runs this program: %w", err)
	}
	var fs flag.FlagSet
	unknown := fs.Bool("unknown", true, "structs keep fields that they do not have")
	p, err := protogen.Options{ParamFunc: fs.Set}.New(req)
	if err != nil {
		return err
	}
	p.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL |
		pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS)
	p.SupportedEditionsMinimum = descriptorpb.Edition_EDITION_PROTO2
	p.SupportedEditionsMaximum = descriptorpb.Edition_EDITION_2023
	if err := generate(p, *unknown); err != nil {
		p.Error(err)
	}
	if b, err = proto.Marshal(p.Response()); err != nil {
		return err
	}
	_, err = out.Write(b)
	return err
}

// generate writes a Go file for each Go package of which a file is to be generated. Types of
// google.protobuf, whose Go package has getters, become part of the package that uses them.
func generate(p *protogen.Plugin, unknown bool) error {
	packages := map[protogen.GoImportPath]*Package{}
	of := map[string]*Package{} // by name of the .proto file
	for _, f := range p.Files {
		if f.Desc.Package() == "google.protobuf" && !f.Generate {
			continue
		}
		pkg := packages[f.GoImportPath]
		if pkg == nil {
			pkg = &Package{Path: string(f.GoImportPath), Name: string(f.GoPackageName), Unknown: unknown}
			packages[f.GoImportPath] = pkg
		}
		pkg.Files = append(pkg.Files, f.Desc)
		of[f.Desc.Path()] = pkg
	}
	for _, f := range p.Files {
		pkg := packages[f.GoImportPath]
		if !f.Generate || pkg.From != "" {
			continue
		}
		missing := slices.IndexFunc(pkg.Files, func(d protoreflect.FileDescriptor) bool { return !p.FilesByPath[d.Path()].Generate })
		if missing >= 0 {
			return fmt.Errorf("%s and %s are in one Go package, %s; generate them together", f.Desc.Path(), pkg.Files[missing].Path(), pkg.Path)
		}
		var bases []string
		for _, d := range pkg.Files {
			bases = append(bases, path.Base(d.Path()))
		}
		pkg.From = strings.Join(bases, ", ") + " by protoc-gen-fxproto"
		pkg.Import = func(d protoreflect.FileDescriptor) (*Package, bool) {
			other := of[d.Path()]
			return other, other != nil && other != pkg
		}
		src, err := pkg.Source()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Desc.Path(), err)
		}
		g := p.NewGeneratedFile(f.GeneratedFilenamePrefix+"_types.go", f.GoImportPath)
		if _, err := g.Write(src); err != nil {
			return err
		}
	}
	return nil
}
