package contender

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/zmylab/zmy/lab/run"
)

// Beside is a package that an experiment adds to the workers of all codecs, with what it
// requires: clients of stores, say.
type Beside struct {
	Name  string            // of the package, and of its folder in the contender's module
	Files map[string][]byte // its *.go
	Mod   []byte            // a go.mod of module [ModulePath] with what it requires
	Sum   []byte            // its go.sum
	Wrap  string            // its generic function that takes a worker.Contender[N] and returns one
}

// ReadBeside reads a package from a folder: its *.go, mod.txt for go.mod, and go.sum. Its function
// With is what wraps contenders.
func ReadBeside(from fs.FS, dir, name string) (*Beside, error) {
	files := map[string][]byte{}
	if err := AddFolder(files, from, dir, "."); err != nil {
		return nil, err
	}
	p := &Beside{Name: name, Files: files, Wrap: "With", Mod: files["mod.txt"], Sum: files["go.sum"]}
	delete(files, "mod.txt")
	delete(files, "go.sum")
	return p, nil
}

// With is the contender with a package beside its codec.
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
		out := *s
		out.Module = maps.Clone(s.Module)
		if out.Module == nil {
			out.Module = map[string][]byte{}
		}
		if out.Module["go.mod"], err = bothMods(s.Module["go.mod"], p.Mod, i.Modules); err != nil {
			return nil, fmt.Errorf("package %s: %w", p.Name, err)
		}
		out.Module["go.sum"] = slices.Concat(s.Module["go.sum"], p.Sum)
		for name, data := range p.Files {
			out.Module[p.Name+"/"+name] = data
		}
		out.Imports = append(slices.Clip(s.Imports), "zz"+p.Name+" "+strconv.Quote(ModulePath+"/"+p.Name))
		out.Main = "zz" + p.Name + "." + p.Wrap + "(" + s.Main + ")"
		return &out, nil
	}
	return i, nil
}

// bothMods is a go.mod with what two of them require, each module at the higher version. A
// contender without one requires what it has pinned.
func bothMods(codec, beside []byte, pinned []run.Module) ([]byte, error) {
	f, err := modfile.Parse("go.mod", beside, nil)
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	for _, r := range f.Require {
		have[r.Mod.Path] = r.Mod.Version
	}
	add := func(path, version string) error {
		if version == "" || semver.Compare(version, have[path]) <= 0 {
			return nil
		}
		have[path] = version
		return f.AddRequire(path, version)
	}
	if codec == nil {
		for _, m := range pinned {
			err = errors.Join(err, add(m.Path, m.Version))
		}
	} else {
		own, perr := modfile.Parse("go.mod", codec, nil)
		if perr != nil {
			return nil, perr
		}
		for _, r := range own.Require {
			err = errors.Join(err, add(r.Mod.Path, r.Mod.Version))
		}
		if own.Go != nil && semver.Compare("v"+own.Go.Version, "v"+f.Go.Version) > 0 {
			err = errors.Join(err, f.AddGoStmt(own.Go.Version))
		}
		for _, r := range own.Replace {
			err = errors.Join(err, f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
		}
	}
	if err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}
