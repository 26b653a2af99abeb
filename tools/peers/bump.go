package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/zmylab/zmy/tools/contenders"
)

// Bump raises the requirements of stale peers in all files, and tidies the modules. It returns the
// files with raised requirements. Days of release that contenders state are raised as well; the
// table in lab/contender/codecs/README.md is not.
func Bump(ctx context.Context, root string, peers []*Peer) ([]string, error) {
	files, err := Raise(root, peers)
	if err != nil {
		return nil, err
	}
	more, err := dependents(root, files)
	if err != nil {
		return files, err
	}
	for _, file := range append(more, files...) {
		if err := tidy(ctx, root, file); err != nil {
			return files, fmt.Errorf("%s: %w", file, err)
		}
	}
	return files, nil
}

// dependents returns the go.mod files of this repository that require a module whose go.mod is among
// files. They name the module's requirements as indirect ones.
func dependents(root string, files []string) ([]string, error) {
	raised := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		raised[modfile.ModulePath(data)] = path.Base(file) == "go.mod"
	}
	mods, err := goMods(root)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, file := range mods {
		if err := requires(root, file, func(path string, u Use) {
			if raised[path] && !slices.Contains(files, u.File) && !slices.Contains(out, u.File) {
				out = append(out, u.File)
			}
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Raise writes the newest versions of stale peers into go.mod and mod.txt files, and their days
// into the contenders. It tidies nothing. It returns the changed go.mod and mod.txt files.
func Raise(root string, peers []*Peer) ([]string, error) {
	to := map[string]map[string]string{} // file and module path to the new version
	var days []error
	for _, p := range peers {
		if !p.Stale() {
			continue
		}
		for _, u := range p.Uses {
			if semver.Compare(u.Version, p.Newest.Name) >= 0 {
				continue
			}
			if to[u.File] == nil {
				to[u.File] = map[string]string{}
			}
			to[u.File][p.Path] = p.Newest.Name
			if dir, ok := strings.CutSuffix(u.File, "/adapter/mod.txt"); ok {
				days = append(days, redate(filepath.Join(root, filepath.FromSlash(dir)), p.Have.Day, p.Newest.Day))
			}
		}
	}
	var files []string
	for file, versions := range to {
		if err := require(filepath.Join(root, filepath.FromSlash(file)), versions); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	slices.Sort(files)
	return files, errors.Join(days...)
}

// require raises requirements of a go.mod file.
func require(file string, versions map[string]string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(file, data, nil)
	if err != nil {
		return err
	}
	for path, version := range versions {
		err = errors.Join(err, f.AddRequire(path, version))
	}
	if err != nil {
		return err
	}
	f.Cleanup()
	if data, err = f.Format(); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// released finds the day of release that a contender states.
var released = regexp.MustCompile(`Released:\s+"\d{4}-\d\d-\d\d`)

// redate replaces a day of release in the Go files of a contender's folder. Files that state another
// day, that of another module, stay.
func redate(dir, from, to string) error {
	if from == "" || to == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		changed := released.ReplaceAllFunc(text, func(s []byte) []byte {
			return bytes.Replace(s, []byte(`"`+from), []byte(`"`+to), 1)
		})
		if bytes.Equal(changed, text) {
			continue
		}
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tidy brings a module's other requirements and its go.sum up to date.
func tidy(ctx context.Context, root, file string) error {
	if name, ok := strings.CutSuffix(file, "/adapter/mod.txt"); ok {
		return contenders.Pin(ctx, filepath.Join(root, "lab"), path.Base(name))
	}
	if name, ok := strings.CutSuffix(file, "/mod.txt"); ok {
		return contenders.Pin(ctx, filepath.Join(root, "lab"), strings.TrimPrefix(name, "lab/"))
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
	cmd.Dir = filepath.Join(root, filepath.FromSlash(path.Dir(file)))
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy: %w\n%s", err, out)
	}
	return nil
}
