package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/tools/gobench"
)

func TestTable(t *testing.T) {
	const output = `
BenchmarkX/slow-2 	100	 200 ns/op	 64 B/op	 2 allocs/op
BenchmarkX/fast-2 	100	 100 ns/op	 0 B/op	 0 allocs/op
BenchmarkX/fast-2 	100	 200 ns/op	 0 B/op	 0 allocs/op
BenchmarkX/slow-2 	100	 400 ns/op	 64 B/op	 2 allocs/op
BenchmarkX/slow-2 	100	 300 ns/op	 64 B/op	 2 allocs/op
BenchmarkX/fast-2 	100	 150 ns/op	 0 B/op	 0 allocs/op
`
	r, err := gobench.Read(strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	g := Group{"G", "x", "N.", []Line{{"slow", "BenchmarkX/slow"}, {"fast", "BenchmarkX/fast"}}}
	table, err := g.table(r)
	if err != nil {
		t.Fatal(err)
	}
	slow, fast := table.Rows[0], table.Rows[1]
	if v := *slow[1].Value; v < 200 || v > 400 || *slow[1].Lo > v || *slow[1].Hi < v {
		t.Errorf("slow: %g ns", v)
	}
	if slow[2].Value != nil || *slow[3].Value != 64 || *slow[4].Value != 2 {
		t.Errorf("slow: %+v", slow)
	}
	if v := *fast[2].Value; v < 0.4999 || v > 0.5001 { // half of slow's time in every round
		t.Errorf("fast: %g of slow", v)
	}
	g.Lines[1].Name = "BenchmarkX/gone"
	if _, err := g.table(r); err == nil || !strings.Contains(err.Error(), "BenchmarkX/gone has not run") {
		t.Errorf("a benchmark that is not there: %v", err)
	}
}

// TestGroups runs every benchmark once, so that a name that no package has any more is found.
func TestGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs benchmarks of several packages")
	}
	x, err := Measure(t.Context(), Groups, Options{Root: "../..", Budget: time.Millisecond, Rounds: 1, Doing: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Tables) != len(Groups) {
		t.Errorf("%d tables of %d groups", len(x.Tables), len(Groups))
	}
}

func TestDeclares(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       bool
	}{
		{"a.go", "package a\nfunc (e *Encoder) SetSize(n int) {}\ntype Encoder struct{}", true},
		{"a.go", "package a\ntype Options struct{ SetSize int }", true},
		{"a.go", "package a\nvar SetSize = 1", true},
		{"a.go", "package a\ntype SetSize int", true},
		{"a.go", "package a\n// SetSize is only named.\nfunc f() { g(SetSize) }", false},
		{"a.go", "package a\nfunc SetSizes() {}", false},
		{"a_test.go", "package a\nfunc SetSize() {}", false},
		{"a.txt", "func SetSize() {}", false},
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "sub", c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := declares(dir, "SetSize"); err != nil || got != c.want {
			t.Errorf("%s, %q: %t, %v", c.file, c.text, got, err)
		}
	}
}
