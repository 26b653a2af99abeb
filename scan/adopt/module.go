package adopt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/contender"
)

// Paths of the module that programs import, of its generator's module, and of the generator.
const (
	runtimePath = contender.RuntimePath
	genPath     = runtimePath + "/gen"
	toolPath    = genPath + "/cmd/fxjson"
)

// place is where the module is that is adopted.
type place struct {
	dir  string // folder of go.mod, without symbolic links
	work string // go.work in effect, "" for none
	file *modfile.File
	from string // folder of the command, relative to dir
}

// find finds the module of a folder.
func find(ctx context.Context, dir string) (*place, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	out, err := gocmd.Output(ctx, dir, nil, "env", "GOMOD", "GOWORK")
	if err != nil {
		return nil, err
	}
	mod, work, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	if mod == "" || mod == os.DevNull {
		return nil, fmt.Errorf("%s is in no module: run the command in the folder of a go.mod, or below it", dir)
	}
	if work == "off" {
		work = ""
	}
	p := &place{dir: filepath.Dir(mod), work: work}
	if p.from, err = filepath.Rel(p.dir, dir); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(mod)
	if err != nil {
		return nil, err
	}
	if p.file, err = modfile.Parse(mod, data, nil); err != nil {
		return nil, err
	}
	if p.file.Module == nil {
		return nil, fmt.Errorf("%s has no module line", mod)
	}
	if gocmd.InModuleCache(p.dir) {
		return nil, fmt.Errorf("%s lies in the module cache, which must not be changed; copy it first", p.dir)
	}
	return p, nil
}

// source is where the runtime and its generator come from.
type source struct {
	version string // a release
	clone   string // folder of a clone; used if version is empty
}

// findSource decides on the source: the clone that the caller names, the release that this program
// is, or the clone from which it was built.
func findSource(named, release string) (source, error) {
	is := func(dir string) bool {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		return err == nil && modfile.ModulePath(data) == runtimePath
	}
	if named != "" {
		dir, err := filepath.Abs(named)
		if err != nil {
			return source{}, err
		}
		if !is(dir) {
			return source{}, fmt.Errorf("-runtime %s: there is no module %s", named, runtimePath)
		}
		return source{clone: dir}, nil
	}
	if release != "" {
		return source{version: release}, nil
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		if dir := filepath.Dir(filepath.Dir(filepath.Dir(file))); is(dir) {
			return source{clone: dir}, nil
		}
	}
	return source{}, fmt.Errorf("the module %s is not to be found; name its folder with -runtime DIR", runtimePath)
}

// beside returns the path by which a go.mod in dir names the clone: relative if the clone lies within
// the folder above the module, else absolute, since a path with many .. differs from machine to
// machine, too.
func (s source) beside(dir string) string {
	rel, err := filepath.Rel(dir, s.clone)
	if err != nil || strings.HasPrefix(filepath.ToSlash(rel), "../../") {
		return filepath.ToSlash(s.clone)
	}
	if !strings.HasPrefix(rel, ".") {
		rel = "./" + rel
	}
	return filepath.ToSlash(rel)
}

// links returns the folders that a copy of the module must reach.
func (s source) links(dir string) []string {
	if s.version != "" || filepath.IsAbs(s.beside(dir)) || within(dir, s.clone) {
		return nil
	}
	return []string{s.clone}
}

