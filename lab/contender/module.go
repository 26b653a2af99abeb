package contender

import (
	"bytes"
	"context"
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
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// NOTE: a worker is built from modules in a temporary workspace. The contender's own module has the
// codec's adapter with the requirements that are pinned for it (Adapter). The lab's module has
// copies of the packages that run in workers (LabModule). An experiment can add a package to the
// contender's module (With); its go.mod is then joined with the codec's.

// The folder adapter of a codec holds *.go files, which `//go:build ignore` leaves out of this
// module's own builds. For a codec with dependencies it also holds mod.txt and go.sum, which become
// the go.mod and go.sum of the contender's temporary module. Packages that several adapters import
// are folders of shared; a module gets a copy of each folder that its adapter imports.
//
//go:embed codecs/*/adapter shared
var adapters embed.FS

// Import is the import spec of package adapter in a contender's module.
const Import = `zzadapter "` + ModulePath + `/adapter"`

// Adapter returns the adapter of codec name as files of a module, for [Sources.Module].
func Adapter(name string) (map[string][]byte, error) {
	files, err := AdapterModule(adapters, "codecs/"+name+"/adapter", "shared")
	if err != nil {
		return nil, fmt.Errorf("adapter %s: %w", name, err)
	}
	return files, nil
}

// AdapterModule returns the files of a module made of an adapter's folder and of the folders of
// shared that it imports.
func AdapterModule(from fs.FS, adapter, shared string) (map[string][]byte, error) {
	files := map[string][]byte{}
	if err := AddFolder(files, from, adapter, "adapter"); err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"adapter/mod.txt": "go.mod", "adapter/go.sum": "go.sum"} {
		if data, ok := files[from]; ok {
			files[to] = data
			delete(files, from)
		}
	}
	dirs, err := fs.ReadDir(from, shared)
	if err != nil {
		return nil, err
	}
	// Folders of shared do not import one another, so one pass finds all of them.
	for _, d := range dirs {
		spec := []byte(strconv.Quote(ModulePath + "/" + d.Name()))
		if slices.ContainsFunc(slices.Collect(maps.Values(files)), func(src []byte) bool { return bytes.Contains(src, spec) }) {
			err = errors.Join(err, AddFolder(files, from, shared+"/"+d.Name(), d.Name()))
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
		panic("contender: " + file + ": " + err.Error()) // cannot happen: the file is embedded, and a test parses it
	}
	return mods
}

func pins(mod []byte) ([]run.Module, error) {
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

// MinGo is the go line of the modules that the lab writes.
const MinGo = "1.25"

// beside are the packages of the core module that workers need, by their folders in the lab's
// module. They are copied there, since workers must not require the core module.
var beside = map[string]fs.FS{"openloop": openloop.Source, "fit": fit.Source}

// besidePaths are the import paths of the packages in beside.
var besidePaths = map[string]string{"openloop": RuntimePath + "/internal/openloop", "fit": RuntimePath + "/codec/capture/fit"}

// Relocate returns source of this project as it is compiled in the temporary workspace. Imports of
// copied packages name the copies, and the build tag that hides adapters from the repository's own
// builds is removed.
func Relocate(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("//go:build ignore\n"))
	src = bytes.ReplaceAll(src, []byte(`"`+RuntimePath+"/lab/"), []byte(`"`+LabPath+"/"))
	for dir, from := range besidePaths {
		src = bytes.ReplaceAll(src, []byte(`"`+from+`"`), []byte(`"`+LabPath+"/"+dir+`"`))
	}
	return src
}

// Files returns the files that match the patterns, by path, with their source relocated. It leaves
// out tests and embed.go, the file with which a package embeds its own source.
func Files(from fs.FS, patterns ...string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, pattern := range patterns {
		names, err := fs.Glob(from, pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: no such source", pattern)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || path.Base(name) == "embed.go" {
				continue
			}
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			out[name] = Relocate(text)
		}
	}
	return out, nil
}

