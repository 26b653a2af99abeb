package adopt

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected results of testdata")

// TestRewrite rewrites the modules in testdata/rewrite. An archive has a module, and what is
// expected: each changed file below want/, and the sites, the places that stay and the notes in
// report. Libraries are stubs in testdata/stubs with the declarations of the real ones.
func TestRewrite(t *testing.T) {
	names, err := filepath.Glob("testdata/rewrite/*.txtar")
	if err != nil || len(names) < 8 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Patterns: []string{"./..."}}
			for line := range strings.Lines(string(a.Comment)) {
				if args, ok := strings.CutPrefix(strings.TrimSpace(line), "types: "); ok {
					o.Types = strings.Fields(args)
				}
				o.Bytes = o.Bytes || strings.TrimSpace(line) == "bytes"
			}
			got := rewritten(t, a, o)
			kept := slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool {
				return f.Name == "report" || strings.HasPrefix(f.Name, "want/")
			})
			if *update {
				if err := os.WriteFile(name, txtar.Format(&txtar.Archive{Comment: a.Comment, Files: append(kept, got...)}), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := a.Files[len(kept):]
			for i := range max(len(want), len(got)) {
				switch {
				case i >= len(got):
					t.Errorf("%s is missing", want[i].Name)
				case i >= len(want):
					t.Errorf("%s is not expected:\n%s", got[i].Name, got[i].Data)
				case want[i].Name != got[i].Name || string(want[i].Data) != string(got[i].Data):
					t.Errorf("%s: got\n%s\nwant %s\n%s", got[i].Name, got[i].Data, want[i].Name, want[i].Data)
				}
			}
		})
	}
}

// rewritten returns the changed files and the report of a module.
func rewritten(t *testing.T, a *txtar.Archive, o Options) []txtar.File {
	t.Helper()
	dir := t.TempDir()
	stubs, err := filepath.Abs("testdata/stubs")
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.org/shop\n\ngo 1.25.0\n"
	for path, folder := range map[string]string{"github.com/json-iterator/go": "jsoniter", "github.com/bytedance/sonic": "sonic",
		"github.com/goccy/go-json": "goccy", importModule: "zmy"} {
		mod += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", path, path, filepath.Join(stubs, folder))
	}
	write(t, dir, "go.mod", mod)
	for _, f := range a.Files {
		if f.Name != "report" && !strings.HasPrefix(f.Name, "want/") {
			write(t, dir, f.Name, string(f.Data))
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	return rewriteIn(t, dir, o)
}

// importModule is the module of fxjson.
const importModule = runtimePath

func rewriteIn(t *testing.T, dir string, o Options) (out []txtar.File) {
	t.Helper()
	pl, err := find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTree(pl.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	p, err := load(t.Context(), tr, pl, &o)
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Stay: append(p.broken, p.hidden...)}
	var files []*goFile
	for _, pkg := range p.chosen {
		fs, err := p.files(pkg, &o)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, fs...)
	}
	for _, f := range files {
		text, err := f.rewrite()
		if err == nil {
			out = append(out, txtar.File{Name: "want/" + f.name, Data: text})
			if err := tr.write(f.name, text); err != nil {
				t.Fatal(err)
			}
		} else if !errors.Is(err, errNothing) {
			t.Error(err)
		}
	}
	p.report(files, r)
	again, err := load(t.Context(), tr, pl, &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range again.broken {
		if !slices.ContainsFunc(p.broken, func(s Site) bool { return s.Call == b.Call }) {
			t.Errorf("does not compile: %s:%d: %s", b.Pos.Filename, b.Pos.Line, b.Why)
		}
	}
	var b strings.Builder
	for _, s := range r.Sites {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", s.Pos.Filename, s.Pos.Line, call(s), s.Become)
	}
	for _, s := range r.Stay {
		fmt.Fprintf(&b, "stays: %s:%d: %s: %s\n", s.Pos.Filename, s.Pos.Line, call(s), s.Why)
	}
	for _, n := range p.notes {
		fmt.Fprintf(&b, "note: %s%s\n", position(n.Pos), n.Text)
	}
	return append(out, txtar.File{Name: "report", Data: []byte(b.String())})
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestCRLF: a file whose lines end with CRLF keeps that.
func TestCRLF(t *testing.T) {
	dos := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	source := "package a\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n)\n\n// T is a type.\ntype T struct{}\n\n" +
		"func f(v any) ([]byte, error) { fmt.Println(); return json.Marshal(v) }"
	got := rewritten(t, &txtar.Archive{Files: []txtar.File{{Name: "a/a.go", Data: []byte(dos(source))}}}, Options{Patterns: []string{"./..."}})
	if len(got) != 2 || strings.Count(string(got[0].Data), "\n") != strings.Count(string(got[0].Data), "\r\n") ||
		!strings.Contains(string(got[0].Data), "github.com/zmylab/zmy/fxjson") {
		t.Errorf("%q", got)
	}
	text, err := direct([]byte(dos(source)), "T", "go tool x")
	if want := dos("\n//go:generate go tool x\n\n// T is"); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%q, %v", text, err)
	}
}
