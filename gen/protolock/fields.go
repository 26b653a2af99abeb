package protolock

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/schema"
)

// fields compares the fields of two messages.
func (c *comparer) fields(at place, o, n *Type) {
	next := c.next[n.Name]
	for i := range o.Fields {
		f := &o.Fields[i]
		g := n.field(f.Number)
		switch {
		case g != nil && f.Reserved:
			c.returned(at, f, g)
			continue
		case g != nil:
			c.field(at, o, n, f, g)
			continue
		case !f.Reserved:
			c.removed(at, o, n, f)
		}
		if next.gone(f.Number) == nil {
			kept := *f
			kept.Reserved = true
			next.Fields = append(next.Fields, kept)
		}
	}
	for i := range n.Fields {
		c.added(at, o, n, &n.Fields[i])
	}
	c.oneofs(at, o, n)
}

// in returns the place of a field.
func (at place) in(f *Field) place {
	pos := f.Pos
	if pos.File == Name || pos.File == "" {
		pos = at.pos
	}
	return place{at.path + "." + f.Name, pos}
}

// removed reports that the field f is gone.
func (c *comparer) removed(at place, o, n *Type, f *Field) {
	g := n.named(f.Name)
	switch {
	case n.Reserved.Has(f.Number):
		c.add(place{at.path + "." + f.Name, at.pos}, "FIELD_RESERVED", f.Number, "number %d is reserved", f.Number)
	case g != nil && o.field(g.Number) == nil:
		c.add(at.in(g), "FIELD_NUMBER_CHANGED", f.Number, "number %d became %d", f.Number, g.Number)
	default:
		c.add(place{at.path + "." + f.Name, at.pos}, "FIELD_DELETED", f.Number, "%s with number %d is gone", f.said(), f.Number)
	}
}

// returned reports that g has the number of the removed field f.
func (c *comparer) returned(at place, f, g *Field) {
	if f.Name == g.Name && f.Key == g.Key && f.Type == g.Type && f.Repeated == g.Repeated && f.Group == g.Group {
		c.add(at.in(g), "FIELD_RESTORED", g.Number, "number %d is in use again", g.Number)
		return
	}
	c.add(at.in(g), "TAG_REUSED", g.Number, "number %d was %s %s, which was removed", g.Number, f.said(), f.Name)
}

// added reports a field whose number the old message had not in use.
func (c *comparer) added(at place, o, n *Type, g *Field) {
	if o.field(g.Number) != nil || o.gone(g.Number) != nil {
		return
	}
	if o.Reserved.Has(g.Number) {
		c.add(at.in(g), "TAG_REUSED", g.Number, "number %d is reserved", g.Number)
		return
	}
	was := o.named(g.Name)
	if was != nil && !n.Reserved.Has(was.Number) { // it has moved, which is told at its old number
		return
	}
	for i := range o.Fields {
		if f := &o.Fields[i]; f.Reserved && was == nil && (f.Name == g.Name || f.JSON == g.JSON) {
			was = f
		}
	}
	c.add(at.in(g), "FIELD_ADDED", g.Number, "number %d", g.Number)
	switch {
	case was != nil && was.form() != g.form():
		c.add(at.in(g), "JSON_NAME_REUSED", g.Number, "%s with number %d had the name, and was %s", was.Name, was.Number, was.said())
	case was == nil && slices.Contains(o.Names, g.Name):
		c.add(at.in(g), "JSON_NAME_REUSED", g.Number, "the name %s is reserved", g.Name)
	}
}

// field compares a field of two messages that has one number in both.
func (c *comparer) field(at place, o, n *Type, f, g *Field) {
	here := at.in(g)
	if f.Name != g.Name {
		other, before := n.named(f.Name), o.named(g.Name)
		if other != nil || before != nil {
			c.add(here, "TAG_REUSED", g.Number, "number %d belonged to %s, which has %s", g.Number, f.Name, numberOf(other))
			return
		}
	}
	said := len(c.out)
	c.types(here, f, g)
	quiet := len(c.out) == said
	for i := range c.out[said:] {
		if ch := &c.out[said+i]; f.Name != g.Name && ch.Path == here.path && ch.Level == schema.Breaking {
			ch.Rule, ch.Detail = rule("TAG_REUSED"), fmt.Sprintf("number %d was %s, and is %s %s: %s", f.Number, f.Name, g.said(), g.Name, ch.Detail)
			return
		}
	}
	if f.JSON != g.JSON {
		c.add(here, "JSON_NAME_CHANGED", g.Number, "in JSON %s became %s", f.JSON, g.JSON)
	} else if f.Name != g.Name {
		c.add(here, "FIELD_RENAMED", g.Number, "%s became %s", f.Name, g.Name)
	}
	single := !f.Repeated && !g.Repeated && !f.isMap() && !g.isMap()
	if was, is := f.Optional || f.Oneof != "", g.Optional || g.Oneof != ""; quiet && single && was != is && scalarForm(g.Type, c.now) {
		c.add(here, "PRESENCE_CHANGED", g.Number, "%s became %s", presence(was), presence(is))
	}
	if f.Repeated && g.Repeated && f.Unpacked != g.Unpacked {
		c.add(here, "PACKED_CHANGED", g.Number, "%s became %s", packing(f), packing(g))
	}
}

func numberOf(f *Field) string {
	if f == nil {
		return "no number"
	}
	return fmt.Sprintf("number %d", f.Number)
}

func presence(has bool) string {
	if has {
		return "a value with presence"
	}
	return "a value without presence"
}

func packing(f *Field) string {
	if f.Unpacked {
		return "unpacked"
	}
	return "packed"
}

// oneofs compares which fields exclude each other. The names of oneofs do not matter.
func (c *comparer) oneofs(at place, o, n *Type) {
	together := func(a, b *Field) bool { return a.Oneof != "" && a.Oneof == b.Oneof }
	for i := range n.Fields {
		g := &n.Fields[i]
		f := o.field(g.Number)
		if f == nil {
			continue
		}
		differs, told := false, false
		for j := range n.Fields {
			b := &n.Fields[j]
			a := o.field(b.Number)
			if j == i || a == nil || together(f, a) == together(g, b) {
				continue
			}
			if differs = true; told || j < i { // told already, here or at b
				continue
			}
			told = true
			if together(g, b) {
				c.add(at.in(g), "ONEOF_CHANGED", g.Number, "it and %s are now in oneof %s; messages of before may have both", b.Name, g.Oneof)
			} else {
				c.add(at.in(g), "ONEOF_CHANGED", g.Number, "it and %s were in oneof %s; older readers keep one of them", b.Name, f.Oneof)
			}
		}
		if !differs && (f.Oneof == "") != (g.Oneof == "") {
			c.add(at.in(g), "ONEOF_ADDED", g.Number, "no other field of before was or is in its oneof")
		}
	}
}