// LabModule returns the files of the lab's module in the temporary workspace, which workers import.
// sources holds the folders worker, fidelity and values.
func LabModule(sources fs.FS) (map[string][]byte, error) {
	files, err := Files(sources, "worker/*.go", "worker/*/*.go", "fidelity/*.go", "values/*.go")
	if err != nil {
		return nil, fmt.Errorf("the lab's own sources: %w", err)
	}
	for dir, from := range beside {
		texts, err := Files(from, "*.go")
		if err != nil {
			return nil, err
		}
		for name, text := range texts {
			files[dir+"/"+name] = text
		}
	}
	files["go.mod"] = []byte("module " + LabPath + "\n\ngo " + MinGo + "\n")
	return files, nil
}

// Beside is a package that an experiment adds to the workers of all codecs, with the modules that
// it requires. Example: clients of stores. Its generic function With takes a worker.Contender[N]
// and returns one.
type Beside struct {
	Name  string            // name of the package and of its folder in the contender's module
	Files map[string][]byte // its *.go files by name
	Mod   []byte            // go.mod of module [ModulePath] with the package's requirements
	Sum   []byte            // its go.sum
}

// ReadBeside reads a package from a folder with *.go files, mod.txt in place of go.mod, and go.sum.
func ReadBeside(from fs.FS, dir, name string) (*Beside, error) {
	files := map[string][]byte{}
	if err := AddFolder(files, from, dir, "."); err != nil {
		return nil, err
	}
	p := &Beside{Name: name, Files: files, Mod: files["mod.txt"], Sum: files["go.sum"]}
	delete(files, "mod.txt")
	delete(files, "go.sum")
	return p, nil
}

// With returns the contender with package p added to its worker.
func (i Info) With(p *Beside) (Info, error) {
	requires, err := pins(p.Mod)
	if err != nil {
		return Info{}, fmt.Errorf("package %s: %w", p.Name, err)
	}
	i.Beside = append(slices.Clip(i.Beside), requires...)
	codec := i.Generate
	i.Generate = func(ctx context.Context, t *Target, tools Tools) (*Sources, error) {
		s, err := codec(ctx, t, tools)
		if err != nil {
			return nil, err
		}
		out := *s // a codec may return the same sources again, for a worker without the package
		out.Module = map[string][]byte{}
		maps.Copy(out.Module, s.Module)
		mod := s.Module["go.mod"]
		if mod == nil {
			mod = requiring(i.Modules)
		}
		if out.Module["go.mod"], err = JoinMods(p.Mod, mod); err != nil {
			return nil, fmt.Errorf("package %s: %w", p.Name, err)
		}
		out.Module["go.sum"] = slices.Concat(s.Module["go.sum"], p.Sum)
		for name, data := range p.Files {
			out.Module[p.Name+"/"+name] = data
		}
		out.Imports = append(slices.Clip(s.Imports), "zz"+p.Name+" "+strconv.Quote(ModulePath+"/"+p.Name))
		out.Main = "zz" + p.Name + ".With(" + s.Main + ")"
		return &out, nil
	}
	return i, nil
}

// requiring returns a go.mod with the given requirements, for a contender without a go.mod.
func requiring(modules []run.Module) []byte {
	text := []byte("module " + ModulePath + "\n")
	for _, m := range modules {
		if m.Version != "" {
			text = fmt.Appendf(text, "require %s %s\n", m.Path, m.Version)
		}
	}
	return text
}

// JoinMods returns mod, the text of a go.mod, with the requirements and replacements of other
// added. The higher version of each module wins, and so does the higher go line.
func JoinMods(mod, other []byte) ([]byte, error) {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	for _, r := range f.Require {
		have[r.Mod.Path] = r.Mod.Version
	}
	o, err := modfile.Parse("go.mod", other, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range o.Require {
		if semver.Compare(r.Mod.Version, have[r.Mod.Path]) > 0 {
			err = errors.Join(err, f.AddRequire(r.Mod.Path, r.Mod.Version))
		}
	}
	if o.Go != nil && (f.Go == nil || semver.Compare("v"+o.Go.Version, "v"+f.Go.Version) > 0) {
		err = errors.Join(err, f.AddGoStmt(o.Go.Version))
	}
	for _, r := range o.Replace {
		err = errors.Join(err, f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
	}
	if err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}
