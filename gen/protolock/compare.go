package protolock

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/schema"
)

// Messages have no names on the wire. So a comparison begins at types of equal names and follows their
// fields: if a field has another type now, that type is compared with the type that the field had. A
// type that was renamed is found in this way, or by its fields.

// Comparison is the result of a comparison.
type Comparison struct {
	Changes []Change // the worst first
	Next    *File    // the record of the source, which keeps reserved what was removed
}

// Breaks reports whether a change is breaking.
func (c Comparison) Breaks() bool {
	return slices.ContainsFunc(c.Changes, func(ch Change) bool { return ch.Level == schema.Breaking })
}

// Compare returns what has changed between old, the record, and now, a record of the source. old is nil
// for a package without record. declared are the names that the package declares: an enum of these that
// is in no message today stays recorded, and a message has lost its fields.
func Compare(old, now *File, declared []string) Comparison {
	if old == nil {
		old = &File{}
	}
	c := &comparer{old: old, now: now, seen: map[[2]string]bool{}, met: map[string]bool{}, next: map[string]*Type{}}
	next := &File{}
	for _, t := range now.Types {
		copied := *t
		copied.Fields, copied.Values, copied.Names = slices.Clone(t.Fields), slices.Clone(t.Values), slices.Clone(t.Names)
		c.next[t.Name] = &copied
		next.Types = append(next.Types, &copied)
	}
	exists := func(name string) bool { return now.Type(name) != nil || slices.Contains(declared, base(name)) }
	for _, o := range old.Types {
		if n := now.Type(o.Name); n != nil && n.Kind == o.Kind {
			c.pair(place{n.Name, n.Pos}, o, n)
		}
	}
	for _, o := range old.Types {
		if n := c.renamed(o, exists); n != nil && !c.met[o.Name] {
			c.pair(place{n.Name, n.Pos}, o, n)
		}
	}
	for _, o := range old.Types {
		switch {
		case now.Type(o.Name) != nil || c.met[o.Name] || foreign(o.Name) || base(o.Name) != o.Name && !exists(o.Name):
		case exists(o.Name) && o.Kind == Message: // it has lost all numbers
			kept := &Type{Name: o.Name, Kind: o.Kind}
			c.next[o.Name] = kept
			next.Types = append(next.Types, kept)
			c.pair(place{o.Name, ir.Pos{}}, o, &Type{Name: o.Name, Kind: o.Kind})
		case exists(o.Name):
			next.Types = append(next.Types, o)
		default:
			c.add(place{o.Name, ir.Pos{}}, "TYPE_DELETED", 0, "the type is gone")
		}
	}
	for _, n := range now.Types {
		if old.Type(n.Name) == nil && !c.met["="+n.Name] {
			c.add(place{n.Name, n.Pos}, "TYPE_ADDED", 0, "the %s is new", n.Kind)
		}
	}
	next.sort()
	slices.SortStableFunc(c.out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	return Comparison{c.out, next}
}

// place is where a value is: its path, and its position in the source.
type place struct {
	path string
	pos  ir.Pos
}

type comparer struct {
	old, now *File
	seen     map[[2]string]bool // pairs of names
	met      map[string]bool    // old types that are paired; with = in front, new types that a renamed type is paired with
	next     map[string]*Type
	out      []Change
}

func (c *comparer) add(at place, id string, number int32, format string, args ...any) {
	c.out = append(c.out, Change{Rule: rule(id), Path: at.path, Detail: fmt.Sprintf(format, args...), Number: number, Pos: at.pos})
}

// pair compares an old type with a new one, once.
func (c *comparer) pair(at place, o, n *Type) {
	if c.seen[[2]string{o.Name, n.Name}] {
		return
	}
	c.seen[[2]string{o.Name, n.Name}] = true
	c.met[o.Name] = true
	if o.Name != n.Name && c.now.Type(o.Name) == nil && c.old.Type(n.Name) == nil {
		c.met["="+n.Name] = true
		at = place{n.Name, n.Pos}
		c.add(at, "TYPE_RENAMED", 0, "it was %s", o.Name)
	}
	next := c.next[n.Name]
	next.Names = append(next.Names, o.Names...)
	if o.Kind == Enum {
		c.values(at, o, n)
	} else {
		c.fields(at, o, n)
	}
	var used pbtype.Ranges
	for _, f := range n.Fields {
		used = used.Union(pbtype.RangesOf(f.Number))
	}
	for _, v := range n.Values {
		used = used.Union(pbtype.RangesOf(v.Number))
	}
	next.Reserved = next.Reserved.Union(o.Reserved).Without(used)
	next.Names = slices.DeleteFunc(next.Names, func(name string) bool { // a number or name that -force gave out again
		return n.named(name) != nil || slices.ContainsFunc(n.Values, func(v Value) bool { return v.Name == name })
	})
}

// renamed returns the only new type that has all fields and values of the old type o, whose
// declaration is gone. It returns nil if there is none.
func (c *comparer) renamed(o *Type, exists func(string) bool) *Type {
	if exists(o.Name) {
		return nil
	}
	var found []*Type
	for _, n := range c.now.Types {
		if n.Kind == o.Kind && c.old.Type(n.Name) == nil && !c.met["="+n.Name] && o.within(n) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// within reports whether n has the fields and values of t.
func (t *Type) within(n *Type) bool {
	some := false
	for i := range t.Fields {
		if f := &t.Fields[i]; !f.Reserved {
			g := n.field(f.Number)
			if some = true; g == nil || g.Name != f.Name {
				return false
			}
		}
	}
	for _, v := range t.Values {
		if some = true; !v.Reserved && !slices.ContainsFunc(n.Values, func(w Value) bool { return w.Number == v.Number }) {
			return false
		}
	}
	return some
}
