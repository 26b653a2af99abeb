// Pin writes mod.txt and go.sum of the adapters anew. Run it in the lab's folder,
// after the versions of the direct requirements in mod.txt were changed:
//
//	go run ./contender/pin [name…]
//
// A name with a slash is a folder of such files that is no adapter: experiment/stores/client.
//
// It tidies each adapter's module, with the worker it imports beside it, and
// keeps the result without the worker.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/contender"
)

func main() {
	names := os.Args[1:]
	if len(names) == 0 {
		found, err := filepath.Glob("contender/codecs/*/adapter/mod.txt")
		if err != nil {
			fail(err)
		}
		for _, f := range found {
			names = append(names, filepath.Base(filepath.Dir(filepath.Dir(f))))
		}
		names = append(names, "experiment/stores/client")
	}
	for _, name := range names {
		if err := pin(name); err != nil {
			fail(fmt.Errorf("%s: %w", name, err))
		}
		fmt.Println("pinned", name)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "pin:", err)
	os.Exit(1)
}

func pin(name string) error {
	tmp, err := os.MkdirTemp("", "pin-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := fill(name, tmp); err != nil {
		return err
	}
	cmd := exec.Command("go", "mod", "tidy")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy: %w\n%s", err, out)
	}
	if !strings.Contains(name, "/") {
		name = filepath.Join("contender/codecs", name, "adapter")
	}
	return keep(tmp, name)
}

// fill writes the adapter's module and, as a module beside it, the worker.
func fill(name, tmp string) error {
	files, err := folder(name)
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", files["go.mod"], nil)
	if err != nil {
		return err
	}
	if err := f.AddReplace(contender.LabPath, "", "./lab", ""); err != nil {
		return err
	}
	if files["go.mod"], err = f.Format(); err != nil {
		return err
	}
	beside, err := contender.LabModule(os.DirFS("."))
	if err != nil {
		return err
	}
	for name, text := range beside {
		files["lab/"+name] = text
	}
	for name, data := range files {
		to := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, contender.Relocate(data), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// folder reads an adapter, or a folder that has the form of one.
func folder(name string) (map[string][]byte, error) {
	if !strings.Contains(name, "/") {
		return contender.Adapter(name)
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		to := e.Name()
		switch {
		case to == "mod.txt":
			to = "go.mod"
		case strings.HasSuffix(to, ".go"):
			to = "adapter/" + to
		}
		if files[to], err = os.ReadFile(filepath.Join(name, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// keep copies what tidy made, without the worker.
func keep(tmp, dir string) error {
	data, err := os.ReadFile(filepath.Join(tmp, "go.mod"))
	if err != nil {
		return err
	}
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	if err := f.DropReplace(contender.LabPath, ""); err != nil {
		return err
	}
	if err := f.DropRequire(contender.LabPath); err != nil {
		return err
	}
	f.Cleanup()
	if data, err = f.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "mod.txt"), data, 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(tmp, "go.sum"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}
