package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/experiment/stores/server"
)

// sources are the kinds of blocks that are written to files.
var sources = []string{"go", "rust", "toml", "java", "xml", "conf", "groovy", "ts", "proto"}

// needs are tools beside Go without which a page is skipped.
var needs = map[string]string{"serve.md": "curl", "rust.md": "cargo", "java.md": "mvn", "stores.md": "redis-server"}

// TestGuide follows the README and every page of docs/guide that begins with a clone, in an empty
// folder, as a reader does: blocks `go NAME` (or another of sources) are written to files, blocks
// `sh` are run (`sh fails` must fail, `sh long` are run by make long), and a block `text` behind
// them is what they print, where an ellipsis stands for anything. Sources without a name and `text
// example` are read only.
//
// Pages run beside each other, as many as -parallel allows; -v tells how long each block takes.
// Everything of this tree is compiled under its own path, by which the go command finds it again in
// its cache: see shell and resolve.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	pages, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for _, file := range append(pages, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("\n"+clone+"\n")) {
			continue
		}
		followed++
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tool := needs[name]; tool != "" {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is missing", tool)
				}
			}
			if needs[name] == "redis-server" {
				if err := server.Installed("redis"); err != nil {
					t.Skip(err)
				}
			}
			if needs[name] == "cargo" {
				fetchCrates(t)
			}
			followPage(t, name, string(text))
		})
	}
	if followed < 19 {
		t.Errorf("only %d pages have a line %q", followed, clone)
	}
}

// TestChinese: the Chinese README has the blocks of the English one, which TestGuide follows.
func TestChinese(t *testing.T) {
	var blocks [2][]fence
	for i, name := range []string{"../../README.md", "../../README.zh-CN.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks[i] = fences(string(text))
	}
	if len(blocks[0]) != len(blocks[1]) {
		t.Fatalf("%d blocks in English, %d in Chinese", len(blocks[0]), len(blocks[1]))
	}
	for i, b := range blocks[0] {
		if zh := blocks[1][i]; zh.info != b.info || zh.text != b.text {
			t.Errorf("line %d of README.zh-CN.md differs from line %d of README.md:\n%s", zh.line, b.line, zh.text)
		}
	}
}

// clone is the command that pages begin with, for which a link to this tree stands in.
const clone = "git clone https://github.com/zmylab/zmy"

