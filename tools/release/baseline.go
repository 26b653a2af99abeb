package release

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	gopackages "golang.org/x/tools/go/packages"
)

// Baseline is the folder, below the repository's root, with the exported API that the main branch holds
// to: a file for each module, with a line for each declaration.
const Baseline = "tools/release/api"

// heading begins each file of the baseline.
const heading = "# The exported API of %s. A line that goes or changes is an incompatible change: make api\n" +
	"# refuses it. make api-update writes the file anew.\n"

// Drift is how the exported API differs from the baseline.
type Drift struct {
	Gone  []string // declarations of the baseline that are not there, or not the same
	Added int      // declarations that the baseline does not have
	Held  int      // declarations of the baseline
	same  int      // of them, how many are there as they were
}

// promised reports whether the exported names of a package are part of the API that docs/support.md
// promises. Those of the modules below serve commands, which are the interface.
func promised(path string) bool {
	for _, not := range []string{"cmd/zmy", "examples", "gen", "lab", "scan", "spec"} {
		if path == root+"/"+not || strings.HasPrefix(path, root+"/"+not+"/") {
			return false
		}
	}
	return !slices.Contains(strings.Split(path, "/"), "internal")
}

// CheckBaseline compares the exported API of the released modules in the work tree at dir with the
// baseline. Unlike [CompareAPI] it needs no release, and takes seconds once the packages are built.
func CheckBaseline(ctx context.Context, dir string) (*Drift, error) {
	now, err := exportedNow(ctx, dir)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, Baseline, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no files; write them by make api-update", Baseline)
	}
	d := &Drift{}
	known := map[string]bool{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pkg := ""
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
			line := s.Text()
			if path, ok := strings.CutPrefix(line, "package "); ok {
				pkg, known[path] = path, true
				if now[pkg] == nil {
					d.Gone = append(d.Gone, pkg+": the package is gone")
				}
			} else if line != "" && line[0] != '#' {
				d.compare(pkg, line, now[pkg])
			}
		}
	}
	for pkg, lines := range now {
		d.Added += len(lines)
		if !known[pkg] {
			d.Added++ // the package
		}
	}
	d.Added -= d.same
	return d, nil
}

// compare looks for a declaration of the baseline among those of its package now.
func (d *Drift) compare(pkg, line string, now []string) {
	d.Held++
	if slices.Contains(now, line) {
		d.same++
		return
	}
	what := "is gone"
	for _, other := range now {
		if subject(other) == subject(line) {
			what = "is now: " + other
		}
	}
	d.Gone = append(d.Gone, fmt.Sprintf("%s: %s: %s", pkg, line, what))
}

// subjects matches what a declaration declares: "func Marshal", "field Reader.Limit", "method (*Reader) Read".
var subjects = regexp.MustCompile(`^(method \(\*?\w+\) \w+|\w+ [\w.]+)`)

func subject(line string) string { return strings.Replace(subjects.FindString(line), "(*", "(", 1) }

// WriteBaseline writes the exported API of the released modules in the work tree at dir as the baseline.
func WriteBaseline(ctx context.Context, dir string) error {
	now, err := exportedNow(ctx, dir)
	if err != nil {
		return err
	}
	modules, err := Modules(dir)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, Baseline)
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o755)); err != nil {
		return err
	}
	files := map[string]*bytes.Buffer{}
	paths := []string{}
	for path := range now {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		m := owner(modules, path)
		name := "zmy.txt"
		if m.Dir != "." {
			name = strings.ReplaceAll(m.Dir, "/", ".") + ".txt"
		}
		if files[name] == nil {
			files[name] = bytes.NewBufferString(fmt.Sprintf(heading, m.Path))
		}
		fmt.Fprintf(files[name], "\npackage %s\n%s\n", path, strings.Join(now[path], "\n"))
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(to, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// owner returns the module of a package: the one with the longest path that begins the package's.
func owner(modules []*Module, pkg string) *Module {
	var best *Module
	for _, m := range modules {
		if (pkg == m.Path || strings.HasPrefix(pkg, m.Path+"/")) && (best == nil || len(m.Path) > len(best.Path)) {
			best = m
		}
	}
	return best
}

// exportedNow returns the declarations of each package with a promise, by its path, as they are for
// Linux on amd64.
func exportedNow(ctx context.Context, dir string) (map[string][]string, error) {
	modules, err := Modules(dir)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, m := range modules {
		if promised(m.Path) {
			patterns = append(patterns, "./"+m.Dir+"/...")
		}
	}
	cfg := &gopackages.Config{Context: ctx, Dir: dir, Mode: gopackages.NeedName,
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64")}
	names, err := gopackages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	patterns = patterns[:0]
	for _, p := range names {
		if p.Name != "main" && promised(p.PkgPath) {
			patterns = append(patterns, p.PkgPath)
		}
	}
	cfg.Mode |= gopackages.NeedTypes
	all, err := gopackages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	now := map[string][]string{}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not compile: %w", p.PkgPath, p.Errors[0])
		}
		now[p.PkgPath] = append([]string{}, declarations(p.Types)...)
	}
	return now, nil
}
