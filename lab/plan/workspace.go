package plan

import (
	"context"
	"encoding/json"
	"go/version"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/gen/load"
)

// Work describes the modules that the subject's package is built with: the user's module, or the
// whole workspace. The workspaces of the lab repeat them.
type Work struct {
	Home     string   // folder in which go commands resolve the package's imports
	Use      []string // absolute folders of modules
	Replaces []string // lines of go.work, folders made absolute
	Godebug  []string // lines of go.work
	Go       string   // the highest go line among the modules: "1.24"
	Sum      string   // content of the user's go.work.sum, or ""
	Env      []string // environment of go commands: GOFLAGS without -mod, GOWORK unset
	Mirror   string   // folder of the subject's module if it lies in the module cache, else ""
	Vendor   string   // vendor folder that the module is built from, or ""
	Modules  map[string]string
	Requires []string // paths of the modules that the go.mod of the subject's module requires directly
	Host     Env
}

// Env holds what `go env` prints.
type Env struct {
	GOVERSION, GOFLAGS, GOMOD, GOWORK, GOMODCACHE, GOOS, GOARCH string
	GOEXPERIMENT, GOAMD64, GOARM64, GOPROXY                     string
}

// findWork asks the go command about the workspace of pkg. from is the folder in which the user
// named pkg. If pkg belongs to another module, it is built with the requirements of the module that
// contains from.
func findWork(ctx context.Context, pkg *load.Pkg, from string, env []string) (*Work, error) {
	w := &Work{Home: pkg.Dir}
	if !pkg.Module.Main {
		w.Home = from
	}
	if err := w.askGo(ctx, env); err != nil {
		return nil, err
	}
	w.Env = cleanEnv(env, w.Host.GOFLAGS)
	if within(w.Host.GOMODCACHE, pkg.Dir) {
		w.Mirror = pkg.Module.Dir
	}
	root := pkg.Module.Dir
	if !pkg.Module.Main {
		root = filepath.Dir(w.Host.GOMOD)
	}
	if err := w.readWork(root); err != nil {
		return nil, err
	}
	for _, dir := range w.Use {
		if err := w.readModule(dir, modfile.ParseLax); err != nil {
			return nil, err
		}
	}
	w.Requires = direct(root)
	return w, w.listModules(ctx, pkg, env)
}

func (w *Work) askGo(ctx context.Context, env []string) error {
	out, err := gocmd.Output(ctx, w.Home, env, "env", "-json", "GOVERSION", "GOFLAGS", "GOMOD", "GOWORK", "GOMODCACHE", "GOOS", "GOARCH",
		"GOEXPERIMENT", "GOAMD64", "GOARM64", "GOPROXY")
	if err != nil {
		return err
	}
	return json.Unmarshal(out, &w.Host)
}

// readWork copies the user's go.work or, without one, uses the given module alone.
func (w *Work) readWork(module string) error {
	if w.Host.GOWORK == "" || w.Host.GOWORK == "off" {
		w.Use, w.Vendor = []string{module}, vendorDir(module, w.Host.GOFLAGS)
		return w.readModule(module, modfile.Parse) // its godebug lines count too, which ParseLax ignores
	}
	data, err := os.ReadFile(w.Host.GOWORK)
	if err != nil {
		return err
	}
	f, err := modfile.ParseWork(w.Host.GOWORK, data, nil)
	if err != nil {
		return err
	}
	root := filepath.Dir(w.Host.GOWORK)
	for _, u := range f.Use {
		w.Use = append(w.Use, absolute(root, u.Path))
	}
	for _, r := range f.Replace {
		w.Replaces = append(w.Replaces, replaceLine(root, r))
	}
	for _, g := range f.Godebug {
		w.Godebug = append(w.Godebug, g.Key+"="+g.Value)
	}
	if f.Go != nil {
		w.raise(f.Go.Version)
	}
	sum, err := os.ReadFile(w.Host.GOWORK + ".sum")
	if err == nil {
		w.Sum = string(sum)
	}
	return nil
}

func absolute(root, p string) string {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(root, p)
}

func replaceLine(root string, r *modfile.Replace) string {
	from, to := r.Old.Path, r.New.Path
	if r.Old.Version != "" {
		from += " " + r.Old.Version
	}
	if r.New.Version != "" {
		return from + " => " + to + " " + r.New.Version
	}
	return from + " => " + modfile.AutoQuote(absolute(root, to))
}

// parseMod is a function of package modfile that reads a go.mod.
type parseMod = func(file string, data []byte, fix modfile.VersionFixer) (*modfile.File, error)

// readModule raises Go to the go line of the module in dir, and adds its godebug lines as far as
// parse reads them: in a workspace, only the lines of go.work count.
func (w *Work) readModule(dir string, parse parseMod) error {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) && w.Mirror != "" {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := parse(name, data, nil)
	if err != nil {
		return err
	}
	for _, g := range f.Godebug {
		w.Godebug = append(w.Godebug, g.Key+"="+g.Value)
	}
	if f.Go != nil {
		w.raise(f.Go.Version)
	}
	return nil
}

// direct returns the paths of the modules that the go.mod in dir requires without the comment
// "// indirect". It returns nil if there is no such file, or if it cannot be parsed: then the go
// command says why.
func direct(dir string) (paths []string) {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return nil
	}
	for _, r := range f.Require {
		if !r.Indirect {
			paths = append(paths, r.Mod.Path)
		}
	}
	return paths
}

func (w *Work) raise(v string) { w.Go = HigherGo(w.Go, v) }

// listModules notes the module versions with which the user's own build of the package works.
func (w *Work) listModules(ctx context.Context, pkg *load.Pkg, env []string) error {
	out, err := gocmd.Output(ctx, w.Home, env, "list", "-e", "-deps", "-f", ModuleFormat, pkg.Path)
	if err != nil {
		return err
	}
	w.Modules = ParseModules(out)
	return nil
}

// ModuleFormat makes `go list` print the module of a package as [ParseModules] reads it.
const ModuleFormat = "{{with .Module}}{{.Path}} {{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}{{end}}"

// ParseModules maps module paths to versions. The version is "" for a module that the build takes
// from a folder.
func ParseModules(out []byte) map[string]string {
	mods := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, version, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " "); ok { // a folder has no version
			mods[path] = version
		}
	}
	return mods
}

// cleanEnv returns env for go commands inside a workspace of the lab's. It drops flags that the lab
// sets itself, or that change what a command does: workspaces allow neither -mod=mod nor -modfile,
// and a user's -overlay would replace the lab's.
func cleanEnv(env []string, goflags string) []string {
	var keep []string
	for f := range strings.FieldsSeq(goflags) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch name {
		case "mod", "modfile", "overlay", "cover", "covermode", "coverpkg", "o", "c", "json", "v", "n", "x":
		default:
			keep = append(keep, f)
		}
	}
	var out []string
	for _, e := range env {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "GOFLAGS", "GOWORK", "PWD":
		default:
			out = append(out, e)
		}
	}
	// GOFLAGS is never empty: an empty one would bring back the value of `go env -w`.
	return append(out, "GOFLAGS="+strings.Join(append(keep, "-mod=readonly"), " "))
}

func within(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// HigherGo returns the higher of two go lines such as 1.24 and 1.25.3, either of which may be empty.
func HigherGo(a, b string) string {
	if version.Compare("go"+a, "go"+b) >= 0 { // "go" alone is invalid, and lower than any version
		return a
	}
	return b
}
