package site

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

const clone = "../.."

// TestSources: every guide is in the navigation, and no link between Markdown files is dead.
func TestSources(t *testing.T) {
	faults, err := Sources(clone)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
}

// TestSourcesFinds: Sources reports what is wrong.
func TestSourcesFinds(t *testing.T) {
	tree := files(t, map[string]string{
		"docs/site/data/site.yaml": "doors: [{name: Run, path: run, items: [{page: docs/guide/a.md}, {page: docs/guide/gone.md}]}]",
		"README.md":                "# Front\n\n[a](docs/guide/a.md#parts-of-ab) [up](../outside.md)\n",
		"README.zh-CN.md":          "# 首页\n\n## 生成\n\n[x](#生成)\n",
		"docs/guide/a.md":          "# A\n\n## Parts of `a.b`\n\n[dead](nothing.md) [x](#parts-of-a) ![p](p.png) `[code](code.md)` [web](https://x.org/y)\n",
		"docs/guide/b.md":          "# B\n",
		"spec/FORMAT.md":           "# F\n",
		"docs/results/o/report.md": "# R\n\n[r](other.md)\n",
		"docs/site/content/own.md": "# not a page of the repository\n",
	})
	faults, err := Sources(tree)
	if err != nil {
		t.Fatal(err)
	}
	same(t, faults,
		"README.md: link to ../outside.md: there is no such file",
		"docs/guide/a.md: link to #parts-of-a: no heading of the page has this anchor",
		"docs/guide/a.md: link to nothing.md: there is no such file",
		"docs/guide/a.md: link to p.png: there is no such file",
		"docs/results/o/report.md: link to other.md: there is no such file",
		"docs/site/data/site.yaml: docs/guide/b.md is behind no door; add it to the items of one",
		"docs/site/data/site.yaml: docs/guide/gone.md cannot be read",
		"docs/site/data/site.yaml: spec/FORMAT.md is behind no door; add it to the items of one")
}

// TestCheck: Check reports what is wrong with pages.
func TestCheck(t *testing.T) {
	const good = `<!doctype html><html lang="en"><title>t</title><h1>x</h1>`
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"good": {good + `<p>a<p>b<ul><li>c</ul><a href="guide/b.html#s">b</a><img src="p.png" alt="p"><a href="#s" id="s">s</a>` +
			`<script src="../versions.js"></script><a href="https://git.example/r/blob/v1/go.mod#L1">m</a>`, nil},
		"no file": {good + `<a href="guide/c.html">c</a>`, []string{
			"a.html: below /, link to guide/c.html: there is no such file", "a.html: below /zmy/, link to guide/c.html: there is no such file"}},
		"absolute": {good + `<a href="/v1/guide/b.html">b</a>`, []string{
			"a.html: below /zmy/, link to /v1/guide/b.html: it leaves the version"}},
		"no anchor": {good + `<a href="guide/b.html#t">b</a>`, []string{
			"a.html: below /, link to guide/b.html#t: the page has no such anchor",
			"a.html: below /zmy/, link to guide/b.html#t: the page has no such anchor"}},
		"repository": {good + `<a href="https://git.example/r/blob/v1/gone.go">g</a><a href="https://git.example/r/edit/main/x.md">e</a>`, []string{
			"a.html: link to https://git.example/r/blob/v1/gone.go: the repository has no such file",
			"a.html: link to https://git.example/r/edit/main/x.md: the repository has no such file"}},
		"ids":    {good + `<p id="s"><p id="s">`, []string{`a.html: two elements have the id "s"`}},
		"open":   {good + `<div>`, []string{"a.html: <div> is not closed"}},
		"closed": {good + `<b>x</i></b>`, []string{"a.html: </i> closes nothing; open is [html b]"}},
		"heads": {`<html><img src="p.png">`, []string{"a.html: 0 headings h1", "a.html: <html> has no lang",
			"a.html: image p.png has no alt", "a.html: no <title>"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := files(t, map[string]string{"a.html": tt.page, "guide/b.html": good + `<h2 id="s">s</h2>`, "p.png": "p"})
			tree := files(t, map[string]string{"go.mod": "module x"})
			same(t, Check(Pages{Dir: dir, Tree: tree, Repository: "https://git.example/r", Version: "v1"}), tt.want...)
		})
	}
	empty := t.TempDir()
	same(t, Check(Pages{Dir: empty}), empty+": no pages")
}

