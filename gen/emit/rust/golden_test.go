package rust_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/rust"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

const root = "../../../"

// goldens are the generated files that are committed, and from what they come. The
// crates around them compile and run them.
var goldens = []struct {
	dir   string // of the Go package
	file  string
	types string
}{
	{"internal/zmyvector", "rust/testee/src/vectors.rs",
		"Scalars,Lists,Maps,Optional,Numbers,Raw,Dynamic,Tree,Cast,V1,V2,V3,Keep1,Keep2,Sparse1,Sparse2,SparseDrop,Retired," +
			"RetiredKeep,Wide,Empty,Order,Tables"},
	{"examples/order-lite", "rust/zmy/tests/golden/order_lite.rs", "Order"},
	{"examples/result", "rust/zmy/tests/golden/result.rs", "Result"},
	{"examples/sse", "rust/zmy/tests/golden/sse.rs", "SSEEvent"},
	{"examples/flat", "rust/zmy/tests/golden/flat.rs", "Person"},
	{"gen/emit/gobin/testdata/kinds", "rust/zmy/tests/golden/kinds.rs", "All,Every,Visible,Page[Item]"},
	{"gen/emit/gobin/testdata/carriers", "rust/zmy/tests/golden/carriers.rs", "V1,V2,V3,Full,Kept,Dropped,S1,S2,SDrop"},
	{"gen/emit/rust/testdata/names", "rust/zmy/tests/golden/names.rs", "Match,Old"},
	{"gen/emit/rust/testdata/wide", "rust/zmy/tests/golden/wide.rs", "Shapes"},
	{"internal/zmyvector", serde, "Cast,Dynamic,Keep1"},
}

// serde is the one whose types have its derives.
const serde = "rust/zmy/tests/golden/derived.rs"

func generate(t testing.TB, dir, types string, opt rust.Options) (name string, src []byte, err error) {
	t.Helper()
	pkg, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pkg.Build(strings.Split(types, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.ZMY(p, check.ZMYOptions{})
	if err != nil {
		t.Fatal(err)
	}
	opt.By = "zmy gen -type=" + types + " -lang=rust -package=" + opt.Module
	if opt.Serde {
		opt.By += " -serde"
	}
	return rust.Emit(p, plan, opt)
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.file, func(t *testing.T) {
			module := strings.TrimSuffix(filepath.Base(g.file), ".rs")
			name, got, err := generate(t, root+g.dir, g.types, rust.Options{Module: module, Serde: g.file == serde})
			if err != nil {
				t.Fatal(err)
			}
			if name != module+".rs" {
				t.Errorf("the file is called %s", name)
			}
			if *update {
				if err := os.WriteFile(root+g.file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(root + g.file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes now: run go test -update", g.file)
			}
		})
	}
}

// What rustfmt would write differently, a user's editor would change on every save.
func TestFormatted(t *testing.T) {
	if _, err := exec.LookPath("rustfmt"); err != nil {
		t.Skip("rustfmt is not here")
	}
	for _, g := range goldens {
		out, err := exec.Command("rustfmt", "--check", "--edition", "2021", root+g.file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", g.file, err, out)
		}
	}
}

func TestModuleName(t *testing.T) {
	for name, good := range map[string]bool{
		"shop": true, "order_lite": true, "v2": true, "": true, // that of the package
		"2v": false, "Shop": false, "a-b": false, "a.b": false, "type": false, "_": false, "self": false,
	} {
		_, _, err := generate(t, root+"examples/result", "Result", rust.Options{Module: name})
		if (err == nil) != good {
			t.Errorf("module %q: %v", name, err)
		}
	}
}

func TestSerdeArrays(t *testing.T) {
	_, _, err := generate(t, root+"gen/emit/rust/testdata/names", "Match", rust.Options{Serde: true})
	want := "[40]float64 has more than the 32 elements"
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "in.go:") {
		t.Errorf("%v, want %s", err, want)
	}
}

// A type that other crates must not spell out has the attribute, and no other line changes.
func TestNonExhaustive(t *testing.T) {
	dir := root + "gen/emit/rust/testdata/wide"
	_, plain, err := generate(t, dir, "Shapes", rust.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := generate(t, dir, "Shapes", rust.Options{NonExhaustive: true})
	if err != nil {
		t.Fatal(err)
	}
	const attribute = "#[non_exhaustive]\n"
	types := bytes.Count(plain, []byte("\npub struct ")) + bytes.Count(plain, []byte("\npub enum "))
	types -= bytes.Count(plain, []byte("<'a>(rt::Raw<'a>);\n")) // nobody can spell out a view, whose field is private
	if n := bytes.Count(got, []byte(attribute)); n != types {
		t.Errorf("%d of %d types are non_exhaustive", n, types)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte(attribute), nil), plain) {
		t.Error("other lines changed too")
	}
}
