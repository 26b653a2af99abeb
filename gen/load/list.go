package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/gen/gocmd"
	"github.com/zmylab/zmy/gen/ir"
)

const listMode = packages.NeedName | packages.NeedFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedModule

// isFile reports whether the pattern is a Go file. github.com/nats-io/nats.go is a package.
func isFile(dir, pattern string) bool {
	if !strings.HasSuffix(pattern, ".go") {
		return false
	}
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(dir, pattern)
	}
	st, err := os.Stat(pattern)
	return err == nil && !st.IsDir()
}

// list asks the go command about the package. If it reports errors and the package has generated
// files of this project, list asks again with these files emptied. For example, a stale file may
// import a package that is gone, or have the former name of its package. That must not prevent its
// own renewal.
func list(ctx context.Context, cfg *Config, pattern string) (*packages.Package, error) {
	if isFile(cfg.Dir, pattern) {
		return nil, fmt.Errorf("load %s: this is a file; name the package's folder instead", pattern)
	}
	found, err := ask(ctx, cfg, pattern)
	if err == nil && len(found) == 1 && len(found[0].Errors) > 0 && cfg.hideOutput(found[0], pattern) {
		found, err = ask(ctx, cfg, pattern)
	}
	label := pattern
	if pattern == "." && cfg.Dir != "" {
		label = cfg.Dir
	}
	if cerr := ctx.Err(); cerr != nil {
		return nil, fmt.Errorf("load %s: %w", label, cerr)
	}
	if err != nil {
		return nil, explain(label, err.Error())
	}
	return single(label, found)
}

func ask(ctx context.Context, cfg *Config, pattern string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: listMode, Context: ctx, Dir: cfg.Dir, Env: gocmd.Env(cfg.Dir, cfg.Env),
		BuildFlags: cfg.BuildFlags, Overlay: cfg.Overlay,
	}, pattern)
}

// single returns the package if there is exactly one, else an error that says why not.
func single(label string, found []*packages.Package) (*packages.Package, error) {
	switch len(found) {
	case 0:
		return nil, explain(label, "matched no packages")
	case 1:
	default:
		return nil, severalError(label, found)
	}
	p := found[0]
	if len(p.GoFiles) == 0 {
		msg := "no Go files"
		if len(p.Errors) > 0 {
			msg = p.Errors[0].Msg
		}
		return nil, explain(label, msg)
	}
	var all ir.Problems
	for _, e := range p.Errors {
		all = append(all, ir.Problem{Pos: parsePos(e.Pos, dirOf(p)), Msg: firstLine(e.Msg), Hint: hintFor(e.Msg)})
	}
	return p, all.Err()
}

// hideOutput overlays the package's files that this project generated with empty ones. It reports
// whether there were any.
func (cfg *Config) hideOutput(p *packages.Package, pattern string) bool {
	dir := filepath.Join(cfg.Dir, pattern)
	if len(p.GoFiles) > 0 {
		dir = filepath.Dir(p.GoFiles[0])
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false
	}
	var ours []string
	name := p.Name
	for _, f := range files {
		src, err := readFile(f, cfg.Overlay)
		if err != nil {
			continue
		}
		if by := generatedBy(src); hidden(by) {
			ours = append(ours, f)
		} else if n := packageClause(src); n != "" && !strings.HasSuffix(f, "_test.go") {
			name = n
		}
	}
	overlay := map[string][]byte{}
	maps.Copy(overlay, cfg.Overlay)
	for _, f := range ours {
		overlay[f] = []byte("package " + name + "\n")
	}
	cfg.Overlay = overlay
	return len(ours) > 0
}

func readFile(name string, overlay map[string][]byte) ([]byte, error) {
	if src, ok := overlay[name]; ok {
		return src, nil
	}
	return os.ReadFile(name)
}

var errNoPackage = errors.New("package not found")

// Folders expands patterns. A pattern without "..." is kept. A pattern with "..." is replaced by
// the folders of the packages that it matches, relative to the current folder if they lie below it.
func Folders(ctx context.Context, cfg Config, patterns ...string) (out []string, err error) {
	for _, pattern := range patterns {
		if !strings.Contains(pattern, "...") {
			out = append(out, pattern)
			continue
		}
		found, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles, Context: ctx, Dir: cfg.Dir, Env: gocmd.Env(cfg.Dir, cfg.Env),
			BuildFlags: cfg.BuildFlags,
		}, pattern)
		if err != nil {
			return nil, explain(pattern, err.Error())
		}
		n := len(out)
		for _, p := range found {
			if len(p.GoFiles) > 0 {
				out = append(out, relative(filepath.Dir(p.GoFiles[0]), cfg.Dir))
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("%s matches no package", pattern)
		}
	}
	return out, nil
}

// relative returns dir relative to base, or dir itself if it does not lie below base.
func relative(dir, base string) string {
	base, err := filepath.Abs(base)
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(base, dir)
	if err != nil || strings.HasPrefix(rel, "..") {
		return dir
	}
	return "./" + filepath.ToSlash(rel)
}

// Links looks for the packages names in the package path and in all packages that it imports. It
// returns the import path of one that it finds, or "". path is the import path of a package that p
// imports, directly or not.
func (p *Pkg) Links(path string, names ...string) (found string) {
	visit := func(root *packages.Package, do func(m *packages.Package)) {
		packages.Visit([]*packages.Package{root}, nil, do)
	}
	visit(p.unit.meta, func(from *packages.Package) {
		if from.PkgPath != path {
			return
		}
		visit(from, func(m *packages.Package) {
			if slices.Contains(names, m.PkgPath) {
				found = m.PkgPath
			}
		})
	})
	return found
}
