// Package contenders creates and maintains contenders of the lab: it makes the folder of a new
// contender, and pins the modules of all contenders.
package contenders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/contender"
)

const (
	codecs  = "contender/codecs" // relative to lab
	clients = "experiment/stores/client"
	sizes   = "contender/sizes.txt"
)

// Pinned returns the names that Pin accepts.
func Pinned(lab string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(lab), codecs+"/*/adapter/mod.txt")
	for i, file := range names {
		names[i] = path.Base(strings.TrimSuffix(file, "/adapter/mod.txt"))
	}
	return append(names, clients), err
}

// Pin writes mod.txt and go.sum of a contender's adapter after its sources, or the versions in
// mod.txt, have changed. It tidies a module of the adapter and the worker that the adapter imports,
// and keeps the result without the worker. A name with a slash is a folder in lab that has these
// two files.
func Pin(ctx context.Context, lab, name string) error {
	if !strings.Contains(name, "/") {
		name = codecs + "/" + name + "/adapter"
	}
	tmp, err := os.MkdirTemp("", "pin-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	files, err := contender.AdapterModule(os.DirFS(lab), name, "contender/shared")
	if err != nil {
		return err
	}
	beside, err := contender.LabModule(os.DirFS(lab))
	if err != nil {
		return err
	}
	for file, text := range beside {
		files["lab/"+file] = text
	}
	// go mod tidy must find the worker, which adapters import. The path of the worker's module
	// exists only in temporary workspaces. So here too the module is a folder next to the adapter.
	if files["go.mod"], err = edit(files["go.mod"], func(f *modfile.File) error {
		return f.AddReplace(contender.LabPath, "", "./lab", "")
	}); err != nil {
		return err
	}
	for file := range files {
		files[file] = contender.Relocate(files[file])
	}
	if err := contender.Write(tmp, files); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy: %w\n%s", err, out)
	}
	to := filepath.Join(lab, filepath.FromSlash(name))
	if err := keep(tmp, to); err != nil || !strings.HasPrefix(name, codecs) {
		return err
	}
	return weigh(ctx, filepath.Join(lab, sizes), filepath.Join(to, "mod.txt"))
}

// weigh adds the modules that file mod requires to the list of sizes, by which the lab says what it has to
// download. It downloads those that are not in the list.
func weigh(ctx context.Context, list, mod string) error {
	have, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(mod, text, nil)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(have)), "\n")
	for _, r := range f.Require {
		key := r.Mod.Path + " " + r.Mod.Version + " "
		if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, key) }) {
			continue
		}
		cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", r.Mod.Path+"@"+r.Mod.Version)
		cmd.Dir = os.TempDir()
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("go mod download %s: %w\n%s", r.Mod, err, out)
		}
		var got struct{ Zip string }
		if err := json.Unmarshal(out, &got); err != nil {
			return err
		}
		zip, err := os.Stat(got.Zip)
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprint(key, zip.Size()))
	}
	slices.Sort(lines)
	return os.WriteFile(list, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// keep copies the tidied files, without the requirement of the worker.
func keep(tmp, to string) error {
	mod, err := os.ReadFile(filepath.Join(tmp, "go.mod"))
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	if files["mod.txt"], err = edit(mod, func(f *modfile.File) error {
		return errors.Join(f.DropReplace(contender.LabPath, ""), f.DropRequire(contender.LabPath))
	}); err != nil {
		return err
	}
	if files["go.sum"], err = os.ReadFile(filepath.Join(tmp, "go.sum")); errors.Is(err, fs.ErrNotExist) {
		delete(files, "go.sum")
	} else if err != nil {
		return err
	}
	return contender.Write(to, files)
}

func edit(mod []byte, change func(*modfile.File) error) ([]byte, error) {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	if err := change(f); err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}
