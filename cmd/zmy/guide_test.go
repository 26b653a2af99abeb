package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources are the kinds of blocks that are written to files.
var sources = []string{"go", "rust", "toml", "java", "xml"}

// TestGuide follows the pages of docs/guide in an empty folder, as a reader does: blocks
// `go NAME` (or another of sources) are written to files, blocks `sh` are run (`sh fails` must
// fail; for those of `sh setup` a git that links this tree stands in), and a block `text` behind
// them is what they print, where an ellipsis stands for anything. Sources without a name are
// read only. A page is skipped where a tool that it needs beside Go is missing.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, page := range []struct{ name, needs string }{
		{"native.md", "go"}, {"fxjson.md", "go"}, {"contender.md", "go"}, {"lab.md", "go"}, {"nano.md", "go"}, {"grpc.md", "go"}, {"sse.md", "go"}, {"codec.md", "go"}, {"serve.md", "curl"}, {"rust.md", "cargo"}, {"java.md", "mvn"},
	} {
		t.Run(page.name, func(t *testing.T) {
			if _, err := exec.LookPath(page.needs); err != nil {
				t.Skipf("%s is missing", page.needs)
			}
			followPage(t, page.name)
		})
	}
}

func followPage(t *testing.T, name string) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "guide", name))
	if err != nil {
		t.Fatal(err)
	}
	g := &guide{t: t, dir: t.TempDir(), pwd: filepath.Join(t.TempDir(), "pwd")}
	g.setUp(root, name == "java.md")
	t.Cleanup(func() { stop(g.dir) })
	blocks := fences(string(page))
	for i, b := range blocks {
		kind, arg, _ := strings.Cut(b.info, " ")
		switch {
		case slices.Contains(sources, kind):
			if arg != "" {
				g.write(arg, b.text)
			}
		case kind == "sh":
			want := ""
			if i+1 < len(blocks) && blocks[i+1].info == "text" {
				want = blocks[i+1].text
			}
			g.run(b, arg == "fails", want)
		case kind == "text":
		default:
			t.Errorf("line %d: a block of kind %q", b.line, b.info)
		}
		if t.Failed() {
			return
		}
	}
	if g.ran < 5 {
		t.Errorf("only %d blocks were run", g.ran)
	}
}

// stop ends what a page that failed has left running: whatever has left its id in a file *.pid.
func stop(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.pid")) // the pattern is well-formed
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // it has ended, as a rule
			}
		}
	}
}

// fence is a block between ```info and ```.
type fence struct {
	info, text string
	line       int
}

func fences(page string) (out []fence) {
	var open *fence
	for i, line := range strings.Split(page, "\n") {
		info, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && open == nil:
			open = &fence{info: info, line: i + 1}
		case mark:
			out, open = append(out, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return out
}

type guide struct {
	t   *testing.T
	dir string // the current folder
	pwd string // file in which a script leaves its own
	env []string
	ran int
}

// setUp puts a git on the PATH that clones by a link to this tree, and what the reader
// installs. Go must not ask that git for revisions.
func (g *guide) setUp(root string, java bool) {
	g.t.Helper()
	bin := g.t.TempDir()
	git := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = 'clone https://github.com/zmylab/zmy' ] && exec ln -s '%s' zmy\n", root)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(git), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if java {
		g.setUpJava(root, bin)
	}
	g.env = append(os.Environ(), "GOWORK=", "GOFLAGS=-buildvcs=false", "GOBIN="+bin,
		"CARGO_NET_OFFLINE=true", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func (g *guide) write(name, text string) {
	g.t.Helper()
	if !filepath.IsLocal(name) {
		g.t.Fatalf("a source without a file's name: %q", name)
	}
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// colors are what Maven ends its output with, whatever it is told.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// run runs a block of shell commands; the next one begins in the folder where it ended.
func (g *guide) run(b fence, fails bool, want string) {
	g.t.Helper()
	g.ran++
	cmd := exec.Command("sh", "-e", "-c", b.text+"\npwd >"+g.pwd)
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.CombinedOutput()
	if (err != nil) != fails {
		g.t.Fatalf("line %d: %v\n%s%s", b.line, err, b.text, out)
	}
	out = bytes.ReplaceAll(colors.ReplaceAll(out, nil), []byte("\r\n"), []byte("\n")) // as a terminal shows it
	if want != "" && !pattern(want).Match(out) {
		g.t.Errorf("line %d prints\n%s\nthe page has\n%s", b.line, out, want)
	}
	if pwd, err := os.ReadFile(g.pwd); err == nil {
		g.dir = strings.TrimSpace(string(pwd))
	}
}

// pattern matches a text in which … stands for anything.
func pattern(text string) *regexp.Regexp {
	parts := strings.Split(strings.TrimSpace(text), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(fmt.Sprintf(`(?s)^\s*%s\s*$`, strings.Join(parts, ".*")))
}