// TestGallery: every run has a report and a card.
func TestGallery(t *testing.T) {
	work := t.TempDir()
	if err := Gallery(clone, work); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(work, "data/reports.json"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := filepath.Glob(clone + "/docs/results/*/run.json")
	if err != nil || len(runs) == 0 {
		t.Fatal("no runs", err)
	}
	for _, run := range runs {
		name := filepath.Base(filepath.Dir(run))
		if !strings.Contains(string(list), `"folder": "`+name+`"`) {
			t.Errorf("%s has no card", name)
		}
		page, err := os.ReadFile(filepath.Join(work, "static/results", name, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		if d := parse(page); len(d.faults) > 0 {
			t.Errorf("%s: %v", name, d.faults)
		}
	}
	for _, text := range []string{`"title": "order.Order"`, `"name": "zmy 4.`, "Both ends Go: zmy. JSON must stay: fxjson."} {
		if !strings.Contains(string(list), text) {
			t.Errorf("no card has %s", text)
		}
	}
}

// TestPictures: the picture of the terminal is what the run prints today, and both are small.
func TestPictures(t *testing.T) {
	r, err := readRun(clone)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Terminal(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(clone, TerminalSVG)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the run prints: run make pictures (%v)", TerminalSVG, err)
	}
	first := r.Cells[slices.IndexFunc(r.Cells, func(c *run.Cell) bool { return c.Codec == "zmy" && c.Op == "encode" && c.Mode == "fresh" })]
	for _, text := range []string{">$</text>", "lab ./examples/flat -type Person",
		">zmy</text>", fmt.Sprintf(">%.1f</text>", first.Ratio.Point), "<rect x=", "▶ Both ends Go: zmy"} {
		if !bytes.Contains(want, []byte(text)) {
			t.Errorf("the picture has no %q", text)
		}
	}
	for _, name := range []string{TerminalSVG, ReportPNG} {
		if s, err := os.Stat(filepath.Join(clone, name)); err != nil || s.Size() == 0 || s.Size() > 200<<10 {
			t.Errorf("%s: %v, or not between 1 byte and 200 KiB", name, err)
		}
	}
}

func TestBarOf(t *testing.T) {
	for text, want := range map[string]float64{"█": 1, "▏": 0.125, "█▌": 1.5, "█▌ ": 0, "▌a": 0, "": 0, "■": 0} {
		if got := barOf(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestClear: Build removes an old site and nothing else.
func TestClear(t *testing.T) {
	old := files(t, map[string]string{"versions.js": "", "main/index.html": "x"})
	if err := clear(old); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(old); err != nil || len(left) != 1 || left[0].Name() != "versions.js" {
		t.Error(left, err)
	}
	other := files(t, map[string]string{"thesis.md": "x"})
	if err := clear(other); err == nil || !strings.Contains(err.Error(), "other files than a site") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(other, "thesis.md")); err != nil {
		t.Error(err)
	}
}

// TestVersions: releases that have a site, newest first, and the working tree.
func TestVersions(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		self := []string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}
		cmd := exec.Command("git", append(self, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "before there was a site")
	git("tag", "v0.1.0")
	if err := write(filepath.Join(root, folder, "hugo.yaml"), nil); err != nil {
		t.Fatal(err)
	}
	git("add", ".")
	git("commit", "-q", "-m", "site")
	for _, tag := range []string{"v0.9.0", "v0.10.0", "v0.11.0-rc.1", "gen/v0.10.0", "vision"} {
		git("tag", tag)
	}
	all, err := Versions(t.Context(), root)
	if want := []string{"v0.10.0", "v0.9.0", Main}; err != nil || !slices.Equal(all, want) {
		t.Errorf("%v, %v; want %v", all, err, want)
	}
	tree := t.TempDir()
	if err := extract(t.Context(), root, "v0.9.0", tree); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tree, folder, "hugo.yaml")); err != nil {
		t.Error(err)
	}
}

// files makes a folder.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		if err := write(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// same compares faults, in any order.
func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
