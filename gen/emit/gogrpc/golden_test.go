package gogrpc_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/gogrpc"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

func generate(t *testing.T, dir, name string) ([]byte, error) {
	t.Helper()
	pkg, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pkg.Build(name)
	if err != nil {
		return nil, err
	}
	plan, err := check.GRPC(p)
	if err != nil {
		return nil, err
	}
	return gogrpc.Emit(p, plan, gogrpc.Options{By: "zmy gen -grpc -type=" + name})
}

// TestGolden compares with files that are committed. The first is compiled and called by the tests
// of its own module; the second must parse, which the emitter sees to.
func TestGolden(t *testing.T) {
	for _, g := range []struct{ dir, file, name string }{
		{"../../../adapters/grpcx/examples/shop", "orders_grpc.go", "Orders"},
		{"testdata/names", "service_grpc.go.golden", "service"},
		{"testdata/proto", "office_grpc.go.golden", "Office"},
	} {
		t.Run(g.name, func(t *testing.T) {
			got, err := generate(t, g.dir, g.name)
			if err != nil {
				t.Fatal(err)
			}
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
				t.Errorf("%s is not what the generator writes now: run go test -update\n%s", name, got)
			}
		})
	}
}

// TestWrong compares what is said of sources that cannot be services.
func TestWrong(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"Forms", "Named", "Empty", "Generic[M]", "Messages", "M"} {
		_, err := generate(t, "testdata/wrong", name)
		var ps ir.Problems
		if !errors.As(err, &ps) {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range ps.Sort() {
			all.WriteString(p.Error() + "\n")
		}
	}
	const file = "testdata/wrong/stderr"
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("got\n%swant\n%s", all.String(), want)
	}
}
