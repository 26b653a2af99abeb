package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// folder is a temporary folder by its real name, as the go command spells it.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

const shop = `package shop

import (
	"math/rand/v2"
	stamp "time"
)

type Order struct {
	N     int
	note  string
	Skip  string ` + "`json:\"-\"`" + `
	Meta  map[string]string
	Items []*Item
	At    stamp.Time
}

type Item struct {
	Qty  int
	Code Code
	Sub  [2]struct{ Name *string }
	Self *Item
}

type Code string

type Page[T any] struct{ Items []T }

func SampleOrder(r *rand.Rand) Order { return Order{N: r.IntN(9)} }

func (o Order) String() string { return o.note }
`

func TestResolve(t *testing.T) {
	dir := folder(t)
	write(t, dir, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.22\n\ngodebug panicnil=1\n", "shop.go": shop})
	for _, c := range []struct {
		name    string
		o       Options
		subject string
		sample  string
		leaf    string
		imports []string
		err     string
	}{
		{"the only sampled type", Options{Package: "."}, "shop.Order", "SampleOrder", "Items[0].Code", nil, ""},
		{"absolute folder", Options{Package: dir, Type: "Item"}, "shop.Item", "", "Code", nil, ""},
		{"import path", Options{Package: "example.com/shop", Type: "Page[Item]"}, "shop.Page[Item]", "", "Items[0].Code", nil, ""},
		{"named leaf", Options{Package: ".", Type: "Order", Field: "Items[0].Sub[0].Name"}, "shop.Order", "SampleOrder",
			"Items[0].Sub[0].Name", nil, ""},
		{"imported type", Options{Package: ".", Type: "map[string]stamp.Time"}, "shop.map[string]stamp.Time", "", "",
			[]string{`stamp "time"`}, ""},
		{"no such leaf", Options{Package: ".", Type: "Order", Field: "Items[0].Qty"}, "", "", "", nil, "no string lies there"},
		{"no such type", Options{Package: ".", Type: "Oder"}, "", "", "", nil, "did you mean Order?"},
		{"several packages", Options{Package: "./..."}, "", "", "", nil, "one type of one package"},
		{"a file", Options{Package: "shop.go"}, "", "", "", nil, "is a file"},
		{"no folder", Options{Package: "./shop"}, "", "", "", nil,
			"there is no folder ./shop; name a folder (./order) or an import path: `go list ./...` prints"},
		{"standard library", Options{Package: "net/http", Type: "Cookie"}, "", "", "", nil, "standard library"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Dir = dir
			s, err := Resolve(t.Context(), c.o)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			leaf := ""
			if s.Leaf != nil {
				leaf = s.Leaf.Path
			}
			if s.Name != c.subject || s.Sample != c.sample || leaf != c.leaf || !slices.Equal(s.Imports, c.imports) {
				t.Errorf("got %s, sample %q, leaf %q, imports %q", s.Name, s.Sample, leaf, s.Imports)
			}
			if w := s.Work; !slices.Equal(w.Use, []string{dir}) || w.Go != "1.22" || !slices.Equal(w.Godebug, []string{"panicnil=1"}) ||
				w.Mirror != "" {
				t.Errorf("work = %+v", w)
			}
		})
	}
}

func TestLeafGuards(t *testing.T) {
	dir := folder(t)
	write(t, dir, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.22\n", "shop.go": shop})
	s, err := Resolve(t.Context(), Options{Dir: dir, Package: ".", Type: "Order", Field: "Items[0].Sub[0].Name"})
	if err != nil {
		t.Fatal(err)
	}
	for _, guard := range []string{"len((*v).Items) == 0", "(*v).Items[0] == nil", ".Sub[0].Name == nil"} {
		if !strings.Contains(s.Leaf.Body, guard) {
			t.Errorf("the leaf's body lacks the guard %q:\n%s", guard, s.Leaf.Body)
		}
	}
}

func TestWorkspace(t *testing.T) {
	dir := folder(t)
	write(t, dir, map[string]string{
		"go.work":     "go 1.23.4\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/c v1.0.0 => ./c\n\ngodebug panicnil=1\n",
		"go.work.sum": "example.com/x v1.0.0 h1:AAAA=\n",
		"a/go.mod":    "module example.com/a\n\ngo 1.22\n\nrequire example.com/c v1.0.0\n",
		"a/a.go":      "package a\n\nimport (\n\t\"example.com/b\"\n\t\"example.com/c\"\n)\n\ntype A struct {\n\tB b.B\n\tC c.C\n}\n",
		"b/go.mod":    "module example.com/b\n\ngo 1.22.5\n",
		"b/b.go":      "package b\n\ntype B struct{ X string }\n",
		"c/go.mod":    "module example.com/c\n\ngo 1.21\n",
		"c/c.go":      "package c\n\ntype C struct{ Y int }\n",
	})
	env := append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath -cover", "GOWORK=")
	s, err := Resolve(t.Context(), Options{Dir: dir, Package: "./a", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	w := s.Work
	if want := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}; !slices.Equal(w.Use, want) {
		t.Errorf("use %q", w.Use)
	}
	if want := "example.com/c v1.0.0 => " + filepath.Join(dir, "c"); len(w.Replaces) != 1 || w.Replaces[0] != want {
		t.Errorf("replace %q", w.Replaces)
	}
	if w.Go != "1.23.4" || !slices.Equal(w.Godebug, []string{"panicnil=1"}) || !strings.HasPrefix(w.Sum, "example.com/x") {
		t.Errorf("go %s, godebug %q, sum %q", w.Go, w.Godebug, w.Sum)
	}
	if !slices.Contains(w.Env, "GOFLAGS=-trimpath -mod=readonly") {
		t.Errorf("GOFLAGS is not clean: %q", w.Env)
	}
}

func TestHigherGo(t *testing.T) {
	for _, c := range [][3]string{{"1.22", "1.9", "1.22"}, {"", "1.21", "1.21"}, {"1.25rc1", "1.25.0", "1.25.0"},
		{"1.24", "1.24.3", "1.24.3"}} {
		if got := HigherGo(c[0], c[1]); got != c[2] {
			t.Errorf("HigherGo(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestTop: a type's own fields are counted apart from all of its structs.
func TestTop(t *testing.T) {
	number := &ir.Type{Kind: ir.Int}
	inner := &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "A", Exported: true, Type: number}, {Name: "b", Type: number}}}
	outer := &ir.Type{Kind: ir.Struct, Fields: []*ir.Field{{Name: "In", Exported: true, Type: inner},
		{Name: "More", Exported: true, Type: inner}, {Name: "base", Embedded: true, Type: inner}}}
	if all, depth := Shape(outer); Top(outer) != 3 || all != 4 || depth != 2 {
		t.Errorf("%d of %d fields, depth %d", Top(outer), all, depth)
	}
	if Top(&ir.Type{Kind: ir.String}) != 0 {
		t.Error("a string has fields")
	}
}
