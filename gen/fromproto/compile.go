package fromproto

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Compile compiles .proto files. dirs are the folders in which imports are looked for, and which the
// files must lie in; the files of google.protobuf need none. An error has the place in a file.
func Compile(ctx context.Context, dirs, files []string) ([]protoreflect.FileDescriptor, error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	var names []string
	for _, f := range files {
		name, err := importName(dirs, f)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	c := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: func(name string) (io.ReadCloser, error) {
			f, err := open(dirs, name)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s was not found in the folders for imports: %s; name its folder with -I: %w", name,
					strings.Join(dirs, ", "), fs.ErrNotExist)
			}
			return f, err
		}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := c.Compile(ctx, names...)
	if err != nil {
		return nil, err
	}
	set, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	for _, f := range compiled {
		collect(set, f, seen)
	}
	return link(set, names)
}

// importName returns the name under which other files import a file.
func importName(dirs []string, file string) (string, error) {
	for _, dir := range dirs {
		rel, err := filepath.Rel(dir, file)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s was not found in the folders for imports: %s; name its folder with -I", file,
		strings.Join(dirs, ", "))
}

func open(dirs []string, name string) (f io.ReadCloser, err error) {
	for _, dir := range dirs {
		if f, err = os.Open(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return f, nil
		}
	}
	return nil, err
}

// collect adds a file to the set, behind the files that it imports.
func collect(set *descriptorpb.FileDescriptorSet, f protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[f.Path()] {
		return
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		collect(set, f.Imports().Get(i).FileDescriptor, seen)
	}
	d := protodesc.ToFileDescriptorProto(f)
	if r, ok := f.(linker.Result); ok {
		d = r.FileDescriptorProto() // with comments
	}
	set.File = append(set.File, d)
}

// link returns the named files of a set, as descriptors of protobuf-go's own: they know what the
// features of an edition come to.
func link(set *descriptorpb.FileDescriptorSet, names []string) (out []protoreflect.FileDescriptor, err error) {
	all := &protoregistry.Files{}
	for _, d := range set.File {
		f, err := protodesc.NewFile(d, all)
		if err == nil {
			err = all.RegisterFile(f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.GetName(), err)
		}
	}
	for _, name := range names {
		f, err := all.FindFileByPath(name)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
