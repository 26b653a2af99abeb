package gojson

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/check"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "write the generated files of fxjson's tests anew")

// typesDir holds the types on which package fxjson compares with encoding/json.
var typesDir = filepath.Join("..", "..", "..", "fxjson", "internal", "jsontypes")

// generate emits code for types of the package in dir.
func generate(t *testing.T, dir string, opt Options, exprs ...string) []byte {
	t.Helper()
	p, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := p.Build(exprs...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.JSON(pkg)
	if err != nil {
		t.Fatal(err)
	}
	src, err := Emit(pkg, plan, opt)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// golden are the generated files of the types, by name.
var golden = map[string][]string{
	"session_json.go": {"Session"},
	"kinds_json.go": {"SSEEvent", "Result", "Scalars", "Composites", "Dynamic", "Methods", "Options", "AllOptional", "Empty",
		"Embedded", "Folded", "Node", "Tree", "List", "Page[Point]", "Pages", "private", "Prices", "Status", "Color"},
	"holders_json.go":  {"Holders", "QuotedMethods", "Behind", "Beside", "KeysOut", "Keepers", "Stopped", "Bare"},
	"inline_json.go":   {"InlineAny", "InlineOnly", "InlineRaw", "InlineDeep", "InlineTwice", "InlineShallow", "Unknowns", "InlineHidden"},
	"intern_json.go":   {"Interned", "InternedEvent", "PlainEvent"},
	"required_json.go": {"Required", "RequiredItem", "RequiredMany"},
	"more_json.go":     {"Quoted", "Keys", "Conflicts", "Wide", "Shapes", "Strange", "StrangeName", "StrangeKeys", "StrangeFold"},
}

func TestGolden(t *testing.T) {
	for name, exprs := range golden {
		got := generate(t, typesDir, Options{By: "fxjson -type=" + strings.Join(exprs, ",")}, exprs...)
		file := filepath.Join(typesDir, name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is generated now; refresh it with go test ./emit/gojson -update", name)
		}
	}
}

// TestGoldenTiny is TestGolden for the types of jsontiny.
func TestGoldenTiny(t *testing.T) {
	exprs := []string{"Order", "Small", "Quoted", "Optional", "Empty", "Tree", "List", "Strict"}
	dir := filepath.Join(typesDir, "..", "tinytypes")
	got := generate(t, dir, Options{By: "fxjson -type=" + strings.Join(exprs, ",") + " -tiny", Tiny: true}, exprs...)
	file := filepath.Join(dir, "order_json.go")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is generated now; refresh it with go test ./emit/gojson -update", file)
	}
}

// TestGoldenOneWay is TestGolden for code that does one of the two.
func TestGoldenOneWay(t *testing.T) {
	dir := filepath.Join(typesDir, "..", "onewaytypes")
	for only, expr := range map[string]string{"encode": "Out", "decode": "In"} {
		got := generate(t, dir, Options{By: "fxjson -type=" + expr + " -only=" + only, Only: only}, expr)
		file := filepath.Join(dir, strings.ToLower(expr)+"_json.go")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is generated now; refresh it with go test ./emit/gojson -update", file)
		}
	}
}

// TestSize keeps the output small: a struct of twelve fields with another of
// seven inside.
func TestSize(t *testing.T) {
	src := generate(t, typesDir, Options{By: "fxjson -type=Session"}, "Session")
	if n := bytes.Count(src, []byte("\n")); n > 400 {
		t.Errorf("Session takes %d lines, want 400 at most", n)
	}
}
