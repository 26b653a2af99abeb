package protofile_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/emit/protofile"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the golden files anew")

func generate(t *testing.T, dir, pkg string, types ...string) (string, error) {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.BuildDeriving(types...)
	if err != nil {
		return "", err
	}
	file, _, err := check.ProtoFile(k, pkg, nil)
	if err != nil {
		return "", err
	}
	return string(protofile.Emit(file, protofile.Options{By: "zmy gen -lang=proto"})), nil
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the generator writes now: run go test -update\n%s", name, got)
	}
}

// tests has the types of package fxprototest, whose file its own tests compare with fxproto.
const tests = "../../../adapters/protox/internal/fxprototest"

func TestGolden(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(tests, "types.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile(`reflect\.TypeFor\[(\w+)\]`).FindAllStringSubmatch(string(src), -1) {
		all = append(all, m[1])
	}
	got, err := generate(t, tests, "fxprototest.v1", all...)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join(tests, "types.proto"), got)
	if got, err = generate(t, "testdata/shop", "", "Order", "Orders"); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/shop/shop.proto", got)
}

// TestWrong compares what is said of types that have no .proto file.
func TestWrong(t *testing.T) {
	var all strings.Builder
	for _, c := range []struct{ pkg, types string }{
		{"", "Untagged"}, {"", "ZMY"}, {"", "Names"}, {"", "Reserved"}, {"", "Kinds"}, {"", "Service"}, {"shop.v1", "Service"},
		{"", "Enums"}, {"", "Form"}, {"", "Word"}, {"", "Arms"}, {"", "Named"}, {"a b", "Kinds"}, {"1.2", "Kinds"},
	} {
		_, err := generate(t, "testdata/wrong", c.pkg, strings.Fields(c.types)...)
		if err == nil {
			t.Errorf("%s: no error", c.types)
			continue
		}
		var ps ir.Problems
		if errors.As(err, &ps) {
			err = ps.Sort()
		}
		all.WriteString("# -type=" + c.types + " -package=" + c.pkg + "\n" + err.Error() + "\n")
	}
	golden(t, "testdata/wrong/stderr", all.String())
}
