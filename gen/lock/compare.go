package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/schema"
)

// TypeDeleted is the code for a type that no longer exists: only older programs can read what was
// written with it. It is a warning, since the deletion may be intended.
const TypeDeleted schema.Code = "TYPE_DELETED"

// Change is a difference between the lock file and the source.
type Change struct {
	schema.Change
	Pos    ir.Pos // in the source; for something that is gone, in the lock file
	advice string // "" for the code's own advice
}

// Severity returns the severity of the change's code.
func (c Change) Severity() schema.Severity {
	if c.Code == TypeDeleted {
		return schema.Warning
	}
	return c.Change.Severity()
}

// Advice returns what the user can do instead of the change.
func (c Change) Advice() string {
	if c.advice != "" {
		return c.advice
	}
	return c.Code.Advice()
}

// Breaks reports whether any of the changes is breaking.
func Breaks(changes []Change) bool { return slices.ContainsFunc(changes, Change.breaks) }

func (c Change) breaks() bool { return c.Severity() == schema.Breaking }

// Comparison is the result of [Compare].
type Comparison struct {
	Changes []Change
	// Next is the new content of the lock file: the types of the source, and what is kept of the
	// old lock file. That is lineages, reserved fields and arms, and types that still exist but
	// that no message reaches today.
	Next *File
}

// A comparison first pairs the types of the old record with those of the source. A look-up by name
// is not enough, because types may have been renamed: see matches. Then it compares each pair by
// the rules of package schema, and makes the next record from the types of the source. From the old
// record it keeps what the source no longer has: former types of reserved fields, reserved arms,
// and lineages. So no number is ever given to something else.

// Compare returns what has changed between old, the lock file, and now, the types that messages of
// the package reach today. If old is nil, nothing was recorded. names are the names that the
// package declares: a type is deleted if its declaration is gone.
func Compare(old, now *File, names []string) Comparison {
	if old == nil {
		old = &File{}
	}
	exists := declared(names)
	to := matches(old, now, exists)
	c := Comparison{Next: carry(now, to)}
	for _, t := range old.Types {
		n := to[t]
		switch {
		case n != nil:
			n = c.Next.Type(n.Name)
			changes := diff(old, c.Next, t, n)
			if !Breaks(changes) {
				n.recall(t)
			}
			c.Changes = append(c.Changes, changes...)
		case exists(t.Name):
			if !foreign(t.Name) {
				c.Next.Types = append(c.Next.Types, t)
			}
		default:
			c.Changes = append(c.Changes, Change{
				Change: schema.Change{Code: TypeDeleted, Path: t.Name, Detail: "the type is gone", Number: -1},
				Pos:    t.Pos, advice: "if it was renamed, rename it alone first and run zmy lock",
			})
		}
	}
	c.Next.complete(old, to)
	return c
}

// diff compares the type t of old with the type n of now. It skips the types that they reach, which
// are compared on their own.
func diff(old, now *File, t, n *Type) (out []Change) {
	before, err := old.schema(t)
	if err != nil {
		return []Change{invalid(t, err)}
	}
	if t.Kind != schema.Struct && len(n.sentinels) > 0 {
		v := &before.Types[1].Values
		*v = slices.DeleteFunc(slices.Clone(*v), func(v schema.Value) bool { return slices.Contains(n.sentinels, v.Name) })
	}
	after, err := now.schema(n)
	if err != nil {
		return []Change{invalid(n, err)}
	}
	if t.Kind == schema.Union && n.Kind == schema.Union {
		out = reservedArms(t, n, &before.Types[1])
	}
	own := uint32(0)
	if n.Kind != schema.Struct {
		own = 1
	}
	for _, c := range schema.Diff(before, after) {
		if c.Type != own && c.Code != schema.InvalidSchema {
			continue
		}
		pos := n.Pos
		if f := n.field(uint32(c.Number)); c.Number >= 0 && f != nil && f.Pos.Line > 0 {
			pos = f.Pos
		}
		c.Path = n.path(c.Path)
		out = append(out, Change{c, pos, old.advice(t, c)})
	}
	return out
}

// reservedArms compares the arms that are reserved in t or n. If an arm is reserved only in n,
// reservedArms also removes it from before, the schema of t, so that schema.Diff does not report it
// again.
func reservedArms(t, n *Type, before *schema.Type) (out []Change) {
	add := func(code schema.Code, f *Field, format string, args ...any) {
		out = append(out, Change{Pos: n.Pos, Change: schema.Change{
			Code: code, Path: n.Name + "." + f.Name, Detail: fmt.Sprintf(format, args...), Number: int(f.Number), Type: 1,
		}})
	}
	for i := range t.Fields {
		f, g := &t.Fields[i], n.field(t.Fields[i].Number)
		switch {
		case g == nil:
		case f.Reserved && !g.Reserved && f.Name != g.Name:
			add(schema.TagReused, g, "number %d was %s, and is reserved", g.Number, f.Name)
		case !f.Reserved && g.Reserved:
			before.Fields = slices.DeleteFunc(slices.Clone(before.Fields), func(x schema.Field) bool { return x.Number == f.Number })
			add(schema.FieldReserved, f, "arm number %d", f.Number)
		}
	}
	return out
}

// advice returns what the user can do instead of the change c of type t. It returns "" if the
// advice for the code of c is enough.
func (f *File) advice(t *Type, c schema.Change) string {
	switch {
	case c.Code == schema.EnumValueChanged:
		return "give the value its number back and append new ones; name what is a count or a bound in a directive //zmy:sentinel of the type"
	case c.Code == schema.FieldDeleted && t.Kind == schema.Union:
		return "keep the arm; it may be deprecated"
	case c.Code == schema.FieldDeleted:
		if field := t.field(uint32(c.Number)); field != nil {
			return fmt.Sprintf("keep the field, or reserve its number: //zmy:reserved %d %s", c.Number, f.words(field))
		}
	}
	return ""
}

// path takes a path of the type's schema and replaces the schema's name of the type by the
// package's name.
func (t *Type) path(path string) string {
	root := plain(t.Name)
	if root == "" || t.Kind != schema.Struct {
		root = "message"
	}
	rest, _ := strings.CutPrefix(path, root)
	if t.Kind != schema.Struct {
		rest, _ = strings.CutPrefix(rest, "."+t.Name)
	}
	return t.Name + rest
}

func invalid(t *Type, err error) Change {
	return Change{Pos: t.Pos, Change: schema.Change{Code: schema.InvalidSchema, Path: t.Name, Detail: fmt.Sprint(err), Number: -1}}
}
