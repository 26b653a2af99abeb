package msgp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

var adopt = run.Adopt{
	Install: "go get -tool github.com/tinylib/msgp@VERSION", Own: true,
	Generate: "go tool msgp -tests=false -file FILE",
	Import:   "github.com/tinylib/msgp/msgp",
	Marshal:  "v.MarshalMsg(nil)", Unmarshal: "_, err = v.UnmarshalMsg(b)",
}

// adoptFor says how msgp makes, of the user's files, the code that was measured. The row's own code
// comes from a scratch file (see scratch.go) in which every type of t is declared. In the user's
// package, msgp reads single files and takes each type that they do not declare for one that has
// its methods; its directives say what else such a type is.
func adoptFor(t *contender.Target) *run.Adopt {
	types := reached(t.Root, t.IR.Path, map[*ir.Type]bool{})
	d, a := contender.DeclaredTypes(t, types), adopt
	a.Files = d.Files
	u := users{own: t.IR.Path, flags: []string{"tag json", "timezone utc", "clearomitted"}}
	for _, x := range types {
		u.visit(x)
	}
	if len(d.Instances) > 0 {
		u.miss("methods for instances of generic types, whose parameters need the constraint msgp.RTFor: %s",
			strings.Join(d.Instances, ", "))
	} else if len(d.Generic) > 0 {
		u.miss("a file of their own for the generic types in %s, which msgp cannot read", strings.Join(d.Generic, ", "))
	}
	if len(u.missing) > 0 {
		slices.Sort(u.missing)
		a.Generate = ""
		a.Manual = strings.Join(slices.Compact(u.missing), "; ") + ". The row was measured with code that has all of this"
		return &a
	}
	if u.unexported {
		a.Generate = strings.Replace(a.Generate, " -file", " -unexported -file", 1)
	}
	slices.Sort(u.flags[3:])
	for _, f := range slices.Compact(u.flags) {
		a.Generate = strings.Replace(a.Generate, " -file", ` -d "`+f+`" -file`, 1)
	}
	switch {
	case u.any:
		a.Setup = "values inside interfaces were measured with functions that keep big numbers, raw JSON and " +
			"times in UTC there; msgp's own do not"
	case u.unexported && u.hidden:
		a.Setup = "msgp writes unexported fields of these types too, unless they have the struct tag json:\"-\"; " +
			"the row was measured without them"
	}
	return &a
}

// reached are x and the types that msgp makes code for because of x. Other methods than its own
// mean nothing to it.
func reached(x *ir.Type, pkg string, seen map[*ir.Type]bool) (all []*ir.Type) {
	if x == nil || seen[x] {
		return nil
	}
	seen[x] = true
	all = append(all, x)
	if x.Kind >= ir.Time || opaque(x) {
		return all
	}
	all = append(append(all, reached(x.Key, pkg, seen)...), reached(x.Elem, pkg, seen)...)
	for _, f := range x.Fields {
		if _, _, ok := member(f, pkg); ok {
			all = append(all, reached(f.Type, pkg, seen)...)
		}
	}
	return all
}

// users is what msgp has to be told about the files of a user.
type users struct {
	own        string   // import path of the package
	flags      []string // directives
	missing    []string // what no directive says
	unexported bool     // a type that msgp passes over if it is not told otherwise
	hidden     bool     // a struct has unexported fields
	any        bool
}

func (u *users) miss(format string, args ...any) {
	u.missing = append(u.missing, fmt.Sprintf(format, args...))
}

func (u *users) visit(x *ir.Type) {
	named := x.Name != nil && x.Name.Pkg != ""
	name := ""
	if named {
		name = x.Name.Name
		if x.Name.Pkg != u.own {
			name = x.Name.PkgName + "." + name
		} else if !x.Name.Exported && !opaque(x) {
			u.unexported = true
		}
	}
	switch {
	case x.Kind == ir.RawJSON:
		u.flags = append(u.flags, "replace json.RawMessage with:[]byte")
	case x.Kind == ir.BigInt, x.Kind == ir.BigFloat, x.Kind == ir.BigRat:
		u.miss("a directive //msgp:shim for %s, with functions that make bytes of it and back", x.Kind)
	case x.Kind >= ir.Time:
	case x.Kind == ir.Any:
		u.any = true
	case opaque(x):
		u.flags = append(u.flags, hookDirective(x)+" "+name)
	case x.Kind == ir.Map && x.Key.Kind != ir.String:
		u.flags = append(u.flags, "maps binkeys shim")
	case x.Kind == ir.Struct:
		u.hidden = u.hidden || slices.ContainsFunc(x.Fields, func(f *ir.Field) bool { return !f.Exported && !f.Embedded })
	}
	if !named || x.Name.Pkg == u.own || len(x.Name.Args) > 0 || x.Kind >= ir.Time || opaque(x) {
		return
	}
	if word := words[x.Kind]; word != "" {
		u.flags = append(u.flags, "replace "+name+" with:"+word)
	} else if x.Kind == ir.Bytes {
		u.flags = append(u.flags, "replace "+name+" with:[]byte")
	} else {
		u.miss("methods for %s, for which msgp has to run in its package", name)
	}
}
