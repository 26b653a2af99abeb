package semantics

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/lab/contender"
)

var update = flag.Bool("update", false, "write the table of docs/guide/fxjson.md anew")

// tableGo is the Go whose encoding/json the table of the guide is about. Others decode in other ways,
// which fxjson follows.
const tableGo = "go1.27"

// TestTable runs the libraries through the cases and compares fxjson with encoding/json, and under
// tableGo the guide with what all of them did.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs with other modules")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program(t, dir, root)
	results := map[string][]string{}
	for _, l := range Libraries {
		out := command(t, dir, filepath.Join(dir, "semantics"), l)
		var list []string
		if err := json.Unmarshal(out, &list); err != nil {
			t.Fatalf("%s: %v\n%s", l, err, out)
		}
		results[l] = list
	}
	names := strings.Split(strings.TrimSuffix(string(command(t, dir, filepath.Join(dir, "semantics"), "names")), "\n"), "\n")
	for i, name := range names {
		if have, want := results["fxjson"][i], results["encoding/json"][i]; have != want {
			t.Errorf("%s: fxjson %s, encoding/json %s", name, have, want)
		}
	}
	if v := runtime.Version(); !strings.HasPrefix(v, tableGo) {
		if *update {
			t.Fatalf("-update needs %s, and this is %s: set GOTOOLCHAIN=go1.27.1", tableGo, v)
		}
		t.Logf("the guide's table is of %s, and this is %s: it was not compared", tableGo, v)
		return
	}
	guide := filepath.Join(root, "docs", "guide", "fxjson.md")
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)\| case \| encoding/json .*?\n\| \*\*the same\*\* [^\n]*\n`)
	want := Table(names, results)
	if !table.Match(page) {
		t.Fatalf("%s has no table; this is it:\n%s", guide, want)
	}
	if *update {
		page = table.ReplaceAllLiteral(page, []byte(want))
		if err := os.WriteFile(guide, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have := string(table.Find(page)); have != want {
		t.Errorf("%s is not what the libraries do; refresh it with go test ./tools/semantics -update:\n%s", guide, want)
	}
}

// program builds the program of testdata: the types as they are, with easyjson's code
// and with fxjson's.
func program(t *testing.T, dir, root string) {
	t.Helper()
	module(t, dir, root)
	copyFile(t, filepath.Join("testdata", "main.go"), filepath.Join(dir, "main.go"), "", "")
	for _, p := range []string{"plain", "easy", "fx"} {
		if err := os.Mkdir(filepath.Join(dir, p), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"types.go", "own.go", "cases.go"} {
			copyFile(t, filepath.Join("testdata", "cases", f), filepath.Join(dir, p, f), "package cases", "package "+p)
		}
	}
	command(t, filepath.Join(dir, "easy"), "go", "run", "github.com/mailru/easyjson/easyjson", "-all", "types.go")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	p, err := load.Load(context.Background(), load.Config{Dir: filepath.Join(dir, "fx")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, c := range p.Candidates() {
		switch c.Name {
		case "Library", "Case", "ByPointer", "Broken":
		default:
			types = append(types, c.Name)
		}
	}
	f, err := gen.JSON(p, types, gen.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	command(t, dir, "go", "build", "-o", "semantics", ".")
}

// module writes go.mod and go.sum with the versions that the lab measures.
func module(t *testing.T, dir, root string) {
	t.Helper()
	text := fmt.Appendf(nil, "module zmylab.invalid/semantics\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace "+
		"github.com/zmylab/zmy => %s\n",
		modfile.AutoQuote(root))
	var sum []byte
	for _, l := range []string{"goccy", "sonic", "jsoniter", "easyjson"} {
		files, err := contender.Adapter(l)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = contender.JoinMods(text, files["go.mod"]); err != nil {
			t.Fatal(err)
		}
		sum = append(sum, files["go.sum"]...)
	}
	for name, text := range map[string][]byte{"go.mod": text, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to, old, new string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if old != "" {
		text = []byte(strings.Replace(string(text), old, new, 1))
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		var text []byte
		if e, ok := err.(*exec.ExitError); ok {
			text = e.Stderr
		}
		t.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return out
}
