package fromproto

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/protofile"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	s := sets(t)[0]
	got, err := (&Package{Name: "shop", Files: s.compile(t), From: "shop.proto by fxproto -from", Unknown: true}).Source()
	if err != nil {
		t.Fatal(err)
	}
	const name = "testdata/shop/types.go.golden"
	if *update {
		write(t, name, string(got))
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the generator writes now: run go test -update\n%s", name, got)
	}
}

// export returns the .proto file for all structs and services that a Go source declares.
func export(t *testing.T, dir string, src []byte) string {
	t.Helper()
	write(t, filepath.Join(dir, "types.go"), string(src))
	structs, services := declaredIn(t, src)
	names := append(structs, services...)
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.BuildDeriving(names...)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := check.ProtoFile(k, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(protofile.Emit(out, protofile.Options{By: "test"}))
}

// declaredIn returns the names of the messages and of the services that a source declares.
func declaredIn(t *testing.T, src []byte) (structs, services []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		spec := g.Specs[0].(*ast.TypeSpec)
		switch typ := spec.Type.(type) {
		case *ast.StructType: // but not one that is an arm
			if f := typ.Fields.List; len(f) != 1 || !strings.Contains(f[0].Tag.Value, ",oneof") {
				structs = append(structs, spec.Name.Name)
			}
		case *ast.InterfaceType: // but not a oneof
			if slices.ContainsFunc(g.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//zmy:service") }) {
				services = append(services, spec.Name.Name)
			}
		}
	}
	return structs, services
}

// TestStable makes types of .proto files, a .proto file of the types, and both once more: the second
// .proto file is the first.
func TestStable(t *testing.T) {
	dir := module(t)
	for _, s := range sets(t) {
		t.Run(s.name, func(t *testing.T) {
			files, first := s.compile(t), ""
			for round := range 3 {
				src, err := (&Package{Name: "types", Files: files, From: "test", Unknown: true}).Source()
				if err != nil {
					t.Fatal(err)
				}
				text := export(t, filepath.Join(dir, s.name), src)
				if round == 0 {
					first = text
				} else if text != first {
					t.Fatalf("round %d:\n%s", round, difference(first, text))
				}
				name := filepath.Join(dir, "types.proto")
				write(t, name, text)
				files = set{dirs: []string{dir}, files: []string{name}}.compile(t)
			}
		})
	}
}

// difference returns the first lines that differ.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return strings.Join(x[max(0, i-3):min(len(x), i+3)], "\n") + "\nbecame\n" + strings.Join(y[max(0, i-3):min(len(y), i+3)], "\n")
		}
	}
	return "one is longer"
}

// asked returns a request of protoc to generate code for some files of a set.
func asked(files []protoreflect.FileDescriptor, parameter string, generate ...string) *pluginpb.CodeGeneratorRequest {
	all, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	for _, f := range files {
		collect(all, f, seen)
	}
	return &pluginpb.CodeGeneratorRequest{FileToGenerate: generate, Parameter: &parameter, ProtoFile: all.File}
}

