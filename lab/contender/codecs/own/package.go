package own

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/lab/run"
)

// pkg is a package as `go list` describes it.
type pkg struct {
	Dir, ImportPath, Name string
	GoFiles, Deps         []string
	Module                *struct{ Path, Dir string }
	Error                 *struct{ Err string }
	DepsErrors            []*struct{ Err string }

	use []string // folders of the modules that the package is built with
}

var errNoModule = errors.New("it belongs to no module: run `go mod init example.com/mycodec` there, and `go mod tidy`")

// list asks the go command about the package in a folder.
func list(ctx context.Context, dir string) (*pkg, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, errors.New("there is no such folder")
	} else if !info.IsDir() {
		return nil, errors.New("that is a file; name its folder")
	}
	out, err := gocmd.Output(ctx, dir, nil, "list", "-e", "-json=Dir,ImportPath,Name,GoFiles,Deps,Module,Error,DepsErrors", ".")
	if err != nil && strings.Contains(err.Error(), "go.mod file not found") {
		return nil, errNoModule
	}
	if err != nil {
		return nil, err
	}
	p := new(pkg)
	if err := json.Unmarshal(out, p); err != nil {
		return nil, fmt.Errorf("what go list prints: %w", err)
	}
	switch {
	case p.Error != nil:
		return nil, errors.New(p.Error.Err)
	case p.Module == nil:
		return nil, errNoModule
	case len(p.DepsErrors) > 0:
		return nil, fmt.Errorf("%s; run `go mod tidy` there", p.DepsErrors[0].Err)
	case p.Name == "main":
		return nil, errors.New("package main cannot be imported; give it another name")
	}
	return p, p.findModules(ctx)
}

// findModules sets p.use to the folder of the package's module and those of the other modules in
// its workspace, if it has one.
func (p *pkg) findModules(ctx context.Context) error {
	p.use = []string{p.Module.Dir}
	out, err := gocmd.Output(ctx, p.Dir, nil, "env", "GOWORK")
	if err != nil {
		return err
	}
	work := strings.TrimSpace(string(out))
	if work == "" || work == "off" {
		return nil
	}
	data, err := os.ReadFile(work)
	if err != nil {
		return err
	}
	f, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return err
	}
	for _, u := range f.Use {
		dir := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(work), dir)
		}
		if !slices.Contains(p.use, dir) {
			p.use = append(p.use, dir)
		}
	}
	return nil
}

// adopt says how a program uses the package. The package's module is in a local folder, and its
// go.mod may replace other modules. The go command obeys replace lines of the main module only, so
// the program's go.mod needs them all.
func (p *pkg) adopt() (*run.Adopt, error) {
	name := filepath.Join(p.Module.Dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	replace := func(what string) { b.WriteString("go mod edit -replace " + quote(what) + "\n") }
	replace(p.Module.Path + "=" + p.Module.Dir)
	for _, r := range f.Replace {
		from, to := r.Old.Path, r.New.Path
		if r.Old.Version != "" {
			from += "@" + r.Old.Version
		}
		if r.New.Version != "" {
			to += "@" + r.New.Version
		} else if !filepath.IsAbs(to) {
			to = filepath.Join(p.Module.Dir, filepath.FromSlash(to))
		}
		replace(from + "=" + to)
	}
	b.WriteString("go get " + p.Module.Path + "@v0.0.0\n")
	a := &run.Adopt{Install: b.String(), Import: p.ImportPath, Marshal: p.Name + ".Marshal(&v)", Unmarshal: p.Name + ".Unmarshal(b, &v)"}
	if path.Base(p.ImportPath) != p.Name {
		a.Import = p.Name + " " + strconv.Quote(p.ImportPath)
	}
	return a, nil
}

// quote quotes an argument for a POSIX shell.
func quote(s string) string {
	if !strings.ContainsAny(s, " \t'\"\\$`&|;<>()*?[]{}~#!") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
