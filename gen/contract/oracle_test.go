package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/load"
)

// oracleModule makes a module for a program that draws values and validates documents. It requires
// a validator of JSON Schema, at a pinned version, which this project's own modules do not.
func oracleModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"draw.go", "oracle.mod", "oracle.sum"} {
		text, err := os.ReadFile(filepath.Join("testdata/oracle", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "oracle.mod" {
			text = bytes.ReplaceAll(text, []byte("CORE"), []byte(core))
		}
		write(t, dir, strings.NewReplacer("oracle.mod", "go.mod", "oracle.sum", "go.sum").Replace(name), string(text))
	}
	t.Setenv("GOWORK", "off")
	if out, err := goCommand(t, dir, "list", "-deps", "github.com/santhosh-tekuri/jsonschema/v6"); err != nil {
		for _, s := range []string{"dial tcp", "no such host", "i/o timeout", "connection refused", "network is unreachable", "GOPROXY=off"} {
			if strings.Contains(out, s) {
				t.Skipf("the module proxy cannot be reached: %s", out)
			}
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func goCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// described is a package with its record and its schema.
type described struct {
	record *contract.File
	schema string
}

func describe(t *testing.T, dir string, types ...string) described {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	record, err := gen.RecordJSON(p, types)
	if err != nil {
		t.Fatal(err)
	}
	files, err := gen.Lang(p, types, gen.LangOptions{Lang: "jsonschema"})
	if err != nil {
		t.Fatal(err)
	}
	return described{record, string(files[0].Src)}
}

// enumsOf is Go source that lists constants for the program that draws values. path is the import
// path of the package.
func enumsOf(path string, f *contract.File) (src string) {
	for _, x := range f.Types {
		if x.Kind == contract.Enum {
			var list []string
			for _, v := range x.Values {
				list = append(list, v.Text)
			}
			name := x.Name
			if !strings.Contains(name, ".") {
				name = path + "." + name
			}
			src += fmt.Sprintf("\tenums[%q] = %#v\n", name, list)
		}
	}
	return src
}

// verdict is what the program found out about an edit.
type verdict struct{ Name, Readers, Writers string }

var edited = flag.String("edit", "", "a part of the names of the edits that TestEdits makes; all by default")

// TestEdits holds the comparison against programs that really read and write: an edit breaks
// exactly if documents of one version are refused or read as something else by the other one.
func TestEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package for each edit")
	}
	dir := oracleModule(t)
	base, err := os.ReadFile("testdata/golden/shop/in.go")
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile("testdata/oracle/main.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "main.go", string(main))
	write(t, dir, "c00/base.go", strings.Replace(string(base), "package shop", "package c00", 1))
	old := describe(t, filepath.Join(dir, "c00"), "Order")
	parsed, err := contract.Parse(old.record.Text())
	if err != nil {
		t.Fatal(err)
	}
	imports := "\t\"reflect\"\n\t\"example.org/oracle/c00\"\n"
	body := enumsOf("example.org/oracle/c00", old.record)
	said := map[string][]contract.Change{}
	for i, e := range edits {
		if !strings.Contains(e.name, *edited) {
			continue
		}
		src := string(base)
		for j := 0; j < len(e.change); j += 2 {
			if strings.Count(src, e.change[j]) != 1 {
				t.Fatalf("%s: %q occurs %d times", e.name, e.change[j], strings.Count(src, e.change[j]))
			}
			src = strings.Replace(src, e.change[j], e.change[j+1], 1)
		}
		pkg := fmt.Sprintf("c%02d", i+1)
		write(t, dir, pkg+"/edited.go", strings.Replace(src, "package shop", "package "+pkg, 1))
		now := describe(t, filepath.Join(dir, pkg), "Order")
		said[e.name] = contract.Compare(parsed, now.record)
		imports += fmt.Sprintf("\t\"example.org/oracle/%s\"\n", pkg)
		body += enumsOf("example.org/oracle/"+pkg, now.record)
		body += fmt.Sprintf("\tpairs = append(pairs, pair{%q, reflect.TypeFor[c00.Order](), reflect.TypeFor[%s.Order](), "+
			"[2]string{%q, %q}, %v})\n", e.name, pkg, old.schema, now.schema, e.fxjson)
	}
	write(t, dir, "pairs.go", "package main\n\nimport (\n"+imports+")\n\nvar pairs []pair\n\nfunc init() {\n"+body+"}\n")
	out, err := goCommand(t, dir, "run", ".")
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	facts := map[string]verdict{}
	for line := range strings.Lines(out) {
		var v verdict
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		facts[v.Name] = v
	}
	counts := map[contract.Level]int{}
	for _, e := range edits {
		if !strings.Contains(e.name, *edited) {
			continue
		}
		t.Run(e.name, func(t *testing.T) { counts[judge(t, e, said[e.name], facts[e.name])]++ })
	}
	t.Logf("%d edits that break, %d that warn, %d that are safe", counts[contract.Error], counts[contract.Warning], counts[contract.Safe])
	if *edited == "" && (counts[contract.Error] < 40 || counts[contract.Safe] < 40) {
		t.Errorf("at least 40 of each are wanted")
	}
}

// judge compares what the comparison says of an edit with the facts, and returns the worst level.
func judge(t *testing.T, e edit, changes []contract.Change, fact verdict) contract.Level {
	t.Helper()
	worst, side := contract.Safe, contract.Side(0)
	var ids []string
	for _, c := range changes {
		worst, side = max(worst, c.Level), side|c.Side
		ids = append(ids, c.ID)
		if c.Level > contract.Safe && c.ID != "TYPE_REMOVED" && (c.Pos.File == "" || c.Pos.Line == 0) {
			t.Errorf("%s has no position", c.ID)
		}
	}
	if e.rule != "" && !slices.Contains(ids, e.rule) {
		t.Errorf("rule %s is missing: %v", e.rule, ids)
	}
	want := contract.Safe
	for _, r := range contract.Rules() {
		if r.ID == e.rule {
			want = r.Level
		}
	}
	if worst != want {
		t.Errorf("the worst level is %s, want %s: %v", worst, want, ids)
	}
	breaks := fact.Readers != "" || fact.Writers != ""
	switch {
	case worst == contract.Error && !breaks:
		t.Errorf("%v, but all documents are understood", ids)
	case worst == contract.Safe && breaks:
		t.Errorf("%v are safe, but\nreaders: %s\nwriters: %s", ids, fact.Readers, fact.Writers)
	case fact.Readers != "" && side&contract.Readers == 0:
		t.Errorf("%v does not concern readers, but %s", ids, fact.Readers)
	case fact.Writers != "" && side&contract.Writers == 0:
		t.Errorf("%v does not concern writers, but %s", ids, fact.Writers)
	}
	return worst
}
