package print

import (
	"go/token"
	"go/types"
	"path"
	"regexp"

	"github.com/zmylab/zmy/gen/ir"
)

// Pkg is an imported package.
type Pkg struct {
	Path string
	Name string // as in its package clause
}

// Package returns the package with that import path. It assumes that the package's name is the
// path's last element, apart from a version such as v2.
func Package(importPath string) Pkg { return Pkg{importPath, lastElem(importPath)} }

// Ident is an identifier of another package, for [File.P].
type Ident struct {
	Pkg  Pkg
	Name string
}

// Ident returns the identifier with that name in the package.
func (p Pkg) Ident(name string) Ident { return Ident{p, name} }

var version = regexp.MustCompile(`^v[0-9]+$`)

func lastElem(importPath string) string {
	base := path.Base(importPath)
	if dir := path.Dir(importPath); version.MatchString(base) && dir != "." {
		return path.Base(dir)
	}
	return base
}

// Unique returns a new name for a package-level declaration or an import: want, or want with a
// number. Each call returns another name.
func (f *File) Unique(want string) string {
	name := ir.Fresh(want, "", func(name string) bool { return f.taken[name] || reserved(name) })
	f.taken[name] = true
	return name
}

// reserved reports whether Go itself gives the name a meaning.
func reserved(name string) bool {
	return token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "_" || name == "init" || name == "main"
}

// Reserve reserves names. The file will not declare them at package level, use them for imports or
// shadow them.
func (f *File) Reserve(names ...string) {
	for _, name := range names {
		f.taken[name] = true
	}
}

// Local returns a name for receivers, parameters and variables inside functions. It is want, or
// want with a number if want is taken. The same want always gives the same name in a file, and no
// later import gets it.
func (f *File) Local(want string) string {
	if name, ok := f.locals[want]; ok {
		return name
	}
	name := f.Unique(want)
	f.locals[want] = name
	return name
}
