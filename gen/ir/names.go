package ir

import (
	"slices"
	"strings"
)

// Usable reports whether code of the package pkg (an import path) may name the
// field in a selector.
func (f *Field) Usable(pkg string) bool { return f.Exported || f.Pkg == pkg }

// Spellable reports whether code of the package pkg (an import path) can write the type t. Every
// name in it must be exported or pkg's own, and from a package that pkg may import. Unnamed types
// in it must have no unexported field or method of another package.
func (t *Type) Spellable(pkg string) bool {
	if n := t.Name; n != nil {
		if !n.usable(pkg) {
			return false
		}
		for _, a := range n.Args {
			if !a.Spellable(pkg) {
				return false
			}
		}
		return true
	}
	switch t.Kind {
	case Interface, Chan, Func:
		return len(t.Words) > 0 && !slices.ContainsFunc(t.Words, func(w Word) bool {
			return w.Own != "" && w.Own != pkg || w.Name != nil && !w.Name.usable(pkg)
		})
	}
	for _, f := range t.Fields {
		if !f.Usable(pkg) || !f.Type.Spellable(pkg) {
			return false
		}
	}
	return (t.Key == nil || t.Key.Spellable(pkg)) && (t.Elem == nil || t.Elem.Spellable(pkg))
}

// usable reports whether code of the package pkg may write the name without its type arguments.
func (n *TypeName) usable(pkg string) bool {
	return n.Pkg == "" || n.Pkg == pkg || n.Exported && MayImport(pkg, n.Pkg)
}

// MayImport reports whether Go's rule for internal packages lets the package
// from import the package path.
func MayImport(from, path string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	if i == 0 {
		return !strings.Contains(strings.SplitN(from, "/", 2)[0], ".") // internal to the standard library
	}
	parent := path[:i-1]
	return from == parent || strings.HasPrefix(from, parent+"/")
}
