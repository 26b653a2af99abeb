package contender

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/run"
)

// TestWith: the worker of a contender gets the package and what it requires, each module at
// the higher of two versions; the contender itself stays as it was.
func TestWith(t *testing.T) {
	beside := &Beside{Name: "clients", Files: map[string][]byte{"c.go": []byte("package clients\n")},
		Mod: []byte("module " + ModulePath + "\n\ngo 1.25\n\nrequire (\n\texample.com/a v1.2.0\n\texample.com/b v1.0.0\n)\n\nrequire example.com/c v1.0.0 // indirect\n"),
		Sum: []byte("sum of clients\n")}
	own := "module " + ModulePath + "\n\ngo 1.26.1\n\nrequire (\n\texample.com/a v1.1.0\n\texample.com/b v1.10.0\n\texample.com/d v0.1.0\n)\n"
	for _, c := range []struct {
		name    string
		module  map[string][]byte
		pinned  []run.Module
		want    map[string]string
		wantGo  string
		wantSum string
	}{
		{"without a module", nil, nil, map[string]string{"example.com/a": "v1.2.0", "example.com/b": "v1.0.0", "example.com/c": "v1.0.0"},
			"1.25", "sum of clients\n"},
		{"pinned", map[string][]byte{}, []run.Module{{Path: "example.com/a", Version: "v1.3.0"}, {Path: RuntimePath}},
			map[string]string{"example.com/a": "v1.3.0", "example.com/b": "v1.0.0", "example.com/c": "v1.0.0"},
			"1.25", "sum of clients\n"},
		{"with a go.mod", map[string][]byte{"go.mod": []byte(own), "go.sum": []byte("sum\n"), "adapter/adapter.go": nil}, nil,
			map[string]string{"example.com/a": "v1.2.0", "example.com/b": "v1.10.0", "example.com/c": "v1.0.0", "example.com/d": "v0.1.0"},
			"1.26.1", "sum\nsum of clients\n"},
	} {
		source := &Sources{Module: c.module, Imports: []string{Import}, Main: "zzadapter.New[ZZSubject]()"}
		generate := func(context.Context, *Target, Tools) (*Sources, error) { return source, nil }
		info, err := Info{Name: "x", Modules: c.pinned, Generate: generate}.With(beside)
		if err != nil {
			t.Fatal(err)
		}
		s, err := info.Generate(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := modfile.Parse("go.mod", s.Module["go.mod"], nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range f.Require {
			got[r.Mod.Path] = r.Mod.Version
		}
		if len(got) != len(c.want) || f.Go.Version != c.wantGo || f.Module.Mod.Path != ModulePath {
			t.Errorf("%s: %s", c.name, s.Module["go.mod"])
		}
		for path, version := range c.want {
			if got[path] != version {
				t.Errorf("%s: %s %s, want %s", c.name, path, got[path], version)
			}
		}
		if string(s.Module["go.sum"]) != c.wantSum || s.Module["clients/c.go"] == nil {
			t.Errorf("%s: go.sum %q, files %d", c.name, s.Module["go.sum"], len(s.Module))
		}
		if s.Main != "zzclients.With(zzadapter.New[ZZSubject]())" || s.Imports[1] != `zzclients "`+ModulePath+`/clients"` {
			t.Errorf("%s: %s, %s", c.name, s.Main, s.Imports)
		}
		if _, changed := c.module["clients/c.go"]; changed || len(source.Imports) != 1 || strings.Contains(source.Main, "clients") {
			t.Errorf("%s: the codec's own sources were changed", c.name)
		}
		if len(info.Beside) != 2 || info.Beside[0].Path != "example.com/a" {
			t.Errorf("%s: beside %v", c.name, info.Beside)
		}
	}
	if _, err := (Info{}).With(&Beside{Mod: []byte("garbage")}); err == nil {
		t.Error("a broken go.mod was taken")
	}
}

// TestJoinMods: the later go line stands, also where one file has none.
func TestJoinMods(t *testing.T) {
	for _, c := range []struct{ mod, other, want string }{
		{"module a\n", "module b\n\ngo 1.25\n", "go 1.25"},
		{"module a\n\ngo 1.26\n", "module b\n", "go 1.26"},
		{"module a\n\ngo 1.24\n", "module b\n\ngo 1.25\n", "go 1.25"},
	} {
		got, err := JoinMods([]byte(c.mod), []byte(c.other))
		if err != nil || !strings.Contains(string(got), c.want) {
			t.Errorf("%q and %q: %s, %v", c.mod, c.other, got, err)
		}
	}
}
