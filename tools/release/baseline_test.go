package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// baselined is a package with a declaration of each kind, and how the baseline writes them.
const baselined = `package zmy

import "io"

type hidden struct{ Deep int }

type File struct {
	hidden
	Name string ` + "`json:\"n\"`" + `
	secret func()
}

func (f File) Size(of ...string) (n int, err error) { return 0, nil }
func (f *File) Close() error                        { return nil }
func (f *File) close()                              {}

type Store[K comparable] interface {
	io.Closer
	Get(key K) (value []byte, ok bool)
}

type Level uint8

const Max Level = 3

var Default *File

func Each[T any](list []T, do func(item T, at int) bool) {}

func private() {}
`

var declared = []string{
	"const Max Level = 3",
	"field File.Deep int",
	"field File.Name string",
	"func Each[T any]([]T, func(T, int) bool)",
	"method (*File) Close() error",
	"method (File) Size(...string) (int, error)",
	"type File (not comparable) struct",
	"type Level uint8",
	"type Store[K comparable] interface{ Close() error; Get(K) ([]byte, bool) }",
	"var Default *File",
}

// TestBaseline: the file has every exported declaration, and nothing else. Additions pass. What goes or
// changes is named, one declaration at a time.
func TestBaseline(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.work"), "go 1.25\n\nuse (\n\t.\n\t./lab\n)\n")
	write(t, filepath.Join(dir, "go.mod"), "module "+root+"\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "a.go"), baselined)
	write(t, filepath.Join(dir, "internal/x/x.go"), "package x\n\nfunc X() {}\n")
	write(t, filepath.Join(dir, "lab/go.mod"), "module "+root+"/lab\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "lab/lab.go"), "package lab\n\nfunc Lab() {}\n")
	if _, err := CheckBaseline(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "make api-update") {
		t.Errorf("without a baseline: error %v", err)
	}
	if err := WriteBaseline(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(dir, Baseline))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, files %v, want one: the lab's packages are not promised", err, files)
	}
	_, got, _ := strings.Cut(text(t, filepath.Join(dir, Baseline, "zmy.txt")), "\npackage "+root+"\n")
	if want := strings.Join(declared, "\n") + "\n"; got != want {
		t.Fatalf("the baseline is\n%s\nwant\n%s", got, want)
	}

	for _, c := range []struct {
		old, new string
		gone     []string // what is said of each declaration
		added    int
	}{
		{"", "", nil, 0},
		{"func private() {}", "func Public() {}", nil, 1},
		{"key K", "k K", nil, 0},
		{"secret func()", "Secret func()", nil, 1},
		{"secret func()", "secret int", []string{"type File (not comparable) struct: is now: type File struct"}, 1},
		{"const Max Level = 3", "const Max Level = 4", []string{"const Max Level = 3: is now: const Max Level = 4"}, 1},
		{"io.Closer", "io.ReadCloser", []string{"type Store[K comparable] interface{ Close() error; Get(K) ([]byte, bool) }: is now: " +
			"type Store[K comparable] interface{ Close() error; Get(K) ([]byte, bool); Read([]byte) (int, error) }"}, 1},
		{"(f *File) Close()", "(f *File) Shut()", []string{"method (*File) Close() error: is gone"}, 1},
		{"(f File) Size", "(f *File) Size", []string{"method (File) Size(...string) (int, error): is now: " +
			"method (*File) Size(...string) (int, error)"}, 1},
		{"Deep int", "deep int", []string{"field File.Deep int: is gone"}, 0},
	} {
		write(t, filepath.Join(dir, "a.go"), strings.Replace(baselined, c.old, c.new, 1))
		d, err := CheckBaseline(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		for i := range c.gone {
			c.gone[i] = root + ": " + c.gone[i]
		}
		if d.Held != len(declared) || d.Added != c.added || !slices.Equal(d.Gone, c.gone) {
			t.Errorf("%q: %d held, %d added, gone %q; want %d, %d, %q", c.new, d.Held, d.Added, d.Gone, len(declared), c.added, c.gone)
		}
	}
	if err := os.Rename(filepath.Join(dir, "a.go"), filepath.Join(dir, "internal/x/a.go")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "internal/x/x.go"), "package zmy\n")
	write(t, filepath.Join(dir, "b/b.go"), "package b\n")
	d, err := CheckBaseline(t.Context(), dir)
	if err != nil || len(d.Gone) != 1+len(declared) || d.Gone[0] != root+": the package is gone" || d.Added != 1 {
		t.Errorf("a package that is internal now, and one more: %v, %+v", err, d)
	}
}

// TestOwner: a package belongs to the module with the longest path.
func TestOwner(t *testing.T) {
	all := []*Module{{Path: root}, {Path: root + "/adapters/grpcx"}, {Path: root + "/adapters/grpcx/load"}}
	for pkg, want := range map[string]int{root: 0, root + "/codec": 0, root + "/adapters/grpcx/a": 1, root + "/adapters/grpcx/load/msg": 2,
		root + "/adapters/grpcx/loader": 1} {
		if m := owner(all, pkg); m != all[want] {
			t.Errorf("%s belongs to %s", pkg, m.Path)
		}
	}
}
