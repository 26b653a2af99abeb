package site

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
	"github.com/zmylab/zmy/internal/longtest"
)

var (
	updateTable = flag.Bool("update", false, "write the table of docs/perf/scan.md")
	onlyModules = flag.String("modules", "", "`parts` of the paths of the public modules to look at, separated by commas")
)

const (
	perfPage   = "../../docs/perf/scan.md"
	tableBegin = "<!-- modules -->\n"
	tableEnd   = "<!-- /modules -->\n"
)

// public are modules of different builds.
var public = []struct{ path, version, what string }{
	{"github.com/caddyserver/caddy/v2", "v2.11.9", "web server, cobra, modules found by name"},
	{"github.com/prometheus/prometheus", "v0.316.0", "build tags, generated code of gogo/protobuf"},
	{"helm.sh/helm/v4", "v4.3.1", "cobra tool with the client of Kubernetes"},
	{"github.com/nats-io/nats-server/v2", "v2.15.2", "server with few dependencies"},
	{"github.com/open-policy-agent/opa", "v1.22.2", "interpreter, HTTP service, wrappers of JSON"},
	{"github.com/containerd/containerd/v2", "v2.4.2", "gRPC and ttrpc services, build tags"},
	{"go.etcd.io/etcd/server/v3", "v3.7.3", "gRPC service"},
	{"github.com/go-swagger/go-swagger", "v0.36.7", "generator, easyjson"},
	{"github.com/ollama/ollama", "v0.17.4", "web service with Gin, cgo"},
	{"sigs.k8s.io/metrics-server", "v0.8.0", "service of Kubernetes"},
}

// figures are one line of the table.
type figures struct {
	path, version, what     string
	lines, sites, generated int
	typed, handTyped, open  int
	cpu, wall               time.Duration
	memory                  uint64
	errors                  int
}

// TestPublic finds the sites of public modules. At least 80% of those outside of generated code must
// have a type, over all modules.
func TestPublic(t *testing.T) {
	longtest.Only(t, "fetches modules and all that they require, gigabytes")
	var all []figures
	hand, typed := 0, 0
	for _, m := range public {
		named := func(part string) bool { return strings.Contains(m.path, part) }
		if *onlyModules != "" && !slices.ContainsFunc(strings.Split(*onlyModules, ","), named) {
			continue
		}
		t.Run(m.path, func(t *testing.T) {
			dir := fetch(t, m.path, m.version)
			f := figures{path: m.path, version: m.version, what: m.what}
			f.measure(t, dir)
			t.Logf("%+v", f)
			all = append(all, f)
			hand += f.sites - f.generated
			typed += f.handTyped
			if *updateTable {
				writeTable(t, all)
			}
		})
	}
	if hand == 0 {
		t.Skip("no module could be fetched")
	}
	if share := float64(typed) / float64(hand); share < 0.8 {
		t.Errorf("%d of %d sites have a type: %.0f%%, the goal is 80%%", typed, hand, 100*share)
	}
}

// fetch copies a module from the cache of modules, with all that it requires, or skips t. Replacements
// by folders are dropped: they are outside of the module.
func fetch(t *testing.T, path, version string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", path+"@"+version)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if err2 := json.Unmarshal(out, &info); err2 != nil || err != nil {
		t.Skipf("cannot be fetched: %v %s", err, info.Error)
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.CopyFS(dir, os.DirFS(info.Dir)); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = os.Chmod(path, 0o755)
		}
		return err
	})
	var mod struct {
		Replace []struct {
			Old struct{ Path, Version string }
			New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(run(t, dir, "go", "mod", "edit", "-json")), &mod); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			run(t, dir, "go", "mod", "edit", "-dropreplace="+r.Old.Path)
		}
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "./...")
	list.Dir, list.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("its requirements cannot be fetched: %v %s", err, out)
	}
	return dir
}

func (f *figures) measure(t *testing.T, dir string) {
	t.Helper()
	runtime.GC()
	start := time.Now()
	cpu, _ := cputime.Process()
	res, err := Find(t.Context(), Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")})
	if err != nil {
		t.Fatal(err)
	}
	end, _ := cputime.Process()
	f.wall, f.cpu, f.lines, f.errors = time.Since(start), end-cpu, res.Lines, len(res.Errors)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	f.memory = ms.HeapInuse
	why := map[string]int{}
	for _, s := range res.Sites {
		f.sites++
		known := len(s.Values) > 0
		if known {
			f.typed++
		}
		if s.Generated {
			f.generated++
			continue
		}
		if known {
			f.handTyped++
		} else {
			why[s.Why]++
		}
		if s.Open != "" {
			f.open++
		}
	}
	for w, n := range why {
		t.Logf("%d sites without a type: %s", n, w)
	}
	for i, e := range res.Errors {
		if i < 5 {
			t.Logf("left out: %s", e)
		}
	}
}

func writeTable(t *testing.T, all []figures) {
	t.Helper()
	text, err := os.ReadFile(perfPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(text, []byte(tableBegin))
	_, after, ok2 := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", perfPage)
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString(tableBegin)
	b.WriteString("\n| module | what it is | lines | CPU time | memory | sites | in generated code | others with a type | " +
		"of these incomplete | errors |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	hand, typed := 0, 0
	for _, f := range all {
		n := f.sites - f.generated
		hand, typed = hand+n, typed+f.handTyped
		fmt.Fprintf(&b, "| %s %s | %s | %d | %.0f s | %d MB | %d | %d | %d of %d, %s | %d | %d |\n",
			f.path, f.version, f.what, f.lines, f.cpu.Seconds(), f.memory/1e6, f.sites, f.generated,
			f.handTyped, n, percent(f.handTyped, n), f.open, f.errors)
	}
	fmt.Fprintf(&b, "\n%d of %d sites outside of generated code have a type: %s.\n\n", typed, hand, percent(typed, hand))
	b.WriteString(tableEnd)
	b.Write(after)
	if err := os.WriteFile(perfPage, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func percent(a, b int) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(a)/float64(b))
}
