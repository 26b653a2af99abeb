package scan

import (
	"fmt"
	"go/types"
	"strings"
)

// subject is a type as the lab takes it.
type subject struct {
	Package string // import path
	Type    string // as spelled in the package
}

// name returns the type for readers: model.Device.
func (s subject) name() string {
	return s.Package[strings.LastIndexByte(s.Package, '/')+1:] + "." + s.Type
}

// namer finds the subjects of types. modules are the paths of the modules of the code base: a path
// without a dot may be one of them, or the standard library's.
type namer struct{ modules []string }

// subjectOf returns the type that the lab measures for values of type t. If there is none, why says the
// reason.
func (n namer) subjectOf(t types.Type) (s subject, why string) {
	if t == nil {
		return s, "its type is not known"
	}
	switch x := types.Unalias(t).(type) {
	case *types.Pointer:
		return n.subjectOf(x.Elem())
	case *types.Slice:
		return n.elementOf(x.Elem(), "list")
	case *types.Array:
		return n.elementOf(x.Elem(), "list")
	case *types.Map:
		return n.elementOf(x.Elem(), "map")
	case *types.Named:
		return n.namedSubject(x)
	case *types.Interface:
		return s, "the values are of an interface type: what is in them is known at run time only"
	case *types.TypeParam:
		return s, "it is a type parameter"
	case *types.Struct:
		return s, "the struct type has no name: generated code needs one"
	case *types.Basic:
		return s, x.Name() + " is converted without reflection already"
	}
	return s, fmt.Sprintf("values of type %s have no generated code", types.TypeString(t, types.RelativeTo(nil)))
}

// elementOf returns the subject of a list's or map's elements: generated code converts these.
func (n namer) elementOf(t types.Type, in string) (subject, string) {
	s, why := n.subjectOf(t)
	if why != "" {
		return s, fmt.Sprintf("elements of the %s: %s", in, why)
	}
	return s, ""
}

func (n namer) namedSubject(t *types.Named) (s subject, why string) {
	o := t.Obj()
	switch {
	case o.Pkg() == nil:
		return s, "the values are of an interface type: what is in them is known at run time only"
	case o.Parent() != o.Pkg().Scope():
		return s, o.Name() + " is declared inside a function: generated code needs a type of the package"
	}
	if _, ok := t.Underlying().(*types.Interface); ok {
		return s, "the values are of an interface type: what is in them is known at run time only"
	}
	if n.standard(o.Pkg().Path()) {
		return s, fmt.Sprintf("%s.%s belongs to the standard library", o.Pkg().Name(), o.Name())
	}
	for i := range t.TypeArgs().Len() {
		if _, ok := types.Unalias(t.TypeArgs().At(i)).(*types.TypeParam); ok {
			return s, "its type argument is a type parameter"
		}
	}
	return subject{o.Pkg().Path(), types.TypeString(t, func(p *types.Package) string {
		if p == o.Pkg() {
			return ""
		}
		return p.Name()
	})}, ""
}

// standard reports whether a package is of the standard library.
func (n namer) standard(path string) bool {
	for _, m := range n.modules {
		if path == m || strings.HasPrefix(path, m+"/") {
			return false
		}
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
