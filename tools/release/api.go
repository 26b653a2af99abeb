package release

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
	gopackages "golang.org/x/tools/go/packages"
)

// API is what has changed in the exported API of the released modules since a release.
type API struct {
	Since        string // the latest release, v0.1.0; "" if there is none yet
	Incompatible []string
	Compatible   int // number of additions
}

// Break reports whether next, the version of the next release, may have incompatible changes: its
// major version is another one or, before v1, its minor version.
func (a *API) Break(next string) bool {
	if semver.Major(next) == "v0" {
		return semver.MajorMinor(next) != semver.MajorMinor(a.Since)
	}
	return semver.Major(next) != semver.Major(a.Since)
}

// CompareAPI compares the modules in the work tree at root with the latest release.
func CompareAPI(ctx context.Context, root string) (a *API, err error) {
	a = &API{}
	g := git{ctx, root}
	if a.Since, err = g.latest(); err != nil || a.Since == "" {
		return a, err
	}
	old, err := os.MkdirTemp("", "zmy-api-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(old)
	if err := g.run("worktree", "add", "--quiet", "--detach", old, a.Since); err != nil {
		return nil, err
	}
	defer g.run("worktree", "remove", "--force", old)
	before, err := Modules(old)
	if err != nil {
		return nil, err
	}
	after, err := Modules(root)
	if err != nil {
		return nil, err
	}
	for _, m := range before {
		if !promised(m.Path) {
			continue
		}
		i := slices.IndexFunc(after, func(n *Module) bool { return n.Path == m.Path })
		if i < 0 {
			a.Incompatible = append(a.Incompatible, m.Path+": the module is no longer released")
			continue
		}
		if err := a.compare(ctx, m, filepath.Join(old, m.Dir), filepath.Join(root, after[i].Dir)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// latest returns the highest version among the tags of the first module, or "".
func (g git) latest() (string, error) {
	out, err := g.output("tag", "--list", "v*")
	if err != nil {
		return "", err
	}
	var versions []string
	for _, tag := range strings.Fields(out) {
		if semver.IsValid(tag) {
			versions = append(versions, tag)
		}
	}
	if len(versions) == 0 {
		return "", nil
	}
	return slices.MaxFunc(versions, semver.Compare), nil
}

// compare adds the changes of a module between two folders.
func (a *API) compare(ctx context.Context, m *Module, old, now string) error {
	before, err := exported(ctx, m, old)
	if err != nil {
		return err
	}
	after, err := exported(ctx, m, now)
	if err != nil {
		return err
	}
	for _, c := range apidiff.ModuleChanges(before, after).Changes {
		if c.Compatible {
			a.Compatible++
			continue
		}
		a.Incompatible = append(a.Incompatible, m.Path+": "+c.Message)
	}
	return nil
}

// exported loads the packages of a module that others may import.
func exported(ctx context.Context, m *Module, dir string) (*apidiff.Module, error) {
	cfg := &gopackages.Config{Context: ctx, Dir: dir, Mode: gopackages.NeedName | gopackages.NeedTypes}
	all, err := gopackages.Load(cfg, "./...")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	x := &apidiff.Module{Path: m.Path}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not compile: %w", p.PkgPath, p.Errors[0])
		}
		if p.Name != "main" && promised(p.PkgPath) {
			x.Packages = append(x.Packages, p.Types)
		}
	}
	slices.SortFunc(x.Packages, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return x, nil
}
