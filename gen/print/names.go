package print

import (
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strconv"
)

// Pkg is an imported package.
type Pkg struct {
	Path string
	Name string // its own name
}

// Package names a package by its import path; its name is taken to be the
// path's last element, a version such as v2 left out.
func Package(importPath string) Pkg { return Pkg{importPath, lastElem(importPath)} }

// Ident is an identifier of another package, to be printed by [File.P].
type Ident struct {
	Pkg  Pkg
	Name string
}

// Ident names an identifier of the package.
func (p Pkg) Ident(name string) Ident { return Ident{p, name} }

var version = regexp.MustCompile(`^v[0-9]+$`)

func lastElem(importPath string) string {
	base := path.Base(importPath)
	if dir := path.Dir(importPath); version.MatchString(base) && dir != "." {
		return path.Base(dir)
	}
	return base
}

// names hands out names that do not clash.
type names struct {
	taken  map[string]bool
	locals map[string]string // what Local answered
}

func newNames() *names { return &names{map[string]bool{}, map[string]string{}} }

// fresh returns want, or want with a number, and takes it.
func (n *names) fresh(want string) string {
	name := want
	for i := 2; n.taken[name] || reserved(name); i++ {
		name = want + strconv.Itoa(i)
	}
	n.taken[name] = true
	return name
}

// reserved names would break the language's own if they were declared anew.
func reserved(name string) bool {
	return token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "_" || name == "init" || name == "main"
}

// Reserve makes names known that the file must not declare at package level,
// import under, or hide.
func (f *File) Reserve(names ...string) {
	for _, name := range names {
		f.names.taken[name] = true
	}
}

// Local returns a name for receivers, parameters and variables inside
// functions: want itself, or with a number where the package or the imports so
// far use it. The same want gives the same name throughout the file, and no
// later import takes it.
func (f *File) Local(want string) string {
	if name, ok := f.names.locals[want]; ok {
		return name
	}
	name := f.names.fresh(want)
	f.names.locals[want] = name
	return name
}

// Unique returns a new name for a declaration at package level: want, or want
// with a number. Each call gives another name.
func (f *File) Unique(want string) string { return f.names.fresh(want) }
