package contender

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/run"
)

// Visit is one type that Walk meets below a subject.
type Visit struct {
	Path string // Order.Items[].Done
	Type *ir.Type
	Pos  ir.Pos // position of the field that led to the type
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

// Walk returns every type below the root that a codec must carry, each once, in depth-first order:
// exported fields without the tag `json:"-"`, elements and keys, but nothing inside types with
// marshal methods of their own. A pointer to such a type has these methods too, so *big.Float is
// visited and big.Float is not.
func Walk(t *Target) iter.Seq[Visit] { return walk{tags: jsonTag}.all(t) }

type walk struct {
	visit func(Visit) bool
	seen  map[*ir.Type]bool // types may contain themselves
	firm  bool              // visit only types that are part of every value
	tags  []string          // struct tags whose value "-" keeps a field out
}

func (w walk) all(t *Target) iter.Seq[Visit] {
	return func(yield func(Visit) bool) {
		w.visit, w.seen = yield, map[*ir.Type]bool{}
		w.walk(Visit{Path: t.Expr, Type: t.Root, Pos: t.Root.Pos})
	}
}

// OwnForm is the set of methods with which a type writes itself.
const OwnForm = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasMarshalText | ir.HasMarshalTextPtr |
	ir.HasMarshalBinary | ir.HasMarshalBinaryPtr

// walk visits a type and those below it. It returns false if it was told to stop.
func (w walk) walk(v Visit) bool {
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
		return true // in some values it is nil
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
func Ignored(f *ir.Field) bool { return ignored(f, jsonTag) }

func ignored(f *ir.Field, tags []string) bool {
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

// Refusals walks the target and returns the first refusal that refuse returns, or nil. The others
// are in its More, because a user who removes the first reason would otherwise meet the next one
// only in the next run. The codec leaves fields out by the given struct tags, by json's if there are
// none.
func Refusals(t *Target, refuse func(Visit) *run.Why, tags ...string) *run.Why {
	if len(tags) == 0 {
		tags = jsonTag
	}
	return walk{tags: tags}.refusals(t, refuse)
}

func (w walk) refusals(t *Target, refuse func(Visit) *run.Why) (why *run.Why) {
	for v := range w.all(t) {
		why = Also(why, refuse(v))
	}
	return why
}

// Also adds the reason another to why and returns the result. Either may be nil.
func Also(why, another *run.Why) *run.Why {
	switch {
	case why == nil:
		return another
	case another != nil:
		why.More = append(why.More, another)
	}
	return why
}

// Refuse returns the reason why a contender cannot carry the type of the visit. next is what the
// user can do about it.
func (v Visit) Refuse(t *Target, reason, next string) *run.Why {
	if next == LeaveOut && v.In == "" {
		next = "leave this contender out: it is the type itself that it cannot carry"
	}
	at := v.Pos
	at.Col = 0
	what := v.Path + " has type " + print.TypeExprIn(v.Type, t.IR.Path)
	if v.Type == t.Root && v.Type.Kind != ir.Struct && v.Path == t.Expr {
		what = v.Path + " is no struct"
	}
	return &run.Why{What: "skipped: " + what, Where: at.String(),
		Reason: reason, Next: next, Package: v.Package(), Owner: v.In}
}
