package contender

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Visit is one type that Walk meets below a subject.
type Visit struct {
	Path string // Order.Items[].Done
	Type *ir.Type
	Pos  ir.Pos // of the field that led to the type
	In   string // import path of the package that declares the struct of that field
}

// Package returns the import path of the package that declares the type. For a type without a name
// it is that of the element or, failing that, of the package that declares the field.
func (v Visit) Package() string {
	for t := v.Type; t != nil; t = t.Elem {
		if t.Name != nil && t.Name.Pkg != "" {
			return t.Name.Pkg
		}
	}
	return v.In
}

// Walk visits every type below the root that a codec must carry, each once, in depth-first order:
// exported fields without the tag `json:"-"`, elements and keys, but nothing inside types with
// marshal methods of their own. A pointer to such a type has these methods too, so *big.Float is
// visited and big.Float is not. Walk stops if visit returns false.
func Walk(t *Target, visit func(Visit) bool) {
	w := walk{visit: visit, seen: map[*ir.Type]bool{}}
	w.walk(Visit{Path: t.Expr, Type: t.Root, Pos: t.Root.Pos})
}

type walk struct {
	visit func(Visit) bool
	seen  map[*ir.Type]bool
	firm  bool     // visit only types that are part of every value
	tags  []string // struct tags whose value "-" keeps a field out; json if empty
}

// OwnForm is the set of methods with which a type writes itself.
const OwnForm = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasMarshalText | ir.HasMarshalTextPtr |
	ir.HasMarshalBinary | ir.HasMarshalBinaryPtr

func (w *walk) walk(v Visit) bool {
	if v.Type == nil || w.seen[v.Type] {
		return true
	}
	w.seen[v.Type] = true
	if !w.visit(v) {
		return false
	}
	if v.Type.Hooks&OwnForm != 0 {
		return true // such a type writes its parts itself
	}
	if w.firm && (v.Type.Kind == ir.Pointer || v.Type.Kind == ir.Slice || v.Type.Kind == ir.Map) {
		return true // some value has nil here
	}
	at := func(suffix string, t *ir.Type) bool { return w.walk(Visit{v.Path + suffix, t, v.Pos, v.In}) }
	switch t := v.Type; t.Kind {
	case ir.Pointer:
		return at("", t.Elem)
	case ir.Slice, ir.Array:
		return at("[]", t.Elem)
	case ir.Map:
		return at("[key]", t.Key) && at("[*]", t.Elem)
	case ir.Struct:
		in := v.In
		if t.Name != nil && t.Name.Pkg != "" {
			in = t.Name.Pkg
		}
		for _, f := range t.Fields {
			if !f.Exported && !f.Embedded || ignored(f, w.tags) || w.firm && omittedZero(f) {
				continue
			}
			if !w.walk(Visit{v.Path + "." + f.Name, f.Type, f.Pos, in}) {
				return false
			}
		}
	}
	return true
}

// Ignored reports whether a field's tag keeps it out of JSON.
func Ignored(f *ir.Field) bool { return ignored(f, nil) }

func ignored(f *ir.Field, tags []string) bool {
	if len(tags) == 0 {
		tags = jsonTag
	}
	return slices.ContainsFunc(tags, func(tag string) bool { return reflect.StructTag(f.Tag).Get(tag) == "-" })
}

var jsonTag = []string{"json"}

// omittedZero reports whether JSON leaves the field out if it is zero.
func omittedZero(f *ir.Field) bool {
	_, options, _ := strings.Cut(reflect.StructTag(f.Tag).Get("json"), ",")
	return strings.Contains(options, "omitzero")
}

// LeaveOut is advice for a field of the user's own that a codec cannot carry.
const LeaveOut = `leave it out with struct tag json:"-"`

// Uncarried returns a Why for the first type for which carries returns a reason, or nil. The
// reasons for further types are in its More.
func Uncarried(t *Target, carries func(*ir.Type) string) *run.Why {
	return uncarried(t, carries, false, nil)
}

// NeverCarried is like Uncarried, but looks only at types that are part of every value. Pointers,
// slices and maps may be nil; whether their contents survive is found out with values.
func NeverCarried(t *Target, carries func(*ir.Type) string) *run.Why {
	return uncarried(t, carries, true, nil)
}

// uncarried is Uncarried for a codec that leaves fields out by the given struct tags, and
// NeverCarried if firm is set.
func uncarried(t *Target, carries func(*ir.Type) string, firm bool, tags []string) *run.Why {
	leave := LeaveOut
	if len(tags) > 0 {
		leave = fmt.Sprintf("leave it out with struct tag %s:\"-\"", tags[0])
	}
	var why *run.Why
	w := walk{seen: map[*ir.Type]bool{}, firm: firm, tags: tags, visit: func(v Visit) bool {
		reason := carries(v.Type)
		if reason == "" {
			return true
		}
		one := &run.Why{
			What:    fmt.Sprintf("skipped: %s has type %s", v.Path, Spell(v.Type)),
			Where:   fmt.Sprintf("%s:%d", v.Pos.File, v.Pos.Line),
			Reason:  reason,
			Next:    leave + ", or give its type marshal methods",
			Package: v.Package(),
			Owner:   v.In,
		}
		if why == nil {
			why = one
		} else {
			why.More = append(why.More, one)
		}
		return true
	}}
	w.walk(Visit{Path: t.Expr, Type: t.Root, Pos: t.Root.Pos})
	return why
}

// Spell writes a type as Go does, with the name of its package instead of the path.
func Spell(t *ir.Type) string {
	if t == nil {
		return "?"
	}
	if n := t.Name; n != nil {
		s := n.Name
		if n.PkgName != "" {
			s = n.PkgName + "." + s
		}
		if len(n.Args) == 0 {
			return s
		}
		args := make([]string, len(n.Args))
		for i, a := range n.Args {
			args[i] = Spell(a)
		}
		return s + "[" + strings.Join(args, ", ") + "]"
	}
	switch t.Kind {
	case ir.Pointer:
		return "*" + Spell(t.Elem)
	case ir.Slice, ir.Bytes:
		return "[]" + Spell(t.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", t.Len, Spell(t.Elem))
	case ir.Map:
		return "map[" + Spell(t.Key) + "]" + Spell(t.Elem)
	case ir.Struct:
		return "struct{…}"
	case ir.Chan:
		return "chan"
	case ir.Func:
		return "func"
	case ir.Interface:
		return "interface{…}"
	}
	return strings.ToLower(t.Kind.String())
}
