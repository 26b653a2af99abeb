package adopt

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shop is a module with two packages, one of which fails its tests.
func shop(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "shop")
	write(t, dir, "go.mod", "module example.org/shop\n\ngo 1.26.0\n")
	write(t, dir, "order/order.go", `// Package order keeps orders.
package order

import (
	"encoding/json"
	"io"
)

// Order is what a customer has ordered.
type Order struct {
	ID    string `+"`json:\"id\"`"+`
	Items []Item `+"`json:\"items\"`"+`
}

// Item is a line of an Order.
type Item struct {
	SKU string
	Qty int
}

// Read reads an order.
func Read(b []byte) (o Order, err error) {
	return o, json.Unmarshal(b, &o)
}

// Write writes any value.
func Write(w io.Writer, v any) error {
	return json.NewEncoder(w).Encode(v)
}
`)
	write(t, dir, "order/order_test.go", `package order

import (
	"os"
	"testing"
)

func TestRead(t *testing.T) {
	if o, err := Read([]byte(`+"`{\"id\":\"a\"}`"+`)); err != nil || o.ID != "a" {
		t.Fatal(o, err)
	}
	if err := os.WriteFile("written.txt", nil, 0o644); err != nil { // as some tests do
		t.Fatal(err)
	}
}
`)
	write(t, dir, "order/warn.go", "package order\n\nimport \"fmt\"\n\nfunc warn() { fmt.Printf(\"%d\\n\", \"x\") }\n")
	write(t, dir, "bill/bill.go", `package bill

import (
	"io"

	"example.org/shop/order"
)

type Bill struct{ Order order.Order }

func Send(w io.Writer, b *Bill) error { return order.Write(w, b) }
`)
	write(t, dir, "bill/bill_test.go", "package bill\n\nimport \"testing\"\n\nfunc TestNever(t *testing.T) { t.Fatal(\"as before\") }\n")
	if err := os.Chmod(filepath.Join(dir, "order/order.go"), 0o640); err != nil {
		t.Fatal(err)
	}
	return dir
}

func options(t *testing.T, dir string) Options {
	t.Helper()
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Dir: dir, Runtime: clone, Doing: func(s string) { t.Log(s) }}
}

// TestRun adopts fxjson in a small module, and takes it back.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module twice")
	}
	t.Setenv("GOWORK", "off")
	dir := shop(t)
	before := hashes(t, dir)
	r, err := Run(t.Context(), options(t, filepath.Join(dir, "order")))
	if err == nil && len(r.Sites) != 2 {
		t.Errorf("the packages are those of the module, not below the folder: %+v", r.Sites)
	}
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	r.Text(&text, 100)
	for _, want := range []string{
		"2 sites change to fxjson", "order/order.go:23  json.Unmarshal(*order.Order)  fxjson.Unmarshal",
		"order/order_json.go: Order", "bill/bill_json.go: Bill", "failed before the change: test TestNever fails",
		"the tests write into the module's folder", "1 of 2 packages",
		"example.org/shop/order: go vet reported before the change: order/warn.go:5:", "after the change (2 tests)",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("the run has changed the tree: %s", differing(before, after))
	}
	if c := r.ByPath("order/order.go"); c == nil ||
		!bytes.Contains(c.After, []byte("//go:generate go tool fxjson -type=Order\n\n// Order is")) ||
		c.Mode != 0o640 {
		t.Errorf("order.go: %+v", c)
	}
	if r.ByPath("order/written.txt") != nil || r.ByPath("order/fxjson_adopt_test.go") == nil {
		t.Error("the patch has what tests wrote, or lacks the test")
	}
	applyAndUndo(t, r, before)
	generateAgain(t, dir)
}

// generateAgain runs go generate in the changed tree: its output is what the patch has.
func generateAgain(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return // the patch was not applied
	}
	before := hashes(t, dir)
	for _, args := range [][]string{{"generate", "./..."}, {"mod", "tidy", "-diff"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("go generate writes other files: %s", differing(before, after))
	}
}

