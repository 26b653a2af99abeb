package gobin_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gobin"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldens are the generated files that are committed, and from what they come.
// Other tests of this package run their code.
var goldens = []struct {
	dir    string
	file   string
	types  []string
	derive bool
}{
	{dir: "testdata/kinds", file: "zmy_gen.go", types: []string{"All", "Every", "Visible", "Page[Item]"}},
	{dir: "testdata/versions", file: "zmy_gen.go", types: []string{"V1", "V2", "V3"}},
	{dir: "testdata/carriers", file: "zmy_gen.go", types: []string{"V1", "V2", "V3", "Full", "Kept", "Dropped", "S1", "S2", "SDrop"}},
	{dir: "../../../internal/zmycase", file: "order_zmy.go",
		types: []string{"Order", "SSE", "Result", "Case", "Node", "Fat", "Point3List", "Point2List", "KeepList", "Forms", "Drawing", "Thin"}},
}

func generate(t testing.TB, dir string, derive bool, types ...string) []byte {
	t.Helper()
	pkg, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pkg.Build(types...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.ZMY(p, check.ZMYOptions{Derive: derive})
	if err != nil {
		t.Fatal(err)
	}
	src, err := gobin.Emit(p, plan, gobin.Options{By: "zmy gen -type=" + strings.Join(types, ",")})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.dir, func(t *testing.T) {
			got := generate(t, g.dir, g.derive, g.types...)
			name := filepath.Join(g.dir, g.file)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes now: run go test -update", name)
			}
		})
	}
}
