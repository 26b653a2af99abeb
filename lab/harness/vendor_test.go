package harness

import (
	"os"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/worker"
)

// TestVendored: a package whose requirements lie in its vendor folder, and nowhere
// else, is measured with what lies there.
func TestVendored(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := writeTree(t, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire example.com/money v1.2.3\n\nrequire example.com/money/cents " +
			"v0.1.0 // indirect\n",
		"order.go": "package shop\n\nimport \"example.com/money\"\n\n// Order is measured.\ntype Order struct {\n\tID    " +
			"string\n\tTotal money.Amount\n}\n",
		"vendor/modules.txt": "# example.com/money v1.2.3\n## explicit; go 1.22\nexample.com/money\nexample.com/money/internal/names\n" +
			"# example.com/money/cents v0.1.0\n## explicit; go 1.22\nexample.com/money/cents\n",
		"vendor/example.com/money/money.go": "package money\n\nimport (\n\t_ " +
			"\"embed\"\n\n\t\"example.com/money/cents\"\n\t\"example.com/money/internal/names\"\n)\n\n" +
			"//go:embed data/rate.txt\nvar Rate string\n\ntype Amount struct {\n\tCents    cents.Cents\n\tCurrency names.Name\n}\n",
		"vendor/example.com/money/data/rate.txt":           "1.1\n",
		"vendor/example.com/money/internal/names/names.go": "package names\n\ntype Name string\n",
		"vendor/example.com/money/cents/cents.go":          "package cents\n\ntype Cents int64\n",
	})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	before := treeHash(t, dir)
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: dir, Package: ".", Type: "Order"})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(t.Context(), Config{Subject: s, Sources: os.DirFS(".."), TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	built, err := w.Build(t.Context(), reflective(t, "std-json"), &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr})
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if a, err := p.Do(t.Context(), worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 4}, 0); err != nil || a.Values.N != 4 {
		t.Errorf("%+v, %v", a, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if treeHash(t, dir) != before {
		t.Error("the user's tree was changed")
	}
}
