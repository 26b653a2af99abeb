// Package msgp is the contender github.com/tinylib/msgp. Its parser and generator run in this
// process, on a file of declarations that is written from the IR. The generated methods join the
// subject's package.
//
// NOTE, the map: generate.go writes the file of declarations, runs the generator and adds methods
// that write maps in order; folder zzmsgpx has what the methods call for types that msgp does not
// know. This file says what a user of msgp would have to type for the same code (adoptFor).
package msgp

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed zzmsgpx
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:    "msgp",
	Family:  "binary",
	Text:    "tinylib/msgp, generated MessagePack code for your type; big numbers as bin, inside any as extensions",
	Modules: contender.Pins("msgp"),
	Abilities: contender.Binary.But(contender.Abilities{
		Languages:     "yes; MessagePack",
		Any:           "yes; as int64, uint64 …",
		Deterministic: "no; mode append-sorted sorts",
		ZeroCopy:      "partly; functions ReadStringZC, ReadBytesZC",
		Streaming:     "yes; EncodeMsg and DecodeMsg",
		Licence:       "MIT",
		Released:      "2026-09-30",
	}),
	Adopt:    &adopt,
	For:      adoptFor,
	Plan:     gosrc.Plan(refuse),
	Generate: generate,
}

func refuse(t *contender.Target, x *ir.Type) string {
	switch x.Kind {
	case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Uintptr, ir.Invalid:
		return "msgp generates no code for it"
	case ir.Map:
		if !mapKey(x.Key) {
			return "msgp generates no code for this type of map key"
		}
	case ir.Pointer:
		switch x.Elem.Kind {
		case ir.Pointer:
			return "msgp generates no code for pointers to pointers"
		case ir.Map:
			return "msgp's code for pointers to maps does not compile"
		case ir.Array:
			if x.Elem.Elem.Kind != ir.Uint8 {
				return "msgp's code for pointers to arrays does not compile"
			}
		}
	}
	if !x.Spellable(t.IR.Path) {
		return gosrc.Unnameable
	}
	return ""
}

func mapKey(t *ir.Type) bool {
	return t.Kind == ir.String || t.Kind >= ir.Int && t.Kind <= ir.Uint64 && (t.Name == nil || t.Name.Pkg == "")
}

func generate(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
	s, root := newScratch(t.IR, t.Root)
	code, err := methods(s)
	if err != nil {
		return nil, err
	}
	types, err := s.types.Bytes()
	if err != nil {
		return nil, err
	}
	twins, err := sorted(s.pkg.Name, code)
	if err != nil {
		return nil, err
	}
	out, err := contender.Bind("msgp", fmt.Sprintf("zzadapter.New(func(v *ZZSubject) *%s { return (*%[1]s)(v) }%s)", root, accessor(t)))
	if err != nil {
		return nil, err
	}
	out.Package["zz_msgp.go"], out.Package["zz_msgp_types.go"] = code, types
	if twins != nil {
		out.Package["zz_msgp_sorted.go"] = twins
	}
	return out, contender.AddFolder(out.Module, texts, "zzmsgpx", "zzmsgpx")
}

// accessor returns arguments that tell the adapter how msgp.Locate finds the leaf: the leaf's path,
// then a key for each field and "" for each first element. It returns "" if there is no leaf.
func accessor(t *contender.Target) string {
	if t.Leaf == "" {
		return ""
	}
	args := fmt.Sprintf(", %q", t.Leaf)
	at := t.Root
	for step := range strings.SplitSeq(t.Leaf, ".") {
		name, elems, _ := strings.Cut(step, "[")
		i := slices.IndexFunc(at.Fields, func(f *ir.Field) bool { return f.Name == name })
		if i < 0 {
			return ""
		}
		key, _, ok := member(at.Fields[i], t.IR.Path)
		if !ok {
			return ""
		}
		args += fmt.Sprintf(", %q", key)
		at = value(at.Fields[i].Type)
		for range strings.Count(elems, "0]") {
			args += `, ""`
			at = value(at.Elem)
		}
	}
	return args
}

// value follows pointers to the first type that is not a pointer.
func value(t *ir.Type) *ir.Type {
	for t.Kind == ir.Pointer {
		t = t.Elem
	}
	return t
}

var adopt = run.Adopt{
	Install: "go get -tool github.com/tinylib/msgp@VERSION", Own: true,
	Generate: "go tool msgp -tests=false -file FILE",
	Import:   "github.com/tinylib/msgp/msgp",
	Marshal:  "v.MarshalMsg(nil)", Unmarshal: "_, err = v.UnmarshalMsg(b)",
}

// adoptFor says how msgp generates, from the user's files, the code that was measured. The lab's
// own row uses a scratch file that declares every type of t (see generate.go). In the user's
// package msgp reads single files. It assumes that a type declared elsewhere has msgp's methods,
// unless a directive says something else about the type.
func adoptFor(t *contender.Target) *run.Adopt {
	types := reached(t.Root, t.IR.Path, map[*ir.Type]bool{})
	d, a := contender.DeclaredTypes(t, slices.Values(types)), adopt
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
	options := ""
	if u.unexported {
		options = " -unexported"
	}
	slices.Sort(u.flags[3:]) // the first three are the same for every type
	for _, f := range slices.Compact(u.flags) {
		options += ` -d "` + f + `"`
	}
	a.Generate = strings.Replace(a.Generate, " -file", options+" -file", 1)
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

// reached returns x and the types for which msgp generates code because of x. It looks inside types
// with methods of other codecs too.
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

// users is what msgp must be told about a user's files.
type users struct {
	own        string   // import path of the package
	flags      []string // values of msgp's flag -d
	missing    []string // work for the user that no directive replaces
	unexported bool     // there is a type that msgp skips unless a flag says otherwise
	hidden     bool     // a struct has unexported fields
	any        bool
}

func (u *users) miss(format string, args ...any) {
	u.missing = append(u.missing, fmt.Sprintf(format, args...))
}

func (u *users) visit(x *ir.Type) {
	named := gosrc.Named(x)
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
