package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLabBadInput: what cannot work says what, where, why and what next, what is
// merely unusual works; the user's tree stays as it was and nothing is left behind.
func TestLabBadInput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const mod = "module example.com/m\n\ngo 1.24\n"
	files := func(pairs ...string) map[string]string {
		out := map[string]string{"go.mod": mod}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	strct := func(fields string) string { return "package m\n\ntype T struct {\n\tID string\n" + fields + "}\n" }
	for _, c := range []struct {
		name  string
		files map[string]string
		dir   string // of the package
		codec string // gob by default
		docs  string // file of -sample, "" without
		env   []string
		code  int
		holds []string
	}{
		{name: "package does not compile", files: files("m.go", strct(""), "f.go", "package m\n\nfunc f() int { return \"no int\" }\n"),
			code: exitContender, holds: []string{"./f.go:3:23: cannot use \"no int\"", "go build example.com/m"}},
		{name: "no go.mod", files: map[string]string{"m.go": strct("")}, code: exitUsage, holds: []string{"go.mod"}},
		{name: "channel", files: files("m.go", strct("\tCh chan int\n")), code: exitContender,
			holds: []string{"T.Ch has type chan int (m.go:5)", "no wire form", "json:\"-\""}},
		{name: "function", files: files("m.go", strct("\tF func()\n")), code: exitContender, holds: []string{"T.F has type func() (m.go:5)"}},
		{name: "complex number", files: files("m.go", strct("\tC complex128\n")), codec: "goccy", code: exitContender,
			holds: []string{"JSON has no complex numbers"}},
		{name: "nothing exported", files: files("m.go", "package m\n\ntype T struct{ id string }\n"), code: exitContender,
			holds: []string{"no values to measure on", "unexported fields only", "func SampleT(*rand.Rand) T"}},
		{name: "interface with methods", files: files("m.go", "package m\n\nimport \"fmt\"\n\ntype T struct {\n\tID string\n\tS  "+
			"fmt.Stringer\n}\n"),
			code: exitOK, holds: []string{"lossless except S (fmt.Stringer), untested", "gob"}}, // a nil interface is carried
		{name: "channel", files: files("m.go", "package m\n\ntype T struct {\n\tID string\n\tC  chan int\n}\n"),
			code: exitContender, holds: []string{"std-json skipped: T.C has type chan int (m.go:5)", "no codec could be measured"}},
		{name: "tags of codecs", files: files("m.go", strct("\tNote string `msgpack:\"-\"`\n\tN int `cbor:\"-\"`\n")),
			codec: "msgpack,shamaton,cbor,gob",
			code:  exitOK, holds: []string{"fidelity 1 lossless · 3 normalised"}},
		{name: "init that exits", files: files("m.go", strct(""), "i.go", "package m\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc "+
			"init() { fmt.Println(\"no licence\"); os.Exit(3) }\n"),
			code: exitContender, holds: []string{"no values to measure on", "exit status 3", "no licence", "init functions"}},
		{name: "broken documents", files: files("m.go", strct(""), "docs.json", `{"ID":`), docs: "docs.json", code: exitContender,
			holds: []string{"docs.json:1: the document ends early", "mend the documents of -sample"}},
		{name: "module that cannot be fetched", files: files("m.go", strct("")), codec: "goccy",
			env:  []string{"GOPROXY=off", "GOFLAGS=-modcacherw", "GOMODCACHE=" + t.TempDir()},
			code: exitContender, holds: []string{"goccy skipped: a module it needs is not on this machine", "GOPROXY=off",
				"go mod download github.com/goccy/go-json@"}},
		{name: "vendor folder", env: []string{"GOPROXY=off", "GOFLAGS=-mod=vendor"}, files: map[string]string{
			"go.mod": mod + "\nrequire example.com/dep v1.0.0\n", "m.go": "package m\n\nimport \"example.com/dep\"\n\ntype T struct{ D dep.D }\n",
			"vendor/modules.txt":          "# example.com/dep v1.0.0\n## explicit; go 1.24\nexample.com/dep\n",
			"vendor/example.com/dep/d.go": "package dep\n\ntype D struct{ X string }\n",
		}, code: exitOK, holds: []string{"m.T", "gob"}},
		{name: "go.work with replace, broken test", dir: "a", files: map[string]string{
			"go.work":     "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/c v1.0.0 => ./c\n",
			"a/go.mod":    "module example.com/a\n\ngo 1.24\n\nrequire example.com/c v1.0.0\n",
			"a/a.go":      "package a\n\nimport (\n\t\"example.com/b\"\n\t\"example.com/c\"\n)\n\ntype T struct {\n\tB b.B\n\tC c.C\n}\n",
			"a/a_test.go": "package a\n\nfunc broken( {\n",
			"b/go.mod":    "module example.com/b\n\ngo 1.24\n", "b/b.go": "package b\n\ntype B struct{ X string }\n",
			"c/go.mod": "module example.com/c\n\ngo 1.24\n", "c/c.go": "package c\n\ntype C struct{ Y int }\n",
		}, code: exitOK, holds: []string{"a.T", "derived from declaration order", "gob"}},
		{name: "path with a space and brackets", dir: "my [old] code", files: map[string]string{
			"my [old] code/go.mod": mod, "my [old] code/m.go": strct(""), "my [old] code/m_test.go": "package m\n\nfunc broken( {\n",
		}, code: exitOK, holds: []string{"m.T", "gob"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, tmp := writeTree(t, c.files), t.TempDir()
			out := filepath.Join(t.TempDir(), "out")
			before := treeHash(t, root)
			t.Setenv("TMPDIR", tmp)
			t.Setenv("GOWORK", "")
			t.Setenv("GOFLAGS", "")
			for _, e := range c.env {
				name, value, _ := strings.Cut(e, "=")
				t.Setenv(name, value)
			}
			codec := c.codec
			if codec == "" {
				codec = "gob"
			}
			var text bytes.Buffer
			args := []string{"lab", filepath.Join(root, c.dir), "-type", "T", "-codecs", codec, "-budget", "300ms", "-n", "8", "-o", out}
			if c.docs != "" {
				args = append(args, "-sample", filepath.Join(root, c.docs))
			}
			code := dispatch(t.Context(), &console{&text, &text}, args)
			if code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			said := strings.Join(strings.Fields(text.String()), " ") // lines are wrapped
			for _, want := range c.holds {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			if treeHash(t, root) != before {
				t.Error("the user's tree changed")
			}
			if left := leftovers(t, tmp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if _, err := os.Stat(out); (err == nil) != strings.Contains(said, "report "+out) {
				t.Errorf("the report's folder: %v", err)
			}
			if t.Failed() {
				t.Log("\n" + text.String())
			}
		})
	}
}

// TestReportFolder: what cannot be written is said early, what was there stays.
func TestReportFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := writeTree(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": "package m\n\ntype T struct{ Ch chan int }\n", "file": ""})
	var out bytes.Buffer
	c := &console{&out, &out}
	if code := dispatch(t.Context(), c, []string{"lab", dir, "-o", filepath.Join(dir, "file", "o")}); code != exitUsage ||
		!strings.Contains(out.String(), "the report's folder cannot be made") {
		t.Errorf("exit %d:\n%s", code, &out)
	}
	cache := writeTree(t, map[string]string{"cache/download/x": "", "example.com/m@v1.0.0/m.go": "package m\n"})
	out.Reset()
	before := treeHash(t, cache)
	if code := dispatch(t.Context(), c, []string{"lab", dir, "-o",
		filepath.Join(cache, "example.com", "m@v1.0.0", "zmylab")}); code != exitUsage ||
		!strings.Contains(out.String(), "is in the module cache") || treeHash(t, cache) != before {
		t.Errorf("a report in the module cache: exit %d:\n%s", code, &out)
	}
	own := t.TempDir()
	dispatch(t.Context(), c, []string{"lab", dir, "-o", own})
	if _, err := os.Stat(own); err != nil {
		t.Errorf("an empty folder of the user's went: %v", err)
	}
}
