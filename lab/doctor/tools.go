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
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
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
		f := fine(p.name, "installed")
		if _, err := exec.LookPath(p.name); err != nil {
			f = Finding{p.name, Missing, "not installed", p.costs, p.mend}
		}
		out = append(out, f)
	}
	for _, s := range []struct{ kind, program, flag string }{{"redis", "redis-server", "-redis"},
		{"postgres", "postgres", "-postgres"}, {"mysql", "mariadbd", "-mysql"}} {
		f := fine(s.program, "installed")
		var missing *server.Missing
		if errors.As(server.Installed(s.kind), &missing) {
			costs := "zmy lab stores starts none: it measures one that is named by " + s.flag
			f = Finding{s.program, Missing, "not installed", costs, "apt-get install " + missing.Package}
			if missing.Closed != "" {
				f = Finding{s.program, Missing, "root has nobody run it, who may not pass " + missing.Closed, costs, "chmod o+x " + missing.Closed}
			}
		}
		out = append(out, f)
	}
	return append(out, pinning())
}

// pinning checks on which processors workers can be kept.
func pinning() Finding {
	const name = "pinning"
	cpus, err := harness.CPUs()
	if err != nil || len(cpus) == 0 {
		return Finding{name, Missing, "not possible", "no -pin: the system moves workers between processors", "run on Linux"}
	}
	return fine(name, "on "+strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]"))
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
		return []Finding{{"Go", Broken, "not found", "workers are built with it", "install it: go.dev/dl"}}
	}
	f := fine("Go", env.GOVERSION)
	if v, _, _ := strings.Cut(env.GOVERSION, " "); version.IsValid(v) && version.Compare(v, leastGo) < 0 {
		f.State, f.Costs, f.Mend = Broken, "workers need "+leastGo, "install a newer one: go.dev/dl"
	}
	modules, missing := cache(env.GOMODCACHE, o)
	return []Finding{f, space(o.Dir), modules, proxy(ctx, o, env.GOPROXY, missing)}
}

// cache finds the contenders that require modules which the cache lacks. missing is the number of
// these contenders. It looks for their zip files: `go mod download` with GOPROXY=off would want
// what the proxy says of a version too, which a build leaves out.
func cache(dir string, o Options) (f Finding, missing int) {
	const name = "module cache"
	var names, get []string
	all := 0
	for _, p := range o.Modules {
		needs, lacks := false, false
		for _, m := range p.Modules {
			if m.Version == "" {
				continue
			}
			needs = true
			if !contender.Cached(dir, module.Version{Path: m.Path, Version: m.Version}) {
				lacks = true
				get = append(get, m.Path+"@"+m.Version)
			}
		}
		if needs {
			all++
		}
		if lacks {
			names = append(names, p.Contender)
		}
	}
	slices.Sort(get)
	get = slices.Compact(get)
	if len(names) == 0 {
		return fine(name, fmt.Sprintf("the modules of all %d codecs that need some", all)), 0
	}
	return Finding{name, Warn, fmt.Sprintf("%d of %d codecs lack modules: %s", len(names), all, strings.Join(names, " ")),
		"they are fetched when first measured, which takes a network", "go mod download " + strings.Join(get, " ")}, len(names)
}

// patience is how long to wait for the proxy.
const patience = 15 * time.Second

// secret matches the user and password in a URL.
var secret = regexp.MustCompile(`://[^/@,|]*@`)

func proxy(ctx context.Context, o Options, url string, missing int) Finding {
	const name = "module proxy"
	url = secret.ReplaceAllString(url, "://…@")
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := goCommand(ctx, o, "", "list", "-m", "-versions", "golang.org/x/mod"); err == nil {
		return fine(name, url)
	}
	f := Finding{name, Warn, url + " does not answer", "codecs whose modules are not in the cache are skipped; all of them are there",
		"go env -w GOPROXY=URL,direct, or fill the cache on a machine that has a network"}
	if missing > 0 {
		f.State, f.Costs = Missing, fmt.Sprintf("the %d codecs whose modules are not in the cache are skipped", missing)
	}
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
	const name = "temporary space"
	free, ok := freeSpace(filepath.Clean(dir))
	if !ok {
		return unknown(name)
	}
	value := fmt.Sprintf("%.1f GiB in %s", float64(free)/(1<<30), dir)
	if free >= room {
		return fine(name, value)
	}
	return Finding{name, Warn, value, "building all codecs takes about 2 GiB", "set TMPDIR to a folder with more space"}
}
