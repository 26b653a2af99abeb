package load

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// txtar-like: a module in a folder, written from "name: content" pairs.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func alone() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off") }

const mod = "module example.org/m\n\ngo 1.24\n"

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   map[string]string
		pattern string
		want    []string // parts of the error, in order
		found   bool
	}{
		{"no go.mod", map[string]string{"a.go": "package a"}, ".",
			[]string{": no go.mod", "go mod init"}, true},
		{"no folder", map[string]string{"go.mod": mod, "a.go": "package a"}, "./nope",
			[]string{"load ./nope: package not found", "import path"}, false},
		{"no Go files", map[string]string{"go.mod": mod, "sub/readme": ""}, "./sub",
			[]string{"load ./sub: package not found: no Go files in ./sub"}, false},
		{"excluded Go files", map[string]string{"go.mod": mod, "sub/a.go": "//go:build never\n\npackage sub\n"}, "./sub",
			[]string{"load ./sub: package not found: no Go files there that this build selects", "build tags"}, false},
		{"nothing of std", map[string]string{"go.mod": mod}, "nope",
			[]string{"load nope: package not found", "starts with ./"}, false},
		{"not required", map[string]string{"go.mod": mod}, "example.com/other",
			[]string{"load example.com/other: package not found", "go get example.com/other"}, false},
		{"several", map[string]string{"go.mod": mod, "a/a.go": "package a", "b/b.go": "package b"}, "./...",
			[]string{"matches 2 packages", "example.org/m/a, example.org/m/b", "name one"}, true},
		{"a file", map[string]string{"go.mod": mod, "a.go": "package a"}, "a.go",
			[]string{"load a.go: this is a file"}, true},
		{"syntax", map[string]string{"go.mod": mod, "a.go": "package a\n\ntype T struct {\n\tA int B\n}\n"}, ".",
			[]string{"a.go:4:8: ", "expected"}, true},
		{"two packages", map[string]string{"go.mod": mod, "a.go": "package a", "b.go": "package b"}, ".",
			[]string{"found packages a", "and b"}, true},
		{"undefined type", map[string]string{"go.mod": mod, "a.go": "package a\n\ntype T struct {\n\tA nope\n\tB gone\n}\n"}, ".",
			[]string{"a.go:4:4: undefined: nope", "a.go:5:4: undefined: gone"}, true},
		{"missing import", map[string]string{"go.mod": mod, "a.go": "package a\n\nimport \"example.com/x\"\n\ntype T struct{ X x.X }\n"}, ".",
			[]string{"a.go:3:8: ", "example.com/x"}, true},
		{"broken constraint", map[string]string{"go.mod": mod, "a.go": "package a\n\ntype P[T ~int] struct{ X T }\n\ntype Q struct{ " +
			"P P[string] }\n"}, ".",
			[]string{"a.go:5:20: string does not satisfy ~int"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(context.Background(), Config{Dir: tree(t, c.files), Env: alone()}, c.pattern)
			if err == nil {
				t.Fatal("loaded")
			}
			inOrder(t, err.Error(), c.want)
			if missing := errors.Is(err, errNoPackage); missing == c.found {
				t.Errorf("package not found: %v, for %v", missing, err)
			}
		})
	}
}

func inOrder(t *testing.T, s string, parts []string) {
	t.Helper()
	rest := s
	for _, part := range parts {
		i := strings.Index(rest, part)
		if i < 0 {
			t.Fatalf("error lacks %q:\n%s", part, s)
		}
		rest = rest[i+len(part):]
	}
}

func TestBuildErrors(t *testing.T) {
	p := loadShop(t)
	for _, c := range []struct {
		expr string
		want []string
	}{
		{"Oder", []string{"has no type Oder; did you mean Order", "Order, Item, order, Sized"}},
		{"Zzzzzz", []string{"has no type Zzzzzz; its struct types"}},
		{"Page", []string{"shop.go:", "Page is generic", "[T]", "Page[string]"}},
		{"GenericAlias", []string{"GenericAlias is generic", "[T]"}},
		{"serve", []string{"function or variable, not a type"}},
		{"SampleOrder", []string{"a value, not a type"}},
		{"Page[", []string{"not a Go expression"}},
		{"Page[Nope]", []string{"type Page[Nope]", "undefined: Nope"}},
		{"Pair[func(), int]", []string{"func() does not satisfy comparable"}},
		{"http.Nope", []string{"type http.Nope"}},
		{"nope.X", []string{"type nope.X", "undefined: nope"}},
		{"shop.Oder", []string{"write the type without its package: Order\n"}},
		{"shop.Order", []string{"write the type without its package: Order\n"}},
		{"shop.Page[int]", []string{"write the type without its package: Page[int]\n"}},
		{"shop.Zzzzzz", []string{"write the type without its package; ", "its struct types: "}},
	} {
		_, err := p.Build(c.expr)
		if err == nil {
			t.Errorf("%s: built", c.expr)
			continue
		}
		inOrder(t, err.Error()+"\n", c.want)
	}
	if _, err := p.Build(); err == nil {
		t.Error("built nothing")
	}
}

// A type that only tests see is no type that is not there.
func TestTypeInTests(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod":    mod,
		"a.go":      "package a\n\ntype Order struct{ ID string }\n",
		"a_test.go": "package a\n\ntype Fake struct{ ID string }\n",
		"x_test.go": "package a_test\n\ntype (\n\tOther int\n\tStub struct{ ID string }\n)\n",
	})
	p, err := Load(context.Background(), Config{Dir: dir, Env: alone()}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Fake": "a_test.go:3:6: type Fake is there for tests only", "Stub": "x_test.go:5:2: type Stub is there for tests only",
		"Fale": "has no type Fale",
	} {
		if _, err := p.Build(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %q", name, err, want)
		}
	}
}

// What our own output will bring does not stop a load; a type that rests on it
// is refused when asked for.
func TestNotYetGenerated(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": mod, "a.go": `package a

type Order struct{ ID string }

type cache struct{ last OrderView }

func (c *cache) Last() OrderView { return c.last }

var parse = ParseOrder

func use(o *Order) []byte { return o.AppendJSON(nil) }
`})
	p, err := Load(context.Background(), Config{Dir: dir, Env: alone()}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Build("Order"); err != nil {
		t.Error(err)
	}
	_, err = p.Build("cache")
	if err == nil {
		t.Fatal("built a type with a field of a type that is not there")
	}
	inOrder(t, err.Error(), []string{"a.go:5:20: cache.last: the type does not check: undefined: OrderView"})
}

func TestHiddenOutput(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": mod,
		"a.go":     "package a\n\ntype Order struct{ ID string }\n",
		"a_zmy.go": "// Code generated by zmy gen -type=Order. DO NOT EDIT.\n\npackage stale\n\nfunc (o Order) MarshalJSON( {\n",
		"b.go":     "// Code generated by easyjson. DO NOT EDIT.\n\npackage a\n\nfunc (o Order) UnmarshalText([]byte) error { return nil }\n",
	})
	p, err := Load(context.Background(), Config{Dir: dir, Env: alone()}, ".")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Build("Order")
	if err != nil {
		t.Fatal(err)
	}
	if h := k.Roots[0].Hooks; h != hooks[3].value|hooks[3].ptr {
		t.Errorf("hooks %b: only UnmarshalText, which another generator wrote, counts", h)
	}
}
