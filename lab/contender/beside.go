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

// Beside is a package that an experiment adds to the workers of all codecs, with the modules that
// it requires. Example: clients of stores. Its generic function With takes a worker.Contender[N] and
// returns one.
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
		out := *s
		out.Module = maps.Clone(s.Module)
		if out.Module == nil {
			out.Module = map[string][]byte{}
		}
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

// requiring returns a go.mod with the given requirements, for a contender that has none.
func requiring(modules []run.Module) []byte {
	text := []byte("module " + ModulePath + "\n")
	for _, m := range modules {
		if m.Version != "" {
			text = fmt.Appendf(text, "require %s %s\n", m.Path, m.Version)
		}
	}
	return text
}

// JoinMods returns go.mod mod with the requirements of other added. A module that both require gets
// the higher version.
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
