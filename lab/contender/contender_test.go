package contender

import (
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/ir"
)

// TestAdapters: every adapter is left out of the repository's own builds, and
// every module it imports is pinned and has its hash committed.
func TestAdapters(t *testing.T) {
	dirs, err := fs.Glob(adapters, "codecs/*/adapter/adapter.go")
	if err != nil || len(dirs) < 8 {
		t.Fatalf("%d adapters, %v", len(dirs), err)
	}
	for _, name := range dirs {
		name = strings.Split(name, "/")[1]
		t.Run(name, func(t *testing.T) {
			files, err := Adapter(name)
			if err != nil {
				t.Fatal(err)
			}
			var required []*modfile.Require
			if mod := files["go.mod"]; mod != nil {
				f, err := modfile.Parse("mod.txt", mod, nil)
				if err != nil {
					t.Fatal(err)
				}
				required = f.Require
				if f.Module.Mod.Path != ModulePath {
					t.Errorf("mod.txt is of module %s", f.Module.Mod.Path)
				}
			}
			for _, m := range Pins(name) {
				if !strings.Contains(string(files["go.sum"]), m.Path+" "+m.Version+" h1:") {
					t.Errorf("go.sum lacks %s %s; run bin/maint pin %s", m.Path, m.Version, name)
				}
			}
			for file, src := range files {
				if strings.HasSuffix(file, ".go") {
					checkSource(t, file, src, required)
				}
			}
		})
	}
}

func checkSource(t *testing.T, file string, src []byte, required []*modfile.Require) {
	t.Helper()
	if !strings.HasPrefix(string(src), "//go:build ignore\n") {
		t.Errorf("%s does not begin with //go:build ignore", file)
	}
	if strings.Contains(string(src), ":= bytes.NewBuffer(") {
		t.Errorf("%s makes a bytes.Buffer for every call: the harness's allocation, not the codec's", file)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, im := range f.Imports {
		path, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		pinned := !strings.Contains(strings.Split(path, "/")[0], ".") || path == RuntimePath ||
			strings.HasPrefix(path, RuntimePath+"/") || strings.HasPrefix(path, LabPath) || strings.HasPrefix(path, ModulePath)
		for _, r := range required {
			pinned = pinned || path == r.Mod.Path || strings.HasPrefix(path, r.Mod.Path+"/")
		}
		if !pinned {
			t.Errorf("%s imports %s, which mod.txt does not pin", file, path)
		}
	}
}

// TestUncarried: what the plans of the reflective codecs refuse, and where.
func TestUncarried(t *testing.T) {
	str, done := &ir.Type{Kind: ir.String}, &ir.Type{Kind: ir.Chan}
	shape := &ir.Type{Kind: ir.Interface, Name: &ir.TypeName{Name: "Shape", PkgName: "geo", Pkg: "example.com/geo"}}
	texter := &ir.Type{Kind: ir.Struct, Hooks: ir.HasMarshalText, Fields: []*ir.Field{{Name: "C", Exported: true, Type: done}}}
	root := func(fields ...*ir.Field) *Target {
		for i, f := range fields {
			f.Pos = ir.Pos{File: "order.go", Line: 10 + i}
		}
		item := &ir.Type{Kind: ir.Struct, Fields: fields}
		item.Fields = append(item.Fields, &ir.Field{Name: "Self", Exported: true, Type: &ir.Type{Kind: ir.Pointer, Elem: item}})
		return &Target{IR: new(ir.Package), Expr: "Order", Root: &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{
			{Name: "Items", Exported: true, Type: &ir.Type{Kind: ir.Slice, Elem: item}}}}}
	}
	plain := &ir.Field{Name: "ID", Exported: true, Type: str}
	for _, c := range []struct {
		name   string
		target *Target
		json   string // What for std-json, "" when it is carried
		where  string
		binary bool // gob, msgpack and cbor carry it
	}{
		{"plain", root(plain), "", "", true},
		{"channel", root(plain, &ir.Field{Name: "Done", Exported: true, Type: done}), "skipped: Order.Items[].Done has type chan",
			"order.go:11", false},
		{"unexported channel", root(&ir.Field{Name: "done", Type: done}), "", "", true},
		{"ignored channel", root(&ir.Field{Name: "Done", Exported: true, Type: done, Tag: `json:"-"`}), "", "", true},
		{"interface", root(&ir.Field{Name: "S", Exported: true, Type: shape}), "", "", true}, // carried where it is nil
		{"own text form", root(&ir.Field{Name: "T", Exported: true, Type: texter}), "", "", true},
		{"complex key", root(&ir.Field{Name: "M", Exported: true, Type: &ir.Type{Kind: ir.Map, Key: &ir.Type{Kind: ir.Complex128}, Elem: str}}),
			"skipped: Order.Items[].M[key] has type complex128", "order.go:10", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			what, where := "", ""
			if why := uncarried(c.target, jsonKinds, false); why != nil {
				what, where = why.What, why.Where
			}
			if what != c.json || where != c.where {
				t.Errorf("json: %q at %q, want %q at %q", what, where, c.json, c.where)
			}
			if why := uncarried(c.target, jsonKinds, true); why != nil {
				t.Errorf("%s: a list may be empty", why.What)
			}
			if why := LeftOut(c.target); (why == nil) != (c.json == "") {
				t.Errorf("left out: %+v", why)
			}
			if why := uncarried(c.target, binaryKinds, false); (why == nil) != c.binary {
				t.Errorf("gob, msgpack, cbor: %+v, want carried %v", why, c.binary)
			}
		})
	}
}

// TestNeverCarried: std-json refuses at once what is part of every value, and leaves the rest to
// the values.
func TestNeverCarried(t *testing.T) {
	done := &ir.Type{Kind: ir.Chan}
	field := func(typ *ir.Type, tag string) *Target {
		fields := []*ir.Field{{Name: "F", Exported: true, Type: typ, Tag: tag}}
		return &Target{IR: new(ir.Package), Expr: "Order", Root: &ir.Type{Kind: ir.Struct, Fields: fields}}
	}
	item := &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "Done", Exported: true, Type: done}}}
	for _, c := range []struct {
		name   string
		target *Target
		never  bool
	}{
		{"channel", field(done, ""), true},
		{"channel, omitempty", field(done, `json:",omitempty"`), true},
		{"channel, omitzero", field(done, `json:",omitzero"`), false},
		{"struct", field(item, ""), true},
		{"array", field(&ir.Type{Kind: ir.Array, Len: 2, Elem: item}, ""), true},
		{"pointer", field(&ir.Type{Kind: ir.Pointer, Elem: item}, ""), false},
		{"list", field(&ir.Type{Kind: ir.Slice, Elem: item}, ""), false},
		{"map", field(&ir.Type{Kind: ir.Map, Key: &ir.Type{Kind: ir.String}, Elem: item}, ""), false},
	} {
		if why := Reflective(Info{Family: "json"}).Plan(c.target); (why != nil) != c.never {
			t.Errorf("%s: %+v, want never %v", c.name, why, c.never)
		}
	}
}
