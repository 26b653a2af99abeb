package release

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var rehearse = flag.Bool("rehearse", false, "make a release in a clone and use it from empty folders (minutes)")

// Commands that pages show for a release, and that the rehearsal runs.
const (
	runLab        = "go run github.com/zmylab/zmy/cmd/zmy@latest lab . -type Order"
	getLibrary    = "go get github.com/zmylab/zmy@latest"
	getFxjson     = "go get -tool github.com/zmylab/zmy/gen/cmd/fxjson@latest"
	tidy          = "go mod tidy"
	installZmy    = "go install github.com/zmylab/zmy/cmd/zmy@latest"
	installFxjson = "go install github.com/zmylab/zmy/gen/cmd/fxjson@latest"
	useFxjson     = "//go:generate go tool fxjson -type=Order"
	useZmy        = "//go:generate zmy gen -type=Order"
)

// TestCommands: the pages on which users begin show the commands that TestRehearsal runs.
func TestCommands(t *testing.T) {
	for page, commands := range map[string][]string{
		"README.md":             {runLab, getLibrary, getFxjson, tidy, installZmy, useFxjson, useZmy},
		"README.zh-CN.md":       {runLab, getLibrary, getFxjson, tidy, installZmy, useFxjson, useZmy},
		"docs/guide/fxjson.md":  {getLibrary, getFxjson, tidy},
		"docs/guide/install.md": {installZmy, installFxjson},
		"docs/guide/lab.md":     {runLab},
		"docs/guide/native.md":  {getLibrary, installZmy, useZmy},
	} {
		lines := strings.Split(text(t, filepath.Join("../..", page)), "\n")
		for _, c := range commands {
			if !slices.Contains(lines, c) {
				t.Errorf("%s has no line %q", page, c)
			}
		}
	}
}

// TestRehearsal makes two releases of a clone of HEAD, serves them as a file-system module proxy, and
// does from empty folders, with an empty module cache, what the README and the guides say. Modules
// of others come from this machine's module cache, or from GOPROXY if they are not there.
func TestRehearsal(t *testing.T) {
	if !*rehearse {
		t.Skip("run with -rehearse: make rehearse")
	}
	r := newRehearsal(t)
	r.release("v0.1.0")

	t.Run("tags", func(t *testing.T) {
		for _, m := range r.last.Modules {
			text := r.in(t, r.clone, "git", "show", m.Tag("v0.1.0")+":"+strings.TrimPrefix(m.Dir+"/go.mod", "./"))
			if strings.Contains(text, "replace ") || strings.Contains(text, "v0.0.0\n") {
				t.Errorf("%s:\n%s", m.Path, text)
			}
		}
	})
	t.Run("lab", r.lab)
	t.Run("readme", r.readme)
	t.Run("public", r.public)
	t.Run("generate", r.generate)
	t.Run("modules", r.modules)
	t.Run("upgrade", r.upgrade)
}

// rehearsal is a clone with releases, and a module proxy that serves them.
type rehearsal struct {
	clone, proxy, bin string
	caches            string // folder with the caches of modules and builds, which begin empty
	env               []string
	last              *Result
	t                 *testing.T
}

func newRehearsal(t *testing.T) *rehearsal {
	base := t.TempDir()
	r := &rehearsal{clone: filepath.Join(base, "clone"), proxy: filepath.Join(base, "proxy"), caches: filepath.Join(base, "caches"),
		bin: filepath.Join(base, "bin"), t: t}
	if err := os.Mkdir(r.proxy, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join(append([]string{r.bin}, slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), installed)...),
		string(filepath.ListSeparator)))
	r.env = append(append(os.Environ(), fromProxy(t, r.proxy)...), "GOBIN="+r.bin, "GOFLAGS=")
	r.emptyCaches(t, r.caches)
	cloneTo(t, r.clone)
	return r
}

// fromProxy returns the environment in which the go command gets this project's modules from a
// file-system module proxy, and those of others from this machine's module cache, or from GOPROXY.
func fromProxy(t *testing.T, proxy string) []string {
	t.Helper()
	have := strings.TrimSpace(output(t, "", nil, "go", "env", "GOMODCACHE"))
	proxies := []string{"file://" + filepath.ToSlash(proxy), "file://" + filepath.ToSlash(filepath.Join(have, "cache", "download")),
		strings.TrimSpace(output(t, "", nil, "go", "env", "GOPROXY"))}
	return []string{"GOPROXY=" + strings.Join(proxies, ","), "GOWORK=off", "GONOSUMDB=github.com/zmylab"}
}

