package site

import (
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

// public are modules of different builds, the larger ones first. The second half are those in which
// the tests of package adopt change the codec.
var public = []struct {
	path, version, what string
	fork                string // replacement by a fork that the module proxy lacks
}{
	{path: "github.com/caddyserver/caddy/v2", version: "v2.11.9", what: "web server, cobra, modules found by name"},
	{path: "github.com/prometheus/prometheus", version: "v0.316.0", what: "build tags, generated code of gogo/protobuf"},
	{path: "helm.sh/helm/v4", version: "v4.3.1", what: "cobra tool with the client of Kubernetes"},
	{path: "github.com/nats-io/nats-server/v2", version: "v2.15.2", what: "server with few dependencies"},
	{path: "github.com/open-policy-agent/opa", version: "v1.22.2", what: "interpreter, HTTP service, wrappers of JSON"},
	{path: "github.com/containerd/containerd/v2", version: "v2.4.2", what: "gRPC and ttrpc services, build tags"},
	{path: "go.etcd.io/etcd/server/v3", version: "v3.7.3", what: "gRPC service"},
	{path: "github.com/go-swagger/go-swagger", version: "v0.36.7", what: "generator, easyjson"},
	{path: "sigs.k8s.io/metrics-server", version: "v0.8.0", what: "service of Kubernetes"},
	{path: "github.com/cilium/cilium", version: "v1.18.4", what: "agent, operator and clients of Kubernetes, go-swagger, gRPC",
		fork: "k8s.io/apimachinery"},
	{path: "github.com/golang-jwt/jwt/v5", version: "v5.3.1", what: "library"},
	{path: "github.com/slack-go/slack", version: "v0.35.0", what: "client of a web service"},
	{path: "github.com/mikefarah/yq/v4", version: "v4.54.2", what: "cobra tool"},
	{path: "github.com/prometheus/client_golang", version: "v1.25.0", what: "client of a web service"},
	{path: "github.com/rs/zerolog", version: "v1.35.1", what: "library, build tags"},
	{path: "github.com/gin-gonic/gin", version: "v1.12.0", what: "Gin, build tags for other codecs"},
	{path: "github.com/grpc-ecosystem/grpc-gateway/v2", version: "v2.33.0", what: "gRPC services, generated code"},
	{path: "github.com/nats-io/jwt/v2", version: "v2.8.2", what: "library"},
	{path: "github.com/getkin/kin-openapi", version: "v0.153.0", what: "library"},
	{path: "github.com/hashicorp/go-hclog", version: "v1.6.3", what: "library"},
	{path: "github.com/bitnami-labs/sealed-secrets", version: "v0.40.0", what: "controller of Kubernetes"},
	{path: "github.com/songquanpeng/one-api", version: "v0.6.10", what: "web service with Gin"},
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
			dir := fetch(t, m.path, m.version, m.fork)
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
// by folders are dropped, since they are outside of the module, and so is that by fork.
func fetch(t *testing.T, path, version, fork string) string {
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
		if r.New.Version == "" || r.Old.Path == fork {
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

// writeTable writes the figures into the page. Rows of modules that were not measured stay.
func writeTable(t *testing.T, all []figures) {
	t.Helper()
	text, err := os.ReadFile(perfPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	table, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", perfPage)
	}
	rows := map[string]string{} // by path
	for line := range strings.Lines(table) {
		if cells := strings.Fields(line); len(cells) > 2 && cells[0] == "|" {
			rows[cells[1]] = line
		}
	}
	for _, f := range all {
		n := f.sites - f.generated
		rows[f.path] = fmt.Sprintf("| %s %s | %s | %d | %.0f s | %d MB | %d | %d | %d of %d, %s | %d | %d |\n",
			f.path, f.version, f.what, f.lines, f.cpu.Seconds(), f.memory/1e6, f.sites, f.generated,
			f.handTyped, n, percent(f.handTyped, n), f.open, f.errors)
	}
	var b strings.Builder
	b.WriteString("\n| module | what it is | lines | CPU time | memory | sites | in generated code | others with a type | " +
		"of these incomplete | errors |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	hand, typed := 0, 0
	for _, m := range public {
		row, ok := rows[m.path]
		if !ok {
			continue
		}
		b.WriteString(row)
		var k, n int
		if _, err := fmt.Sscanf(strings.Split(row, "|")[8], "%d of %d,", &k, &n); err != nil {
			t.Fatalf("%s: the row of %s has no share of sites with a type: %v", perfPage, m.path, err)
		}
		hand, typed = hand+n, typed+k
	}
	fmt.Fprintf(&b, "\n%d of %d sites outside of generated code have a type: %s.\n\n", typed, hand, percent(typed, hand))
	if err := os.WriteFile(perfPage, []byte(before+tableBegin+b.String()+tableEnd+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

func percent(a, b int) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(a)/float64(b))
}