// TestRunStopped stops Run in each of its phases: the tree stays, and the copy is gone.
func TestRunStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	t.Setenv("GOWORK", "off")
	dir := shop(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	before := hashes(t, dir)
	for _, phase := range []string{"copying", "reading", "looking", "requiring", "generating", "recording", "before the change"} {
		ctx, stop := context.WithCancel(t.Context())
		o := options(t, dir)
		met := false
		o.Doing = func(s string) {
			if strings.Contains(s, phase) {
				met = true
				stop()
			}
		}
		_, err := Run(ctx, o)
		stop()
		if !met || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: met %v, %v", phase, met, err)
		}
		if after := hashes(t, dir); !maps.Equal(before, after) {
			t.Errorf("%s: the tree has changed: %s", phase, differing(before, after))
		}
		if left, _ := filepath.Glob(filepath.Join(tmp, copies+"*")); len(left) > 0 {
			t.Errorf("%s: left behind: %s", phase, left)
		}
	}
}

// result is a change without a run.
func result(dir string) *Result {
	return &Result{Codec: "fxjson", Dir: dir, Changes: []Change{
		{Path: "a.go", Before: []byte("package a\n"), After: []byte("package b\n"), Mode: 0o600},
		{Path: "empty.txt", Before: []byte{}, After: []byte("x"), Mode: 0o644},
		{Path: "gone.go", Before: []byte("package a\n\nvar X int"), Mode: 0o644},
		{Path: "new/deep/new.go", After: []byte("package deep\n"), Mode: 0o644},
	}}
}

func resultDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, c := range result(dir).Changes {
		if c.Before != nil {
			write(t, dir, c.Path, string(c.Before))
			if err := os.Chmod(filepath.Join(dir, c.Path), os.FileMode(c.Mode)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func goOn() error { return nil }

func TestApply(t *testing.T) {
	dir := resultDir(t)
	before := hashes(t, dir)
	applyAndUndo(t, result(dir), before)
}

// TestApplyStopped stops Apply before each file: the tree is given back.
func TestApplyStopped(t *testing.T) {
	dir := resultDir(t)
	before := hashes(t, dir)
	for n := range 4 {
		err := Apply(result(dir), func() error {
			if n--; n < 0 {
				return context.Canceled
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if after := hashes(t, dir); !maps.Equal(before, after) {
			t.Errorf("left: %s", differing(before, after))
		}
	}
}

// TestApplyKilled kills a process that applies, at different times: undo gives the tree back from
// whatever it has left, and names nothing half-written.
func TestApplyKilled(t *testing.T) {
	if os.Getenv("ADOPT_APPLY") != "" {
		r := result(os.Getenv("ADOPT_APPLY"))
		big := bytes.Repeat([]byte("// long\n"), 1<<18)
		for i := range r.Changes {
			if r.Changes[i].After != nil {
				r.Changes[i].After = append(slices.Clone(r.Changes[i].After), big...)
			}
		}
		if err := Apply(r, goOn); err != nil {
			t.Fatal(err)
		}
		return
	}
	if runtime.GOOS == "windows" {
		t.Skip("a killed process may hold its files for a while")
	}
	recorded := 0
	for i := range 12 {
		dir := resultDir(t)
		before := hashes(t, dir)
		cmd := exec.Command(os.Args[0], "-test.run=^TestApplyKilled$")
		cmd.Env = append(os.Environ(), "ADOPT_APPLY="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 2000 { // until it has begun
			if _, err := os.Stat(filepath.Join(dir, RecordName("fxjson"))); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if err := Undo(dir, "fxjson"); err != nil {
			t.Fatal(err)
		}
		recorded++
		if after := hashes(t, dir); !maps.Equal(before, after) {
			t.Errorf("after %d ms, left: %s", i, differing(before, after))
		}
	}
	if recorded != 12 {
		t.Errorf("only %d of 12 had begun", recorded)
	}
}

func TestUndoRefuses(t *testing.T) {
	dir := resultDir(t)
	if err := Undo(dir, "fxjson"); err == nil || !strings.Contains(err.Error(), "nothing to undo") {
		t.Error(err)
	}
	if err := Apply(result(dir), goOn); err != nil {
		t.Fatal(err)
	}
	if err := Apply(result(dir), goOn); err == nil || !strings.Contains(err.Error(), "-undo") {
		t.Error(err)
	}
	write(t, dir, "a.go", "package c\n")
	applied := hashes(t, dir)
	if err := Undo(dir, "fxjson"); err == nil || !strings.Contains(err.Error(), "changed since: a.go;") {
		t.Error(err)
	}
	if after := hashes(t, dir); !maps.Equal(applied, after) {
		t.Errorf("a refused undo has changed %s", differing(applied, after))
	}
	for _, bad := range []string{"{", `{"files":[{"path":"../x","before":null,"after":""}]}`} {
		write(t, dir, RecordName("fxjson"), bad)
		if err := Undo(dir, "fxjson"); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestApplyRefuses: a file that changed while the command ran is not overwritten.
func TestApplyRefuses(t *testing.T) {
	dir := resultDir(t)
	write(t, dir, "new/deep/new.go", "package mine\n")
	before := hashes(t, dir)
	if err := Apply(result(dir), goOn); err == nil || !strings.Contains(err.Error(), "new/deep/new.go") {
		t.Error(err)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("a refused change has written %s", differing(before, after))
	}
}

// TestLeftovers: the copy of a process that has ended is removed, that of a living one is not.
func TestLeftovers(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(tmp, copies+strconv.Itoa(cmd.Process.Pid)+"-1")
	mine := filepath.Join(tmp, copies+strconv.Itoa(os.Getpid())+"-1")
	write(t, dead, "x/y", "")
	write(t, mine, "x/y", "")
	if err := os.Chmod(filepath.Join(dead, "x"), 0o555); err != nil {
		t.Fatal(err)
	}
	if removed := Leftovers(); !slices.Equal(removed, []string{dead}) {
		t.Errorf("%q", removed)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// TestBad: what cannot be adopted says what to do.
func TestBad(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	o := options(t, dir)
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "is in no module") {
		t.Error(err)
	}
	write(t, dir, "go.mod", "module example.org/bad\n\ngo 1.26.0\n")
	write(t, dir, "bad.go", "package bad\n\nimport \"encoding/json\"\n\nvar X = json.Marshall(1)\n")
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Changes) > 0 || len(r.Stay) != 1 || !strings.Contains(r.Stay[0].Why, "does not build: undefined: json.Marshall") {
		t.Errorf("%v, %+v", err, r)
	}
	o.Patterns = []string{"fmt"}
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "does not belong to module") {
		t.Error(err)
	}
	o = options(t, dir)
	o.Runtime = dir
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "there is no module github.com/zmylab/zmy") {
		t.Error(err)
	}
}

// TestTree: relative paths of go.mod and go.work lead to the same folders in the copy.
func TestTree(t *testing.T) {
	top := t.TempDir()
	write(t, top, "dep/go.mod", "module example.org/dep\n\ngo 1.25\n")
	write(t, top, "dep/dep.go", "package dep\n\nconst X = 1\n")
	write(t, top, "side/go.mod", "module example.org/side\n\ngo 1.25\n")
	write(t, top, "side/side.go", "package side\n\nconst Y = 2\n")
	write(t, top, "a/shop/go.mod", "module example.org/shop\n\ngo 1.25\n"+
		"\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ../../dep\n")
	write(t, top, "a/shop/shop.go", "package shop\n\nimport (\n\t\"example.org/dep\"\n\t\"example.org/side\"\n)\n\nvar Z = dep.X + side.Y\n")
	write(t, top, "a/shop/node_modules/x/x.js", "")
	write(t, top, "a/shop/.git/config", "")
	write(t, top, "a/go.work", "go 1.25\n\nuse ./shop\nuse ../side\n")
	write(t, top, "a/go.work.sum", "")
	t.Setenv("GOWORK", "")
	pl, err := find(t.Context(), filepath.Join(top, "a/shop"))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTree(pl.dir, pl.work)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if got := tr.mirror(pl.work); got != filepath.Join(filepath.Dir(tr.dir), "go.work") {
		t.Errorf("go.work is at %s, the copy at %s", got, tr.dir)
	}
	cmd := tr.command(t.Context(), &Options{}, "build", "./...")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(tr.dir, ".git")); err == nil {
		t.Error(".git was copied")
	}
	write(t, filepath.Dir(tr.dir), "go.work.sum", "the go command writes it")
	if text, err := os.ReadFile(pl.work + ".sum"); err != nil || len(text) > 0 {
		t.Errorf("go.work.sum of the original is written through: %q, %v", text, err)
	}
	write(t, tr.dir, "new.txt", "x")
	write(t, tr.dir, "shop.go", "package shop\n")
	if err := os.Remove(filepath.Join(tr.dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if touched, err := tr.restore(); err != nil || !slices.Equal(touched, []string{"go.mod", "new.txt", "shop.go"}) {
		t.Errorf("%q, %v", touched, err)
	}
	if all, err := tr.changes(); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestLinks: a file that is a symbolic link stays, since a change would be written into the file
// behind it.
func TestLinks(t *testing.T) {
	t.Setenv("GOWORK", "off")
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, source := filepath.Join(top, "shop"), "package a\n\nimport \"encoding/json\"\n\ntype T struct{ A int }\n\n"+
		"func Write(v T) ([]byte, error) { return json.Marshal(v) }\n"
	write(t, top, "shared.go", source)
	write(t, dir, "go.mod", "module example.org/shop\n\ngo 1.26.0\n")
	write(t, dir, "a/doc.go", "package a\n")
	if err := os.Symlink("../../shared.go", filepath.Join(dir, "a/a.go")); err != nil {
		t.Skip(err)
	}
	out := rewriteIn(t, dir, Options{Patterns: []string{"./..."}})
	if len(out) != 1 || !strings.Contains(string(out[0].Data), "the file is a symbolic link") {
		t.Errorf("%s", out)
	}
	if text, err := os.ReadFile(filepath.Join(top, "shared.go")); err != nil || string(text) != source {
		t.Errorf("the file outside of the module is now %q, %v", text, err)
	}
	if err := os.Rename(filepath.Join(dir, "go.mod"), filepath.Join(top, "real.mod")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real.mod", filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if _, err := newTree(dir, ""); err == nil || !strings.Contains(err.Error(), "go.mod is a symbolic link") {
		t.Errorf("go.mod is a link: %v", err)
	}
}

// TestPatchOfSpaces: git applies a patch of files with spaces in their names.
func TestPatchOfSpaces(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write(t, dir, "my dir/a b.go", "package a\n")
	write(t, dir, "my dir/gone c.go", "package a")
	patch := Patch([]Change{
		{Path: "my dir/a b.go", Before: []byte("package a\n"), After: []byte("package b"), Mode: 0o644},
		{Path: "my dir/gone c.go", Before: []byte("package a"), Mode: 0o644},
		{Path: "my dir/new d.go", After: []byte("package d\n"), Mode: 0o644},
	})
	for _, tool := range [][]string{{"git", "apply", "-"}, {"patch", "-R", "-p1"}, {"patch", "-p1"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			continue
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(patch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s\n%s", tool, err, out, patch)
		}
	}
	for name, want := range map[string]string{"a b.go": "package b", "gone c.go": "", "new d.go": "package d\n"} {
		if text, _ := readFile(filepath.Join(dir, "my dir", name)); string(text) != want {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
	}
}

// TestConstrained: no code is generated for types that some builds do not have.
func TestConstrained(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]bool{"a.go": false, "a_linux.go": true, "a_test_linux_amd64.go": true, "tag.go": true, "not.go": true} {
		text := "// Copyright\n\npackage a\n\n//go:build is a comment here\ntype T struct{}\n"
		switch name {
		case "tag.go":
			text = "//go:build linux || darwin\n\n" + text
		case "not.go":
			text = "//go:build !windows\n\n" + text
		}
		write(t, dir, name, text)
		if got := constrained(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestSince: a report of go vet is a failure if it is new, wherever its line is now.
func TestSince(t *testing.T) {
	before := outcome{vet: []string{"a.go:7:2: x", "a.go:9:2: y"}}
	for _, c := range []struct {
		after outcome
		want  string
	}{
		{outcome{}, ""},
		{outcome{vet: []string{"a.go:8:1: x", "a.go:10:2: y"}}, ""},
		{outcome{vet: []string{"a.go:8:1: x", "a.go:10:2: x"}}, "a.go:10:2: x"},
		{outcome{vet: []string{"b.go:7:2: x"}}, "b.go:7:2: x"},
		{outcome{fails: "test T fails", stage: "test", vet: []string{"a.go:7:2: z"}}, "a.go:7:2: z"},
		{outcome{fails: "test T fails", stage: "test", vet: []string{"a.go:7:2: x"}}, "test T fails"},
		{outcome{fails: "a.go:1: no", stage: "build"}, "a.go:1: no"},
	} {
		if got := c.after.since(before); got.fails != c.want {
			t.Errorf("%+v: %q, want %q", c.after, got.fails, c.want)
		}
	}
}

// TestWorse: a package that had a warning of go vet must still build.
func TestWorse(t *testing.T) {
	order := []outcome{{fails: "x", stage: "build"}, {fails: "x", stage: "vet"}, {fails: "x", stage: "test"}, {}}
	for i, before := range order {
		for k, after := range order {
			if got := after.worse(before); got != (k < i) {
				t.Errorf("%+v after %+v: %v", after, before, got)
			}
		}
	}
}

// TestVendoredByHand: a vendor folder with a change by hand is refused, and the file is named.
func TestVendoredByHand(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "dep/go.mod", "module example.org/dep\n\ngo 1.26.0\n")
	write(t, dir, "dep/dep.go", "package dep\n\nconst X = 1\n")
	write(t, dir, "shop/go.mod", "module example.org/shop\n\ngo 1.26.0\n\n"+
		"require example.org/dep v0.0.0\n\nreplace example.org/dep => ../dep\n")
	write(t, dir, "shop/shop.go", "package shop\n\nimport (\n\t\"encoding/json\"\n\n\t\"example.org/dep\"\n)\n\n"+
		"func F(v any) ([]byte, error) { return json.Marshal(v) }\n\nconst X = dep.X\n")
	cmd := exec.Command("go", "mod", "vendor")
	cmd.Dir = filepath.Join(dir, "shop")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	o := options(t, cmd.Dir)
	o.NoTests = true
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	vendored := func(c Change) bool { return strings.HasPrefix(c.Path, "vendor/github.com/zmylab/zmy/fxjson/") }
	if !slices.ContainsFunc(r.Changes, vendored) {
		t.Errorf("fxjson is not vendored: %+v", r.Sites)
	}
	before := hashes(t, dir)
	for name, text := range map[string]string{"dep.go": "package dep\n\nconst X = 2\n", "more.go": "package dep\n"} {
		path := "shop/vendor/example.org/dep/" + name
		old, err := readFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, path, text)
		want := "vendor/example.org/dep/" + name + " is not as go mod vendor makes it"
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if err := put(dir, path, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("the tree has changed: %s", differing(before, after))
	}
}
