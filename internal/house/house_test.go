package house

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// top is the repository's root, seen from this package.
const top = "../.."

func TestImports(t *testing.T) {
	dirs := []string{top}
	if _, err := os.Stat(filepath.Join(top, "go.work")); err == nil && os.Getenv("GOWORK") != "off" {
		if dirs, err = Modules(top); err != nil {
			t.Fatal(err)
		}
	}
	var all []Package
	for _, dir := range dirs {
		packages, err := List(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d packages", dir, len(packages))
		all = append(all, packages...)
	}
	g := NewGraph(all)
	if _, ok := g[Module+"/codec"]; !ok {
		t.Fatalf("package codec is not among %d packages: nothing is checked", len(g))
	}
	for _, v := range CheckImports(g) {
		t.Error(v)
	}
}

func TestCoreNeedsNothing(t *testing.T) {
	deps, err := Dependencies(top, "linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deps {
		t.Errorf("the core module needs %s; it stands on the standard library alone", d)
	}
}

func TestFiles(t *testing.T) {
	names, err := Files(top)
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	paths := NewPaths(filepath.ToSlash(abs))
	checked := 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if !isText(text) {
			continue
		}
		checked++
		for _, v := range paths.Check(name, text) {
			t.Error(v)
		}
		if ext := path.Ext(name); (ext == ".go" || ext == ".s") && !strings.Contains(name, "testdata/") {
			for _, v := range CheckGo(name, text) {
				t.Error(v)
			}
		}
	}
	t.Logf("%d files", checked)
	if checked < 10 {
		t.Errorf("only %d files found: nothing is checked", checked)
	}
}

func isText(b []byte) bool {
	return !bytes.ContainsRune(b, 0) && utf8.Valid(b)
}