// require adds a requirement to the go.mod of a copy: of the runtime or, if tool is set, of the
// generator as a tool. imported is the package of the runtime that call sites use. It changes no other
// line on purpose; the go command raises what these modules need newer.
func (s source) require(ctx context.Context, t *tree, env []string, file *modfile.File, imported string, tool bool) error {
	path, dir := runtimePath, s.beside(t.from)
	if tool {
		path, dir = genPath, dir+"/gen"
		for _, x := range file.Tool {
			if x.Path == toolPath {
				return nil
			}
		}
	}
	have := false
	for _, r := range file.Require {
		have = have || r.Mod.Path == path
	}
	var steps [][]string
	switch {
	case s.version != "" && tool:
		steps = [][]string{{"get", "-tool", toolPath + "@" + s.version}}
	case s.version != "" && !have:
		steps = [][]string{{"get", imported + "@" + s.version}}
	case s.version != "":
	default: // go get would ask the network for the version of the clone
		edit := []string{"mod", "edit"}
		if !have {
			edit = append(edit, "-require="+path+"@v0.0.0", "-replace="+path+"="+dir)
		}
		list := imported
		if tool {
			edit, list = append(edit, "-tool="+toolPath), toolPath
		}
		if len(edit) > 2 {
			steps = [][]string{edit, {"list", "-deps", list}}
		}
	}
	if steps != nil && tool { // modules that the tool raises need sums for the other packages too
		steps = append(steps, []string{"list", "-e", "-deps", "-test", "./..."})
	}
	for _, args := range steps {
		if _, err := gocmd.Output(ctx, t.dir, modEnv(env), args...); err != nil {
			return fmt.Errorf("require %s: %w", path, err)
		}
	}
	return s.tidyRequire(t)
}

// tidyRequire makes the runtime's requirement a direct one: go get has marked it as indirect, since
// no file imports it yet.
func (s source) tidyRequire(t *tree) error {
	data, err := t.read("go.mod")
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	for _, r := range f.Require {
		if r.Mod.Path == runtimePath && r.Indirect {
			r.Indirect = false
			f.SetRequireSeparateIndirect(f.Require)
		}
	}
	f.Cleanup()
	out, err := f.Format()
	if err != nil || bytes.Equal(out, data) {
		return err
	}
	return t.write("go.mod", out)
}

// vendor brings the vendor folder up to date, if the module has one.
func vendor(ctx context.Context, t *tree, env []string) error {
	list, err := t.read("vendor/modules.txt")
	if err != nil || list == nil {
		return err
	}
	if _, err := gocmd.Output(ctx, t.dir, modEnv(env), "mod", "vendor"); err != nil {
		return fmt.Errorf("the module has a vendor folder, which must hold the new requirements: %w", err)
	}
	return nil
}

// modEnv returns an environment in which go.mod may change: flags -mod=vendor and -mod=readonly in
// GOFLAGS forbid that, and so does a workspace.
func modEnv(env []string) []string {
	flags := os.Getenv("GOFLAGS")
	var kept []string
	for _, f := range strings.Fields(flags) {
		if !strings.HasPrefix(strings.TrimLeft(f, "-"), "mod=") {
			kept = append(kept, f)
		}
	}
	return append(env[:len(env):len(env)], "GOWORK=off", "GOFLAGS="+strings.Join(append(kept, "-mod=mod"), " "))
}

// raised describes how the go line and the versions of required modules have changed, "" if neither
// has.
func raised(before, after []byte) (string, error) {
	b, errB := modfile.Parse("go.mod", before, nil)
	a, errA := modfile.Parse("go.mod", after, nil)
	if err := errors.Join(errB, errA); err != nil {
		return "", err
	}
	var parts []string
	if goLine(a) != goLine(b) {
		parts = append(parts, fmt.Sprintf("the go line becomes %s (it was %s), since the modules of %s need that; "+
			"it also sets the meaning of loops, "+
			"what go vet reports and GODEBUG: raise it in a change of its own first", goLine(a), goLine(b), runtimePath))
	}
	old := map[string]string{}
	for _, r := range b.Require {
		old[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range a.Require {
		if v, ok := old[r.Mod.Path]; ok && v != r.Mod.Version {
			parts = append(parts, fmt.Sprintf("%s %s becomes %s, which the generator requires", r.Mod.Path, v, r.Mod.Version))
		}
	}
	return strings.Join(parts, "; "), nil
}

func goLine(f *modfile.File) string {
	if f.Go == nil {
		return "1.16"
	}
	return f.Go.Version
}