func plugin(t *testing.T, q *pluginpb.CodeGeneratorRequest) *pluginpb.CodeGeneratorResponse {
	t.Helper()
	in, err := proto.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Plugin(bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	res := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(out.Bytes(), res); err != nil {
		t.Fatal(err)
	}
	return res
}

// TestPlugin generates two Go packages, of which one imports the other, and compiles them.
func TestPlugin(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "api", "a", "money.proto"), `syntax = "proto3"; package a; option go_package = "example.org/agree/gena;a";
message Money { int64 units = 1; enum Unit { UNIT_NONE = 0; } Unit unit = 2; }`)
	write(t, filepath.Join(dir, "api", "b", "order.proto"), `syntax = "proto3"; package b; option go_package = "example.org/agree/genb";
import "a/money.proto"; import "google/protobuf/any.proto";
message Order { repeated a.Money sums = 1; a.Money.Unit unit = 2; google.protobuf.Any detail = 3; Part part = 4; }
message Part {}`)
	write(t, filepath.Join(dir, "api", "b", "more.proto"), `syntax = "proto3"; package b; option go_package = "example.org/agree/genb";
import "b/order.proto";
message More { Order order = 1; }`)
	api := filepath.Join(dir, "api")
	var names []string
	for _, n := range []string{"a/money.proto", "b/order.proto", "b/more.proto"} {
		names = append(names, filepath.Join(api, n))
	}
	files := set{dirs: []string{api}, files: names}.compile(t)
	res := plugin(t, asked(files, "module=example.org/agree", "a/money.proto", "b/order.proto", "b/more.proto"))
	if res.Error != nil || len(res.File) != 2 {
		t.Fatalf("%d files, error %q", len(res.File), res.GetError())
	}
	for _, f := range res.File {
		write(t, filepath.Join(dir, f.GetName()), f.GetContent())
	}
	if out, err := command(t, dir, "go", "vet", "./gena", "./genb"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{"Sums   []a.Money", "Unit   a.MoneyUnit", "Detail *fxproto.Any"} {
		if got := res.File[1].GetContent(); res.File[1].GetName() != "genb/order_types.go" || !strings.Contains(got, want) {
			t.Errorf("%s has no %s:\n%s", res.File[1].GetName(), want, got)
		}
	}
	if res := plugin(t, asked(files, "unknown=false,paths=source_relative", "a/money.proto")); res.Error != nil ||
		res.File[0].GetName() != "a/money_types.go" || strings.Contains(res.File[0].GetContent(), "fxproto.Unknown") {
		t.Errorf("%v", res)
	}
	if res := plugin(t, asked(files, "", "b/more.proto")); !strings.Contains(res.GetError(),
		"b/more.proto and b/order.proto are in one Go package, example.org/agree/genb; generate them together") {
		t.Errorf("error %q", res.GetError())
	}
	if err := Plugin(strings.NewReader("\xff"), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "no request of protoc") {
		t.Errorf("error %v", err)
	}
}

func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "api/shop.proto", `syntax = "proto3"; package acme.shop.v1; message Order { string id = 1; }`)
	write(t, "api/more.proto", `syntax = "proto3"; package acme.shop.v1; import "shop.proto"; message More { Order order = 1; }`)
	write(t, "bad.proto", "syntax = \"proto3\";\nmessage Order { strin id = 1; }\n")
	write(t, "mine.go", "package mine\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-from -output - api/shop.proto", exitOK, "// Code generated from shop.proto by fxproto -from. DO NOT EDIT.\n\npackage shop\n"},
		{"-from -output - -package orders -unknown=false -I api api/*.proto", exitOK, "package orders\n\ntype More struct {\n\tOrder *Order `"},
		{"-from -check api/shop.proto", exitFail,
			"shop_types.go is not up to date; refresh it with: fxproto -from -output=shop_types.go api/shop.proto"},
		{"-from api/shop.proto", exitOK, ""},
		{"-from -check api/shop.proto", exitOK, ""},
		{"-from -output mine.go api/shop.proto", exitFail, "mine.go is not generated code and is left as it is"},
		{"-from api/more.proto", exitFail, "api/more.proto:1:49: shop.proto was not found in the folders for imports: .; name"},
		{"-from bad.proto", exitFail, "bad.proto:2:17: field Order.id: unknown type strin"},
		{"-from nope.proto", exitFail, "nope.proto"},
		{"-from -I api bad.proto", exitFail, "bad.proto was not found in the folders for imports: api; name its folder with -I"},
		{"-from", exitUsage, "name the .proto files"},
		{"-from -check -output - bad.proto", exitUsage, "-check needs a file"},
		{"-from -nope", exitUsage, "usage: fxproto -from"},
		{"--from -h", exitOK, "usage: fxproto -from"},
	} {
		var out bytes.Buffer
		args := strings.Fields(c.args)
		if !Asks(args) {
			t.Fatal(c.args)
		}
		if code := Run(args, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: exit %d, want %d with %q\n%s", c.args, code, c.code, c.want, &out)
		}
	}
}
