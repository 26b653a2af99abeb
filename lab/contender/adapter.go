package contender

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab/run"
)

// A folder of adapters holds *.go files (left out of this module's own builds by
// `//go:build ignore`), and for codecs with dependencies mod.txt and go.sum, which
// become the go.mod and go.sum of the contender's temporary module.
//
//go:embed adapters
var adapters embed.FS

// Import is the import spec of the package adapter of a contender's module.
const Import = `zzadapter "` + ModulePath + `/adapter"`

// Adapter returns the files of adapters/<name> as [Sources.Module] wants them,
// and the requirements that its mod.txt pins, indirect ones left out.
func Adapter(name string) (files map[string][]byte, mods []run.Module, err error) {
	dir := "adapters/" + name
	entries, err := adapters.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	files = map[string][]byte{}
	for _, e := range entries {
		data, err := adapters.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, err
		}
		switch {
		case e.Name() == "mod.txt":
			files["go.mod"] = data
		case strings.HasSuffix(e.Name(), ".go"):
			files["adapter/"+e.Name()] = data
		default:
			files[e.Name()] = data
		}
	}
	mods, err = pins(files["go.mod"])
	return files, mods, err
}

// Pins returns the requirements of adapters/<name>, which must exist.
func Pins(name string) []run.Module {
	data, err := adapters.ReadFile("adapters/" + name + "/mod.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	mods, err := pins(data)
	if err != nil {
		panic("contender: adapters/" + name + "/mod.txt: " + err.Error()) // a committed file; a test reads it
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
