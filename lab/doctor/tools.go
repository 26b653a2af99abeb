package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/experiment/stores/server"
	"github.com/zmylab/zmy/lab/harness"
)

// programs are programs that some contenders and experiments need.
var programs = []struct{ name, costs, mend string }{
	{"flatc", "no rows of FlatBuffers", "apt-get install flatbuffers-compiler"},
	{"capnp", "no rows of Cap'n Proto", "apt-get install capnproto"},
	{"valgrind", "no counts of instructions", "apt-get install valgrind"},
}

func tools() []Finding {
	var out []Finding
	for _, p := range programs {
		f := Finding{Name: p.name, State: OK, Value: "installed"}
		if _, err := exec.LookPath(p.name); err != nil {
			f.State, f.Value, f.Costs, f.Mend = Missing, "not installed", p.costs, p.mend
		}
		out = append(out, f)
	}
	for _, s := range []struct{ kind, program, flag string }{{"redis", "redis-server", "-redis"},
		{"postgres", "postgres", "-postgres"}, {"mysql", "mariadbd", "-mysql"}} {
		f := Finding{Name: s.program, State: OK, Value: "installed"}
		var missing *server.Missing
		if errors.As(server.Installed(s.kind), &missing) {
			f.State, f.Value, f.Mend = Missing, "not installed", "apt-get install "+missing.Package
			f.Costs = "zmy lab stores starts none: it measures one that is named by " + s.flag
		}
		out = append(out, f)
	}
	return append(out, pinning())
}

// pinning checks on which processors workers can be kept.
func pinning() Finding {
	f := Finding{Name: "pinning", State: OK}
	cpus, err := harness.CPUs()
	if err != nil || len(cpus) == 0 {
		f.State, f.Value, f.Costs = Missing, "not possible", "no -pin: the system moves workers between processors"
		f.Mend = "run on Linux"
		return f
	}
	f.Value = "on " + strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]")
	return f
}

// leastGo is the oldest Go that builds workers.
const leastGo = "go1.25"

// goFindings checks the Go installation, its module cache and the proxy.
func goFindings(ctx context.Context, o Options) []Finding {
	goEnv, err := goCommand(ctx, o, "", "env", "-json", "GOVERSION", "GOPROXY", "GOMODCACHE", "GOFLAGS", "GOTOOLCHAIN")
	var env struct{ GOVERSION, GOPROXY, GOMODCACHE, GOFLAGS, GOTOOLCHAIN string }
	if err == nil {
		err = json.Unmarshal(goEnv, &env)
	}
	if err != nil {
		return []Finding{{Name: "Go", State: Broken, Value: "not found", Costs: "workers are built with it", Mend: "install it: go.dev/dl"}}
	}
	f := Finding{Name: "Go", State: OK, Value: env.GOVERSION}
	if v, _, _ := strings.Cut(env.GOVERSION, " "); version.IsValid(v) && version.Compare(v, leastGo) < 0 {
		f.State, f.Costs = Broken, "workers need "+leastGo
		f.Mend = "install a newer one: go.dev/dl"
	}
	out := []Finding{f, space(o.Dir)}
	missing, all := o.missing(ctx)
	return append(out, cache(missing, all), proxy(ctx, o, env.GOPROXY, len(missing)))
}

// missing returns the contenders whose modules are not in the cache, and how many contenders have
// modules. With GOPROXY=off `go mod download` fetches nothing and fails for a module that is not in
// the cache.
func (o *Options) missing(ctx context.Context) (missing []Pinned, all int) {
	for _, p := range o.Modules {
		var get []string
		for _, m := range p.Modules {
			if m.Version != "" {
				get = append(get, m.Path+"@"+m.Version)
			}
		}
		if len(get) == 0 {
			continue
		}
		all++
		if _, err := goCommand(ctx, *o, "off", append([]string{"mod", "download"}, get...)...); err != nil {
			missing = append(missing, p)
		}
	}
	return missing, all
}

func cache(missing []Pinned, all int) Finding {
	f := Finding{Name: "module cache", State: OK, Value: fmt.Sprintf("the modules of all %d codecs that need some", all)}
	if len(missing) == 0 {
		return f
	}
	var names, get []string
	for _, p := range missing {
		names = append(names, p.Contender)
		for _, m := range p.Modules {
			if m.Version != "" {
				get = append(get, m.Path+"@"+m.Version)
			}
		}
	}
	f.State, f.Value = Warn, fmt.Sprintf("%d of %d codecs lack modules: %s", len(missing), all, strings.Join(names, " "))
	f.Costs = "they are fetched when first measured, which takes a network"
	f.Mend = "go mod download " + strings.Join(get, " ")
	return f
}

// patience is how long to wait for the proxy.
const patience = 15 * time.Second

// secret matches the user and password in a URL.
var secret = regexp.MustCompile(`://[^/@,|]*@`)

func proxy(ctx context.Context, o Options, url string, missing int) Finding {
	url = secret.ReplaceAllString(url, "://…@")
	f := Finding{Name: "module proxy", State: OK, Value: url}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := goCommand(ctx, o, "", "list", "-m", "-versions", "golang.org/x/mod"); err == nil {
		return f
	}
	f.State, f.Value = Warn, url+" does not answer"
	f.Costs = "codecs whose modules are not in the cache are skipped; all of them are there"
	if missing > 0 {
		f.State, f.Costs = Missing, fmt.Sprintf("the %d codecs whose modules are not in the cache are skipped", missing)
	}
	f.Mend = "go env -w GOPROXY=URL,direct, or fill the cache on a machine that has a network"
	return f
}

// goCommand runs the go command outside any module. If proxy is not "", it replaces GOPROXY.
func goCommand(ctx context.Context, o Options, proxy string, args ...string) ([]byte, error) {
	dir, err := os.MkdirTemp(o.Dir, "zmylab-doctor-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(env[:len(env):len(env)], "GOWORK=off", "GOFLAGS=")
	if proxy != "" {
		env = append(env, "GOPROXY="+proxy)
	}
	return gocmd.Output(ctx, dir, env, args...)
}

// room is the disk space in bytes that building all workers takes.
const room = 2 << 30

func space(dir string) Finding {
	if dir == "" {
		dir = os.TempDir()
	}
	f := Finding{Name: "temporary space", State: Unknown, Value: "not shown"}
	free, ok := freeSpace(filepath.Clean(dir))
	if !ok {
		return f
	}
	f.State, f.Value = OK, fmt.Sprintf("%.1f GiB in %s", float64(free)/(1<<30), dir)
	if free < room {
		f.State, f.Costs, f.Mend = Warn, "building all codecs takes about 2 GiB", "set TMPDIR to a folder with more space"
	}
	return f
}
