package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// NOTE: a workspace of several modules does not build from the vendor folder of one module. But a
// package whose requirements are only in its vendor folder should be measured too, with the
// versions that it is built with otherwise. So each vendored module is copied into a folder of the
// temporary workspace, and a replace line names that folder. One more module requires them all,
// since the user's go.mod need not name what other modules require. If a codec needs a higher
// version, that one is used and noted as drift. Modules that the package does not use are taken
// from the module cache if it has them, because a vendor folder holds only the packages that its
// owner needs, and a codec may need another.

// vendored writes the copies and the module that requires them. It returns their use and replace
// lines for go.work.
func (w *Workspace) vendored() (use []string, replaces []string, err error) {
	from := w.work().Vendor
	if from == "" {
		return nil, nil, nil
	}
	text, err := os.ReadFile(filepath.Join(from, "modules.txt"))
	if err != nil {
		return nil, nil, err
	}
	modules := plan.ParseVendored(string(text))
	var packages []string
	for _, m := range modules {
		packages = append(packages, m.Packages...)
	}
	root := filepath.Join(w.dir, "vendored")
	all := new(modfile.File)
	if err := all.AddModuleStmt(contender.ModulePath + "/vendored"); err != nil {
		return nil, nil, err
	}
	if err := all.AddGoStmt(contender.MinGo); err != nil {
		return nil, nil, err
	}
	for i, m := range modules {
		if err := all.AddRequire(m.Path, m.Version); err != nil {
			return nil, nil, err
		}
		zip := module.Version{Path: m.Path, Version: m.Version}
		if _, used := w.work().Modules[m.Path]; !used && contender.Cached(w.work().Host.GOMODCACHE, zip) {
			continue
		}
		dir := filepath.Join(root, fmt.Sprint(i))
		if err := copyVendored(m, from, dir, packages); err != nil {
			return nil, nil, fmt.Errorf("copy %s: %w", m.Path, err)
		}
		w.copied[filepath.Join(from, filepath.FromSlash(m.Path))] = dir
		replaces = append(replaces, m.Path+" "+m.Version+" => "+modfile.AutoQuote(dir))
	}
	data, err := all.Format()
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(root, "all")
	return []string{dir}, replaces, writeFile(filepath.Join(dir, "go.mod"), data)
}

// copyVendored makes a module from the vendored packages of m, together with folders that they
// embed.
func copyVendored(m plan.Vendored, from, to string, packages []string) error {
	mod := "module " + m.Path + "\n"
	if m.Go != "" {
		mod += "\ngo " + m.Go + "\n"
	}
	if err := writeFile(filepath.Join(to, "go.mod"), []byte(mod)); err != nil {
		return err
	}
	for _, p := range m.Packages {
		dest := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(p, m.Path), "/")))
		if err := copyPackageTree(from, p, dest, packages); err != nil {
			return err
		}
	}
	return nil
}

// copyPackageTree copies a package's folder and the folders below it, except those that are or
// contain packages of their own.
func copyPackageTree(from, pkg, to string, packages []string) error {
	dir := filepath.Join(from, filepath.FromSlash(pkg))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, sub := filepath.Join(to, e.Name()), pkg+"/"+e.Name()
		if e.IsDir() {
			if below := slices.ContainsFunc(packages, func(p string) bool { return p == sub || strings.HasPrefix(p, sub+"/") }); !below {
				if err := copyPackageTree(from, sub, name, packages); err != nil {
					return err
				}
			}
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if err := writeFile(name, data); err != nil {
			return err
		}
	}
	return nil
}
