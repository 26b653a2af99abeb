package contender

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/run"
)

// The folder adapter of a codec holds *.go files (left out of this module's own builds by
// `//go:build ignore`), and for codecs with dependencies mod.txt and go.sum, which
// become the go.mod and go.sum of the contender's temporary module. What several
// adapters share lies in folders of shared; the module of an adapter that imports
// one has it.
//
//go:embed codecs/*/adapter shared
var adapters embed.FS

// Import is the import spec of the package adapter of a contender's module.
const Import = `zzadapter "` + ModulePath + `/adapter"`

// Adapter returns the files of codecs/<name>/adapter as [Sources.Module] wants them.
func Adapter(name string) (map[string][]byte, error) {
	found, err := folder(adapterDir(name))
	if err != nil {
		return nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	files := map[string][]byte{}
	for file, data := range found {
		switch {
		case file == "mod.txt":
			files["go.mod"] = data
		case strings.HasSuffix(file, ".go"):
			files["adapter/"+file] = data
		default:
			files[file] = data
		}
	}
	if err := addShared(files); err != nil {
		return nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	return files, nil
}

func adapterDir(name string) string { return "codecs/" + name + "/adapter" }

// Bind returns sources that are the adapter of that name, bound by the expression main.
func Bind(adapter, main string) (*Sources, error) {
	files, err := Adapter(adapter)
	if err != nil {
		return nil, err
	}
	return &Sources{Package: map[string][]byte{}, Module: files, Imports: []string{Import}, Main: main}, nil
}

// addShared adds the folders of shared that the adapter imports.
func addShared(files map[string][]byte) error {
	dirs, err := adapters.ReadDir("shared")
	if err != nil {
		return err
	}
	for _, d := range dirs {
		spec := []byte(strconv.Quote(ModulePath + "/" + d.Name()))
		if !slices.ContainsFunc(slices.Collect(maps.Values(files)), func(src []byte) bool { return bytes.Contains(src, spec) }) {
			continue
		}
		found, err := folder("shared/" + d.Name())
		if err != nil {
			return err
		}
		for file, data := range found {
			files[d.Name()+"/"+file] = data
		}
	}
	return nil
}

// folder reads the files of an embedded folder.
func folder(dir string) (map[string][]byte, error) {
	entries, err := adapters.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = adapters.ReadFile(path.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Pins returns the requirements of a codec's mod.txt, indirect ones left out; none without the file.
func Pins(name string) []run.Module {
	data, err := adapters.ReadFile(adapterDir(name) + "/mod.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	mods, err := pins(data)
	if err != nil {
		panic("contender: " + adapterDir(name) + "/mod.txt: " + err.Error()) // a committed file; a test reads it
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
