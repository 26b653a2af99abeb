package java_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/java"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

const root = "../../../"

// goldens are the generated files that are committed, and from what they come. The
// modules around them compile and run them.
var goldens = []struct {
	dir   string // of the Go package
	out   string // root of the sources
	pkg   string
	types string
}{
	{"internal/zmyvector", "java/testee/src/main/java", "io.github.zmylab.zmy.vectors",
		"Scalars,Lists,Maps,Optional,Numbers,Raw,Dynamic,Tree,Cast,V1,V2,V3,Keep1,Keep2,Sparse1,Sparse2,SparseDrop,Retired," +
			"RetiredKeep,Wide,Empty,Order,Tables"},
	{"spec/exchange/v1", "java/exchange/src/main/java", "io.github.zmylab.zmy.exchange.v1", "Order"},
	{"examples/order-lite", "java/bench/src/main/java", "io.github.zmylab.zmy.bench.orderlite", "Order"},
	{"examples/sse", "java/bench/src/main/java", "io.github.zmylab.zmy.bench.sse", "SSEEvent"},
	{"examples/flat", "java/bench/src/main/java", "io.github.zmylab.zmy.bench.person", "Person"},
	{"examples/result", "java/bench/src/main/java", "io.github.zmylab.zmy.bench.result", "Result"},
	{"gen/emit/gobin/testdata/kinds", "java/testee/src/test/java", "io.github.zmylab.zmy.golden.kinds", "All,Every,Visible,Page[Item]"},
	{"gen/emit/gobin/testdata/carriers", "java/testee/src/test/java", "io.github.zmylab.zmy.golden.carriers",
		"V1,V2,V3,Full,Kept,Dropped,S1,S2,SDrop"},
	{"gen/emit/java/testdata/names", "java/testee/src/test/java", "io.github.zmylab.zmy.golden.names", "Match,Old"},
}

func generate(t testing.TB, dir, types, pkg string) (map[string][]byte, error) {
	t.Helper()
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := loaded.Build(strings.Split(types, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.ZMY(p, check.ZMYOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return java.Emit(p, plan, java.Options{By: "zmy gen -type=" + types + " -lang=java -package=" + pkg, Package: pkg})
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.pkg, func(t *testing.T) {
			got, err := generate(t, root+g.dir, g.types, g.pkg)
			if err != nil {
				t.Fatal(err)
			}
			folder := root + g.out + "/" + strings.ReplaceAll(g.pkg, ".", "/")
			if *update {
				if err := write(root+g.out, folder, got); err != nil {
					t.Fatal(err)
				}
			}
			old, err := filepath.Glob(folder + "/*.java")
			if err != nil {
				t.Fatal(err)
			}
			if len(old) != len(got) {
				t.Errorf("%s has %d files, the generator writes %d: run go test -update", folder, len(old), len(got))
			}
			for name, src := range got {
				want, err := os.ReadFile(root + g.out + "/" + name)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(src, want) {
					t.Errorf("%s is not what the generator writes now: run go test -update", name)
				}
			}
		})
	}
}

func write(out, folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, src := range files {
		if err := os.WriteFile(out+"/"+name, src, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Lines are broken as google-java-format does, as far as that is about their length.
func TestLineLength(t *testing.T) {
	for _, g := range goldens {
		files, err := generate(t, root+g.dir, g.types, g.pkg)
		if err != nil {
			t.Fatal(err)
		}
		for name, src := range files {
			for i, line := range strings.Split(string(src), "\n") {
				if len(line) > 100 && !strings.HasPrefix(line, "// Code generated") && !strings.HasPrefix(line, "import ") {
					t.Errorf("%s:%d has %d columns: %s", name, i+1, len(line), line)
				}
			}
		}
	}
}

func TestPackageName(t *testing.T) {
	for name, good := range map[string]bool{
		"shop": true, "com.example.shop": true, "com.example.order_lite2": true,
		"": false, "com..shop": false, "com.Example": false, "com.example.": false, "2com": false, "a-b": false, "com.class": false,
	} {
		_, err := generate(t, root+"examples/result", "Result", name)
		if (err == nil) != good {
			t.Errorf("package %q: %v", name, err)
		}
	}
}

// Records are made by a constructor, which takes 255 words of arguments at most.
func TestTooWide(t *testing.T) {
	dir := t.TempDir()
	var src strings.Builder
	src.WriteString("package wide\n\ntype Wide struct {\n")
	for i := range 130 {
		fmt.Fprintf(&src, "\tF%d int64 `zmy:\"%d\"`\n", i, i)
	}
	src.WriteString("}\n")
	for name, text := range map[string]string{"wide.go": src.String(), "go.mod": "module example.org/wide\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := generate(t, dir, "Wide", "wide")
	if err == nil || !strings.Contains(err.Error(), "wide.go:3:6: Wide: more fields than a record of Java can have") {
		t.Errorf("130 longs: %v", err)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"ID": {"id", "ID"}, "UserID": {"userId", "USER_ID"}, "HTTPServer": {"httpServer", "HTTP_SERVER"}, "A_b": {"aB", "A_B"},
		"V2": {"v2", "V2"}, "Sparse1": {"sparse1", "SPARSE1"}, "_": {"field", ""}, "Él": {"él", "ÉL"}, "SKU9Code": {"sku9Code", "SKU9_CODE"},
	} {
		if got := [2]string{java.Camel(name), java.Constant(name)}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The library beside the generator knows its version.
func TestVersion(t *testing.T) {
	src, err := os.ReadFile(root + "java/zmy/src/main/java/io/github/zmylab/zmy/wire/Generated.java")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("int NEWEST = %d;", java.Version); !strings.Contains(string(src), want) {
		t.Errorf("Generated.java does not say %q, which the generator writes code for", want)
	}
}
