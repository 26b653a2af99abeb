package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes the files of an archive in testdata/zmy into a new folder.
func unpack(t *testing.T, name string) (string, *txtar.Archive) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata/zmy", name))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "shop")
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			write(t, dir, f.Name, string(f.Data))
		}
	}
	return dir, a
}

// step runs one step of the change to ZMY, and returns its result and report.
func step(t *testing.T, dir, to string, change func(*Options)) (*Result, string) {
	t.Helper()
	o := options(t, dir)
	o.To = to
	if change != nil {
		change(&o)
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r.Text(&b, 160)
	return r, strings.ReplaceAll(b.String(), o.Runtime, "CLONE")
}

// TestZMY changes two services and a cache from JSON to ZMY in two steps, and takes both back.
func TestZMY(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module four times")
	}
	t.Setenv("GOWORK", "off")
	dir, a := unpack(t, "services.txtar")
	before := hashes(t, dir)
	got := &txtar.Archive{}
	report := func(name, text string) {
		got.Files = append(got.Files, txtar.File{Name: "want/" + name, Data: []byte(text)})
	}

	early, text := step(t, dir, ZMYWrite, nil)
	report("early", text)
	if len(early.Changes) > 0 || len(early.Blocked) == 0 {
		t.Errorf("writers change before readers: %d changes, blocked by %q", len(early.Changes), early.Blocked)
	}
	read, text := step(t, dir, ZMYRead, nil)
	report("read", text)
	report("read.patch", readable(read))
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("the run has changed the tree: %s", differing(before, after))
	}
	applyAndUndo(t, read, before) // leaves the change applied by git
	hasGit(t)
	middle := hashes(t, dir)
	if again, _ := step(t, dir, ZMYRead, nil); len(again.Changes) > 0 {
		t.Errorf("a second run changes %+v", again.Sites)
	}
	writing, text := step(t, dir, ZMYWrite, nil)
	report("write", text)
	report("write.patch", readable(writing))
	applyAndUndo(t, writing, middle)
	test := exec.Command("go", "test", "./...")
	test.Dir = dir
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	kept := &txtar.Archive{Comment: a.Comment}
	want := map[string]string{}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "want/") {
			want[f.Name] = string(f.Data)
		} else {
			kept.Files = append(kept.Files, f)
		}
	}
	if *update {
		kept.Files = append(kept.Files, got.Files...)
		if err := os.WriteFile("testdata/zmy/services.txtar", txtar.Format(kept), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range got.Files {
		if want[f.Name] != strings.TrimRight(string(f.Data), "\n")+"\n" {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, f.Data, want[f.Name])
		}
	}
}

func hasGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the rest needs a git that applies the patch")
	}
}

// readable is the part of a patch that somebody reads, without go.mod, which names folders.
func readable(r *Result) string {
	var b strings.Builder
	read, _ := r.Read()
	for _, c := range read {
		if c.Path != "go.mod" {
			b.Write(c.Patch())
		}
	}
	return b.String()
}

// TestZMYRefusals: places that stay, with the reasons, and what the caller can name.
func TestZMYRefusals(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	t.Setenv("GOWORK", "off")
	dir, _ := unpack(t, "refusals.txtar")
	stubs, err := filepath.Abs("testdata/stubs")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", strings.ReplaceAll(string(mod), "STUBS", stubs))
	before := hashes(t, dir)
	quick := func(o *Options) { o.NoTests = true }
	has := func(text string, wants ...string) {
		t.Helper()
		var lacks []string
		for _, want := range wants {
			if !strings.Contains(text, want) {
				lacks = append(lacks, want)
			}
		}
		if lacks != nil {
			t.Errorf("the report lacks %q:\n%s", lacks, text)
		}
	}
	show := func(o *Options) { o.NoTests, o.Sites = true, []string{placeOf(t, dir, "NewEncoder(w)")} }
	read, text := step(t, dir, ZMYRead, show)
	has(text, "3 sites change", "json.Unmarshal(*a.Numbered)", "json.Unmarshal(*a.Kept)", "dual.NewDecoder",
		"ZMY does not fit a.local: it is declared inside a function", "ZMY does not fit a.Page[int]: it is an instance of a generic type",
		"ZMY does not fit mq.Stamp: it belongs to another module",
		"ZMY does not fit a.Func: a/a.go:20:15: field F: func(int) has no wire type",
		"ZMY does not fit a.Changing: JSON gives another value than ZMY: Changing.A: 7 vs",
		"messages of ZMY are structs, and this reads *[]a.Plain",
		"nothing that marshals a.Plain can change: a/a.go:60: only Marshal and Encode have a counterpart",
		"its encoder or decoder is kept in a field or passed on", "the decoder is passed on or kept")
	has(text, "ZMY does not fit a.Loose: JSON and ZMY give Loose.X[", "name the type in the command")
	_, text = step(t, dir, ZMYRead, func(o *Options) { quick(o); o.Types = []string{"a.Loose"} })
	has(text, "1 site changes", "json.Unmarshal(*a.Loose)", "a/a.go: readers must take both types of a value: JSON and ZMY give Loose.X[")
	if err := Apply(read, goOn); err != nil {
		t.Fatal(err)
	}
	writing, text := step(t, dir, ZMYWrite, quick)
	has(text, "1 site changes", "json.Marshal(*a.Numbered)  dual.Marshal; the bytes go to (*example.org/mq.Client).Publish",
		"a.Kept is read as JSON only in a/a.go:88", "a.Goccy is read as JSON only in b/b.go:9", "it is written to an HTTP response",
		"name "+placeOf(t, dir, "NewEncoder(w)")+" in the command", "nothing in the module unmarshals a.Elsewhere")
	for _, want := range []string{"a.Goccy is read as JSON only in b/b.go:9", "a.Kept is read as JSON only in a/a.go:88"} {
		if !slices.Contains(writing.Blocked, want) {
			t.Errorf("%q lacks %q", writing.Blocked, want)
		}
	}
	_, text = step(t, dir, ZMYWrite, show)
	has(text, "2 sites change", "json.NewEncoder(…).Encode(a.Shown)  dual.NewEncoder; the bytes go to net/http.ResponseWriter")
	_, text = step(t, dir, ZMYWrite, func(o *Options) { quick(o); o.Types = []string{"a.Elsewhere"} })
	has(text, "0 sites change",
		"a.Elsewhere has no code of ZMY; generate it with zmy gen -derive -type=Elsewhere", "another type was asked for")
	_, text = step(t, dir, ZMYWrite, func(o *Options) { quick(o); o.Patterns = []string{"./b"} })
	has(text, "0 sites change")
	o := options(t, dir)
	o.To, o.Sites = ZMYWrite, []string{"a/a.go:1"}
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "a/a.go:1: no call there marshals or unmarshals JSON") {
		t.Error(err)
	}
	if err := Apply(writing, goOn); err != nil {
		t.Fatal(err)
	}
	if err := Undo(dir, ZMYRead); err == nil || !strings.Contains(err.Error(), "first run zmy adopt zmy -write -undo") {
		t.Error(err)
	}
	if err := errors.Join(Undo(dir, ZMYWrite), Undo(dir, ZMYRead)); err != nil {
		t.Fatal(err)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("undo has left other files: %s", differing(before, after))
	}
}

// placeOf returns the place of a text in a/a.go.
func placeOf(t *testing.T, dir, text string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "a/a.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, text) {
			return fmt.Sprintf("a/a.go:%d", i+1)
		}
	}
	t.Fatalf("a/a.go lacks %q", text)
	return ""
}
