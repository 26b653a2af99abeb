package contender

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/run"
)

// The folder adapter of a codec holds *.go files, which `//go:build ignore` leaves out of this
// module's own builds. For a codec with dependencies it also holds mod.txt and go.sum, which become
// the go.mod and go.sum of the contender's temporary module. Text that several adapters import lies
// in folders of shared; a module gets a copy of each folder that its adapter imports.
//
//go:embed codecs/*/adapter shared
var adapters embed.FS

// Import is the import spec of package adapter in a contender's module.
const Import = `zzadapter "` + ModulePath + `/adapter"`

// Adapter returns the adapter of codec name as files of a module, for [Sources.Module].
func Adapter(name string) (map[string][]byte, error) {
	text, err := fs.Sub(adapters, "codecs/"+name+"/adapter")
	if err != nil {
		return nil, err
	}
	shared, err := fs.Sub(adapters, "shared")
	if err != nil {
		return nil, err
	}
	files, err := AdapterModule(text, shared)
	if err != nil {
		return nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	return files, nil
}

// AdapterModule returns the files of a module made of an adapter's folder and of the folders of
// shared that it imports.
func AdapterModule(text, shared fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	if err := AddFolder(files, text, ".", "adapter"); err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"adapter/mod.txt": "go.mod", "adapter/go.sum": "go.sum"} {
		if data, ok := files[from]; ok {
			files[to] = data
			delete(files, from)
		}
	}
	dirs, err := fs.ReadDir(shared, ".")
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		spec := []byte(strconv.Quote(ModulePath + "/" + d.Name()))
		if slices.ContainsFunc(slices.Collect(maps.Values(files)), func(src []byte) bool { return bytes.Contains(src, spec) }) {
			err = errors.Join(err, AddFolder(files, shared, d.Name(), d.Name()))
		}
	}
	return files, err
}

// AddFolder adds the files of folder dir to the files of a module, below folder to.
func AddFolder(files map[string][]byte, from fs.FS, dir, to string) error {
	entries, err := fs.ReadDir(from, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if files[path.Join(to, e.Name())], err = fs.ReadFile(from, path.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Write writes files, given by path with slashes, below dir.
func Write[T ~string | ~[]byte](dir string, files map[string]T) error {
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Bind returns sources with the adapter of that name, whose contender is the Go expression main.
func Bind(adapter, main string) (*Sources, error) {
	files, err := Adapter(adapter)
	if err != nil {
		return nil, err
	}
	return &Sources{Package: map[string][]byte{}, Module: files, Imports: []string{Import}, Main: main}, nil
}

// Pins returns the direct requirements in a codec's mod.txt, or nil without that file.
func Pins(name string) []run.Module {
	file := "codecs/" + name + "/adapter/mod.txt"
	data, err := adapters.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	mods, err := pins(data)
	if err != nil {
		panic("contender: " + file + ": " + err.Error()) // a committed file; a test reads it
	}
	return mods
}

func pins(mod []byte) ([]run.Module, error) {
	if mod == nil {
		return nil, nil
	}
	f, err := modfile.Parse("mod.txt", mod, nil)
	if err != nil {
		return nil, err
	}
	var out []run.Module
	for _, r := range f.Require {
		if !r.Indirect {
			out = append(out, run.Module{Path: r.Mod.Path, Version: r.Mod.Version})
		}
	}
	return out, nil
}
