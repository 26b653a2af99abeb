package own

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/run"
)

// adopt says how a program uses the package. The package's module is in a local folder, and so may
// be the modules that it replaces. replace lines count in the main module only, so the program's
// go.mod needs all of them.
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
