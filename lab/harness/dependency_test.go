package harness

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// lib is a module whose own go.mod asks for a version of example.org/dep that nobody has.
var lib = map[string]string{
	"go.mod": "module example.org/lib\n\ngo 1.21\n\nrequire example.org/dep v1.0.0\n",
	"lib.go": "package lib\n\nimport \"example.org/dep\"\n\ntype Bill struct {\n\tID string\n\tSum dep.Money\n}\n",
}

// home is a module that replaces it.
var home = map[string]string{
	"go.mod":     "module example.org/home\n\ngo 1.22\n\nrequire example.org/lib v1.0.0\n\nrequire example.org/dep v1.0.0\n\nreplace example.org/dep => ./dep\n",
	"home.go":    "package home\n\nimport \"example.org/lib\"\n\ntype T = lib.Bill\n",
	"dep/go.mod": "module example.org/dep\n\ngo 1.21\n",
	"dep/dep.go": "package dep\n\ntype Money struct{ Cents int64 }\n",
}

// proxied is the environment of a module cache of its own, whose only proxy has lib.
func proxied(t *testing.T) []string {
	t.Helper()
	proxy := t.TempDir()
	at := filepath.Join(proxy, "example.org", "lib", "@v")
	for name, text := range map[string]string{"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": lib["go.mod"]} {
		if err := writeFile(filepath.Join(at, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(at, "v1.0.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range lib {
		w, err := z.Create("example.org/lib@v1.0.0/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "GOMODCACHE="+t.TempDir(),
		"GOFLAGS=-modcacherw", "GOWORK=", "GOTOOLCHAIN=local")
}

// TestDependency: a type of another module is built with the versions, the replacements and the
// vendor folder of the user's module.
func TestDependency(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, vendored := range []bool{false, true} {
		ctx, dir, env := t.Context(), writeTree(t, home), proxied(t)
		if _, err := gocmd.Output(ctx, dir, env, "mod", "tidy"); err != nil {
			t.Fatal(err)
		}
		if vendored {
			if _, err := gocmd.Output(ctx, dir, env, "mod", "vendor"); err != nil {
				t.Fatal(err)
			}
		}
		s, err := plan.Resolve(ctx, plan.Options{Dir: dir, Env: env, Package: "example.org/lib", Type: "Bill"})
		if err != nil {
			t.Fatal(err)
		}
		w, err := New(ctx, Config{Subject: s, Sources: os.DirFS(".."), TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		worker, err := w.Build(ctx, reflective(t, "std-json"), &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr})
		if err != nil {
			t.Fatalf("vendored %v: %v", vendored, err)
		}
		drive(ctx, t, worker)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