func followPage(t *testing.T, name, page string) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	g := &guide{t: t, root: root, dir: t.TempDir(), pwd: filepath.Join(t.TempDir(), "pwd")}
	g.setUp(name == "java.md")
	t.Cleanup(func() { stop(g.dir) })
	blocks := fences(ownPorts(t, page))
	for i, b := range blocks {
		kind, arg, _ := strings.Cut(b.info, " ")
		switch {
		case slices.Contains(sources, kind):
			if arg != "" {
				g.write(arg, b.text)
			}
		case kind == "sh" && arg == "long" && !longtest.Asked():
		case kind == "sh":
			if strings.Contains(b.text, "until grep -q ") {
				t.Errorf("line %d: grep -q says so where the file is not there yet; use grep -qs", b.line)
			}
			want := ""
			if i+1 < len(blocks) && blocks[i+1].info == "text" {
				want = blocks[i+1].text
			}
			g.run(b, arg == "fails", want)
			if arg == "setup" && name == newReader {
				g.emptyModules()
			}
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

// fetchCrates fetches the crates that the Rust workspace locks, as a reader's first build does. Cargo
// resolves a page's own crate without the network afterwards.
func fetchCrates(t *testing.T) {
	t.Helper()
	cmd := exec.Command("cargo", "fetch", "--quiet", "--locked")
	cmd.Dir = "../../rust"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cargo fetch: %v\n%s", err, out)
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

// address is one of this machine with a port of the page's choice.
var address = regexp.MustCompile(`127\.0\.0\.1:[1-9]\d*`)

// ownPorts gives each address of a page another port, which is free here: pages run beside each other.
func ownPorts(t *testing.T, page string) string {
	t.Helper()
	free := map[string]string{}
	for _, a := range address.FindAllString(page, -1) {
		if free[a] != "" {
			continue
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }() // when all have theirs, so that they differ
		free[a] = l.Addr().String()
	}
	return address.ReplaceAllStringFunc(page, func(a string) string { return free[a] })
}

type guide struct {
	t    *testing.T
	root string // of this tree
	dir  string // the current folder
	pwd  string // file in which a script leaves its own
	env  []string
	ran  int

	downloaded bool // some block has downloaded a module
}

// setUp puts a git on the PATH that clones by a link to this tree, and what the reader
// installs. Go must not ask that git for revisions.
func (g *guide) setUp(java bool) {
	g.t.Helper()
	bin := g.t.TempDir()
	git := fmt.Sprintf("#!/bin/sh\n[ \"git $*\" = '%s' ] && exec ln -s '%s' zmy\n", clone, g.root)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(git), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if java {
		g.setUpJava(bin)
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

// shell precedes each block: in the clone, which is a link, go runs where the link leads. What it compiles
// there is in its cache for all pages and tests, which goes by the paths of folders.
const shell = `go() { (cd -P . && exec go "$@"); }
`

// replaced is a replacement in a go.mod by a folder.
var replaced = regexp.MustCompile(`(?m)=> (\.\S*)$`)

// resolve names the folders of this tree in the go.mod of the page's modules by their own path, for the same
// reason. A path that leads nowhere, or elsewhere, stays.
func (g *guide) resolve() {
	g.t.Helper()
	here, _ := filepath.Glob(filepath.Join(g.dir, "go.mod")) // the patterns are well-formed
	below, _ := filepath.Glob(filepath.Join(g.dir, "*", "go.mod"))
	for _, name := range append(here, below...) {
		if real, err := filepath.EvalSymlinks(name); err != nil || strings.HasPrefix(real, g.root) {
			continue
		}
		old, err := os.ReadFile(name)
		if err != nil {
			g.t.Fatal(err)
		}
		text := replaced.ReplaceAllStringFunc(string(old), func(s string) string {
			folder, _ := strings.CutPrefix(s, "=> ")
			real, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(name), folder))
			if err != nil || !strings.HasPrefix(real, g.root) {
				return s
			}
			return "=> " + real
		})
		if text == string(old) {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			g.t.Fatal(err)
		}
	}
}

// run runs a block of shell commands; the next one begins in the folder where it ended.
func (g *guide) run(b fence, fails bool, want string) {
	g.t.Helper()
	g.ran++
	g.resolve()
	begin := time.Now()
	cmd := exec.Command("sh", "-e", "-c", shell+b.text+"\npwd >"+g.pwd)
	cmd.Dir, cmd.Env = g.dir, append(g.env, "PWD="+g.dir)
	out, err := cmd.CombinedOutput()
	g.t.Logf("line %d: %.1f s", b.line, time.Since(begin).Seconds())
	if (err != nil) != fails {
		g.t.Fatalf("line %d: %v\n%s%s", b.line, err, b.text, out)
	}
	g.downloaded = g.downloaded || bytes.Contains(out, []byte("go: downloading "))
	out = bytes.ReplaceAll(colors.ReplaceAll(out, nil), []byte("\r\n"), []byte("\n")) // as a terminal shows it
	if want != "" && !pattern(want).Match(withoutChatter(out)) {
		g.t.Errorf("line %d prints\n%s\nthe page has\n%s", b.line, out, want)
	}
	if pwd, err := os.ReadFile(g.pwd); err == nil {
		g.dir = strings.TrimSpace(string(pwd))
	}
}

// pattern matches a text in which … stands for anything.
func pattern(text string) *regexp.Regexp {
	parts := strings.Split(strings.TrimSpace(string(withoutChatter([]byte(text)))), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(fmt.Sprintf(`(?s)^\s*%s\s*$`, strings.Join(parts, ".*")))
}
