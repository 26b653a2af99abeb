package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Modules returns the folders of the modules that go.work in the folder top lists. Folders that do
// not exist are left out.
func Modules(top string) ([]string, error) {
	out, err := run(top, nil, "go", "work", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return nil, fmt.Errorf("go work edit -json: %w", err)
	}
	var dirs []string
	for _, u := range work.Use {
		dir := filepath.Join(top, filepath.FromSlash(u.DiskPath))
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// List returns the packages of the module in dir. A package that does not load, because a
// dependency cannot be downloaded for instance, has the facts that are known.
func List(dir string) ([]Package, error) {
	out, err := run(dir, nil, "go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	var packages []Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		packages = append(packages, Package{
			Path:    p.ImportPath,
			Imports: p.Imports,
			Tests:   append(p.TestImports, p.XTestImports...),
		})
	}
}

// Dependencies returns the packages that the core module at top needs on any of the platforms, such
// as "linux/arm64". It leaves out packages of the standard library and of the core module. It also
// returns the modules that go.mod of the core module requires. There should be neither.
func Dependencies(top string, platforms ...string) ([]string, error) {
	var out []string
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		env := []string{"GOWORK=off", "GOOS=" + goos, "GOARCH=" + goarch}
		list, err := run(top, env, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")
		if err != nil {
			return nil, err
		}
		for _, p := range strings.Fields(string(list)) {
			if !isCore(p) {
				out = append(out, p+" on "+platform)
			}
		}
	}
	mods, err := run(top, []string{"GOWORK=off"}, "go", "list", "-m", "all")
	for _, m := range strings.Fields(string(mods)) {
		if m != Module {
			out = append(out, "go.mod requires "+m)
		}
	}
	return out, err
}

// Files returns the slash paths of the committed files. Without a git repository it returns all
// files except those in folders that builds create.
func Files(top string) ([]string, error) {
	if out, err := run(top, nil, "git", "ls-files", "-z"); err == nil {
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
	}
	var names []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch d.Name() {
		case ".git", "bin", "zmylab", "target", "node_modules":
			if d.IsDir() {
				return filepath.SkipDir
			}
		}
		if d.Type().IsRegular() {
			rel, err := filepath.Rel(top, path)
			names = append(names, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	return names, err
}

func run(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}
