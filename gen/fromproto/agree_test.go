package fromproto

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
)

// set is .proto files that are one Go package.
type set struct {
	name  string
	dirs  []string
	files []string
}

// fxprototest has the .proto file that is made of the types which fxproto is tested with.
const fxprototest = "../../adapters/protox/internal/fxprototest"

// sets returns own files, those of google.protobuf, and those that protobuf-go tests itself with.
func sets(t *testing.T) []set {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/protobuf").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(dir))
	of := func(dir string) (files []string) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.proto"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		return files
	}
	var known []string
	for _, name := range strings.Fields("any api descriptor duration empty field_mask source_context struct timestamp type wrappers") {
		known = append(known, "google/protobuf/"+name+".proto")
	}
	own := func(names ...string) (files []string) {
		for _, n := range names {
			files = append(files, filepath.Join("testdata", "shop", n))
		}
		return files
	}
	return []set{
		{"shop", []string{"testdata/shop"}, own("shop.proto", "old.proto", "edition.proto")},
		{"golden", []string{"../emit/protofile/testdata/shop"}, []string{"../emit/protofile/testdata/shop/shop.proto"}},
		{"fxprototest", []string{fxprototest}, []string{fxprototest + "/types.proto"}},
		{"google", nil, known},
		{"proto2", []string{root}, []string{filepath.Join(root, "internal/testprotos/test/test.proto")}},
		{"proto3", []string{root}, of("internal/testprotos/test3")},
		{"editions", []string{root}, of("internal/testprotos/testeditions")},
		{"fields2", []string{root}, of("cmd/protoc-gen-go/testdata/proto2")},
		{"fields3", []string{root}, of("cmd/protoc-gen-go/testdata/proto3")},
		{"features", []string{root}, of("cmd/protoc-gen-go/testdata/protoeditions")},
	}
}

func (s set) compile(t *testing.T) []protoreflect.FileDescriptor {
	t.Helper()
	files, err := Compile(t.Context(), s.dirs, s.files)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// module makes a module that uses this project's packages.
func module(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.org/agree\n\ngo 1.26\n\n"+
		"require (\n\tgithub.com/zmylab/zmy v0.0.0\n\tgoogle.golang.org/protobuf v1.36.12\n)\n\nreplace github.com/zmylab/zmy => "+root+"\n")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// command runs a command in a folder.
func command(t *testing.T, dir string, words ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestAgree compiles the types of all sets, and compares their bytes with those of dynamic messages.
func TestAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := module(t)
	runner, err := os.ReadFile("testdata/agree/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets(t) {
		for _, unknown := range []bool{true, false} {
			name := s.name
			if !unknown {
				if name != "shop" {
					continue
				}
				name = "plain"
			}
			t.Run(name, func(t *testing.T) {
				files := s.compile(t)
				src, names, err := (&Package{Name: "types", Files: files, From: "test", Unknown: unknown}).source()
				if err != nil {
					t.Fatal(err)
				}
				here := filepath.Join(dir, name)
				write(t, filepath.Join(here, "types", "types.go"), string(src))
				if unknown { // with generated methods, else by reflection
					generateMethods(t, filepath.Join(here, "types"), src)
				}
				write(t, filepath.Join(here, "main.go"), string(runner))
				write(t, filepath.Join(here, "table.go"), table(files, name, names, unknown))
				write(t, filepath.Join(here, "set.bin"), descriptors(t, files))
				out, err := command(t, dir, "go", "run", "./"+name)
				if err != nil {
					t.Errorf("%v\n%.4000s", err, out)
				}
				t.Log(out)
				if out, err := command(t, dir, "go", "vet", "./"+name+"/types"); err != nil {
					t.Errorf("go vet: %v\n%s", err, out)
				}
			})
		}
	}
}

// generateMethods writes the methods of all structs in a folder.
func generateMethods(t *testing.T, dir string, src []byte) {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	structs, _ := declaredIn(t, src)
	f, err := gen.Proto(p, structs, gen.Options{Output: "methods_proto.go"})
	if err == nil {
		err = f.Write()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// table is a source file with the types by name.
func table(files []protoreflect.FileDescriptor, folder string, names map[protoreflect.FullName]string, unknown bool) string {
	var rows []string
	for _, f := range files {
		declared(f, func(d protoreflect.Descriptor) {
			if m, ok := d.(protoreflect.MessageDescriptor); ok && !m.(interface{ IsMessageSet() bool }).IsMessageSet() {
				rows = append(rows, fmt.Sprintf("\t%q: func() any { return new(types.%s) },\n", m.FullName(), names[m.FullName()]))
			}
		})
	}
	slices.Sort(rows)
	return fmt.Sprintf("package main\n\nimport \"example.org/agree/%s/types\"\n\nconst keepsUnknown = %t\n\n"+
		"var table = map[string]func() any{\n%s}\n",
		folder, unknown, strings.Join(rows, ""))
}

// descriptors returns the files and all that they import as bytes.
func descriptors(t *testing.T, files []protoreflect.FileDescriptor) string {
	t.Helper()
	out, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	for _, f := range files {
		collect(out, f, seen)
	}
	b, err := proto.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