// emptyCaches makes the rehearsal use the caches of modules and builds in dir, which are empty.
func (r *rehearsal) emptyCaches(t *testing.T, dir string) {
	r.env = append(r.env, "GOMODCACHE="+filepath.Join(dir, "mod"), "GOCACHE="+filepath.Join(dir, "build"))
	env := slices.Clone(r.env)
	t.Cleanup(func() { output(t, "", env, "go", "clean", "-modcache") }) // its files are read-only
}

// cloneTo makes a clone of HEAD in which a release can be made.
func cloneTo(t *testing.T, dir string) {
	t.Helper()
	output(t, "", nil, "git", "clone", "--quiet", "../..", dir)
	config := map[string]string{"user.name": "the ZMY authors", "user.email": "release@zmylab.invalid",
		"commit.gpgsign": "false", "tag.gpgsign": "false"}
	for key, value := range config {
		output(t, dir, nil, "git", "config", key, value)
	}
}

// installed reports whether this project's commands are in dir.
func installed(dir string) bool {
	for _, name := range []string{"zmy", "fxjson"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// release makes a release of the clone and adds it to the proxy.
func (r *rehearsal) release(version string) {
	r.t.Helper()
	ctx := context.Background()
	var err error
	r.last, err = Make(ctx, Options{Root: r.clone, Version: version, Date: time.Now().UTC()})
	if err == nil {
		err = r.last.AddToProxy(ctx, r.proxy)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// in runs a command in dir with the rehearsal's environment, and returns what it prints.
func (r *rehearsal) in(t *testing.T, dir string, command ...string) string {
	t.Helper()
	start := time.Now()
	out := output(t, dir, r.env, command...)
	t.Logf("%4.0f s  %s", time.Since(start).Seconds(), strings.Join(command, " "))
	return out
}

func output(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", strings.Join(command, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// module makes a folder with a module of the user's.
func (r *rehearsal) module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.in(t, dir, "go", "mod", "init", "example.org/shop")
	return dir
}

const order = `package shop

import "time"

type Order struct {
	ID    string    ` + "`json:\"id\" zmy:\"0\"`" + `
	Total float64   ` + "`json:\"total\" zmy:\"1\"`" + `
	At    time.Time ` + "`json:\"at\" zmy:\"2\"`" + `
	Tags  []string  ` + "`json:\"tags\" zmy:\"3\"`" + `
}
`

// lab: the one-line form of the lab leaves the user's module as it was, and the steps that it prints
// are for the release.
func (r *rehearsal) lab(t *testing.T) {
	dir := r.module(t, map[string]string{"order.go": order})
	before := r.in(t, dir, "cat", "go.mod")
	report := filepath.Join(t.TempDir(), "report")
	start := time.Now()
	out := r.in(t, dir, append(strings.Fields(runLab), "-budget", "10s", "-o", report)...)
	within(t, start, 5*time.Minute, "a report on a type of the reader's, from empty caches")
	for _, want := range []string{"zmy ", "fxjson ", "std-json ", "sonic ", "goccy ", "msgp ", "protobuf ",
		"go get github.com/zmylab/zmy@v0.1.0", "again: go run github.com/zmylab/zmy/cmd/zmy@v0.1.0 lab . -type Order"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in:\n%s", want, out)
		}
	}
	if after := r.in(t, dir, "cat", "go.mod"); after != before {
		t.Errorf("go.mod was %s and is %s", before, after)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("%d files in the user's folder, want 2: %v", len(entries), entries)
	}
	t.Log(out)
	r.downloads(t)
	r.steps(t, report, dir)
}

// downloads: what README says of the size of the first run's downloads is true within a fifth.
func (r *rehearsal) downloads(t *testing.T) {
	said := regexp.MustCompile(`downloads some (\d+) MB`).FindStringSubmatch(text(t, "../../README.md"))
	if said == nil {
		t.Fatal("README.md does not say how much the first run downloads")
	}
	want, err := strconv.ParseInt(said[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var got int64
	err = filepath.WalkDir(filepath.Join(r.caches, "mod", "cache", "download"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".zip" {
			return err
		}
		info, err := d.Info()
		if err == nil {
			got += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got /= 1e6; got < want*4/5 || got > want*6/5 {
		t.Errorf("the first run downloaded %d MB, README.md says %d", got, want)
	}
	t.Logf("%d MB downloaded", got)
}

// public: in the source tree of a public module, the one-line form makes a report and leaves the tree as it was.
func (r *rehearsal) public(t *testing.T) {
	for _, c := range []struct{ module, dir, typ string }{
		{"github.com/aws/aws-lambda-go@v1.55.1", "./events", "APIGatewayProxyRequest"},
		{"github.com/sashabaranov/go-openai@v1.43.0", ".", "ChatCompletionRequest"},
		{"github.com/opencontainers/image-spec@v1.1.1", "./specs-go/v1", "Manifest"},
	} {
		var at struct{ Dir string }
		if err := json.Unmarshal([]byte(r.in(t, t.TempDir(), "go", "mod", "download", "-json", c.module)), &at); err != nil {
			t.Fatal(err)
		}
		tree := filepath.Join(t.TempDir(), "tree")
		if err := os.CopyFS(tree, os.DirFS(at.Dir)); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "report")
		text := r.in(t, tree, "go", "run", "github.com/zmylab/zmy/cmd/zmy@latest", "lab", c.dir, "-type", c.typ, "-budget", "5s", "-o", out)
		for _, want := range []string{"fxjson ", "std-json ", "▶ "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in:\n%s", c.module, want, text)
			}
		}
		if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
			t.Error(err)
		}
		if changes := differences(t, at.Dir, tree); len(changes) > 0 {
			t.Errorf("%s: the lab has changed %q", c.module, changes)
		}
	}
}

// differences returns the files that are in only one of two trees, or not the same in both.
func differences(t *testing.T, a, b string) []string {
	t.Helper()
	files := map[string]string{}
	var all []string
	for i, dir := range []string{a, b} {
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, name))
			if was, ok := files[name]; i == 0 {
				files[name] = string(data)
			} else if !ok || was != string(data) {
				all = append(all, name)
			}
			if i == 1 {
				delete(files, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.Concat(all, slices.Sorted(maps.Keys(files)))
}

const use = `package shop

import (
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/fxjson"
)

func TestOrder(t *testing.T) {
	v := Order{ID: "a", Total: 1.5, At: time.Unix(1, 0).UTC(), Tags: []string{"x"}}
	text, err := fxjson.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if stale := fxjson.Stale(); len(stale) > 0 {
		t.Fatal(stale)
	}
	b, err := zmy.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	var x, y Order
	if err := fxjson.Unmarshal(text, &x); err != nil {
		t.Fatal(err)
	}
	if err := zmy.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	if x.ID != v.ID || y.Total != v.Total || !y.At.Equal(v.At) {
		t.Fatal(x, y)
	}
}
`

// generate: the generators are installed by version, one of them as a tool of the user's module.
func (r *rehearsal) generate(t *testing.T) {
	dir := r.module(t, map[string]string{"order.go": order, "order_test.go": use,
		"generate.go": "package shop\n\n" + useFxjson + "\n" + useZmy + "\n"})
	for _, command := range []string{getLibrary, getFxjson, tidy, installZmy, installFxjson} {
		r.in(t, dir, strings.Fields(command)...)
	}
	for _, command := range []string{"zmy version", "fxjson -version"} {
		if out := r.in(t, dir, strings.Fields(command)...); !strings.Contains(out, r.last.Version) {
			t.Errorf("%s prints %q", command, out)
		}
	}
	r.in(t, dir, "go", "generate", "./...")
	r.in(t, dir, "go", "test", "./...")
	r.in(t, dir, "go", "mod", "verify")
}

// modules: a program can import each released module by its version. The core, gen, lab and cmd/zmy are
// used by the other parts.
func (r *rehearsal) modules(t *testing.T) {
	tried := 0
	for _, m := range r.last.Modules {
		if slices.Contains([]string{".", "gen", "lab", "cmd/zmy"}, m.Dir) {
			continue
		}
		tried++
		dir := r.module(t, map[string]string{"main.go": fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", m.Path)})
		r.in(t, dir, "go", "get", m.Path+"@latest")
		r.in(t, dir, "go", "mod", "tidy")
		r.in(t, dir, "go", "build", "./...")
	}
	if tried != len(r.last.Modules)-4 {
		t.Errorf("%d modules of %d were imported", tried, len(r.last.Modules))
	}
}
