package gen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

// module makes a module with the given package, in a new folder that becomes
// the current one.
func module(t *testing.T, name string, files map[string]string) {
	t.Helper()
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	writeFile(t, "go.mod", []byte("module example.org/"+name+"\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace "+
		"github.com/zmylab/zmy => "+core+"\n"))
	for file, src := range files {
		writeFile(t, file, []byte(src))
	}
}

// Code generated for a type that has changed since does not compile, and the
// compiler's first line says which type changed and what to do.
func TestChangedTypeDoesNotCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	const src = `package model

type Order struct {
	ID     string        ` + "`zmy:\"0\" json:\"id\"`" + `
	Status Status        ` + "`zmy:\"1\"`" + `
	Items  []Item        ` + "`zmy:\"2\"`" + `
	Tags   Tags          ` + "`zmy:\"3\"`" + `
	Done   func()        ` + "`zmy:\"-\"`" + `
}

type Item struct {
	Sku string ` + "`zmy:\"0\"`" + `
	Qty int32  ` + "`zmy:\"1\"`" + `
}

type Status int32

type Tags map[string]string
`
	module(t, "model", map[string]string{"model.go": src})
	var out bytes.Buffer
	if code := cli.ZMY([]string{"-type=Order"}, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	build := func() string {
		t.Helper()
		got, err := exec.Command("go", "build", "./...").CombinedOutput()
		if err == nil {
			return ""
		}
		return string(got)
	}
	if got := build(); got != "" {
		t.Fatalf("unchanged:\n%s", got)
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"type of a field", "Qty int32", "Qty int64", "changedRunGoGenerate (variable of struct type Item)"},
		{"type of equal size", "Qty int32", "Qty uint32", "variable of struct type Item"},
		{"number", `zmy:"1"` + "`\n}", `zmy:"2"` + "`\n}", "variable of struct type Item"},
		{"option", `Sku string ` + "`" + `zmy:"0"`, `Sku string ` + "`" + `zmy:"0,deprecated"`, "variable of struct type Item"},
		{"order", "Sku string `zmy:\"0\"`\n\tQty int32  `zmy:\"1\"`", "Qty int32  `zmy:\"1\"`\n\tSku string `zmy:\"0\"`",
			"variable of struct type Item"},
		{"numbers exchanged", "Sku string `zmy:\"0\"`\n\tQty int32  `zmy:\"1\"`", "Sku string `zmy:\"1\"`\n\tQty int32  `zmy:\"0\"`",
			"variable of struct type Item"},
		{"name", "Qty int32", "Count int32", "variable of struct type Item"},
		{"field added", "type Item struct {", "type Item struct {\n\tNote string `zmy:\"2\"`", "variable of struct type Item"},
		{"field added without a tag", "type Item struct {", "type Item struct {\n\tnote string", "variable of struct type Item"},
		{"field removed", "\tQty int32  `zmy:\"1\"`\n", "", "variable of struct type Item"},
		{"named integer", "Status int32", "Status int64", "cannot convert changedRunGoGenerate (variable of type *Status) to type *int32"},
		{"named map", "map[string]string", "map[string][]byte", "(variable of type *Tags)"},
		{"field beside a func", "ID     string ", "ID     Status ", "variable of struct type Order"},
	} {
		changed := strings.Replace(src, c.old, c.new, 1)
		if changed == src {
			t.Fatalf("%s: nothing to change", c.name)
		}
		writeFile(t, "model.go", []byte(changed))
		lines := strings.Split(build(), "\n")
		if len(lines) < 2 {
			t.Errorf("%s: it compiles", c.name)
			continue
		}
		if first := lines[1]; !strings.Contains(first, c.says) || !strings.Contains(first, "order_zmy.go") ||
			!strings.Contains(first, "changedRunGoGenerate") {
			t.Errorf("%s: the compiler says first\n%s\nwhich does not have %q", c.name, first, c.says)
		}
	}
	// What does not concern the messages may change.
	for _, c := range []struct{ name, old, new string }{
		{"comment", "type Item struct {", "// Item is a line.\ntype Item struct {"},
		{"method", "type Status int32", "type Status int32\n\nfunc (s Status) String() string { return \"\" }"},
	} {
		writeFile(t, "model.go", []byte(strings.Replace(src, c.old, c.new, 1)))
		if got := build(); got != "" {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
	// The same for JSON, where tags and names count and the order of fields too.
	writeFile(t, "model.go", []byte(src))
	if err := os.Remove("order_zmy.go"); err != nil {
		t.Fatal(err)
	}
	if code := cli.FXJSON([]string{"-type=Item"}, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	if got := build(); got != "" {
		t.Fatalf("unchanged:\n%s", got)
	}
	for _, c := range []struct{ name, old, new string }{
		{"type", "Qty int32", "Qty int64"},
		{"tag", "Sku string `", "Sku string `json:\"sku\" "},
		{"name", "Qty int32", "Count int32"},
		{"added", "type Item struct {", "type Item struct {\n\tNote string"},
	} {
		writeFile(t, "model.go", []byte(strings.Replace(src, c.old, c.new, 1)))
		first, _, _ := strings.Cut(strings.TrimPrefix(build(), "# example.org/model\n"), "\n")
		if !strings.Contains(first, "item_json.go") || !strings.Contains(first, "changedRunGoGenerate (variable of struct type Item)") {
			t.Errorf("JSON, %s: the compiler says first\n%s", c.name, first)
		}
	}
}
