package contract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// A comparison begins at the types of the surface, which it pairs by name, and follows their
// members, which it pairs by name too. What it reaches is compared by form, so the name of a type
// does not matter: a type that the members reach may be renamed, moved to another package, or
// replaced by one of the same form.

// Compare returns what has changed between old, the record, and now, a record of the source. The
// worst changes come first.
func Compare(old, now *File) []Change {
	c := &comparer{old: old, now: now, seen: map[[2]*Type]bool{}}
	for _, r := range old.Roots {
		i := slices.IndexFunc(now.Roots, func(n Root) bool { return n.Name == r.Name })
		if i < 0 {
			c.add(place{}, "TYPE_REMOVED", r.Name, "the type is gone, or has no JSON form any more")
			continue
		}
		o, n := mustParse(r.Form), mustParse(now.Roots[i].Form)
		at := place{}
		if t := now.Type(n.word); t != nil {
			at = place{t, t.Pos, nil}
		}
		c.value(at, r.Name, o, n)
	}
	for _, n := range now.Roots {
		if !slices.ContainsFunc(old.Roots, func(r Root) bool { return r.Name == n.Name }) {
			c.add(place{}, "TYPE_ADDED", n.Name, "the type is new")
		}
	}
	slices.SortStableFunc(c.out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	return c.out
}

// place is where a value is in the source, for positions and directives.
type place struct {
	typ    *Type // that the value belongs to
	pos    ir.Pos
	member *Member // nil for the type itself
}

type comparer struct {
	old, now *File
	seen     map[[2]*Type]bool
	out      []Change
}

func (c *comparer) add(at place, id, path, format string, args ...any) {
	ch := Change{Rule: rule(id), Path: path, Detail: sprint(format, args...), Pos: at.pos}
	var ignores []ignore
	if at.typ != nil {
		ignores = at.typ.ignores
	}
	if at.member != nil {
		ignores = append(slices.Clone(ignores), at.member.ignores...)
	}
	for _, i := range ignores {
		if i.rule == id && i.reason != "" {
			ch.Ignored = i.reason
		}
	}
	c.out = append(c.out, ch)
}

// object compares the members of two objects, once for each pair.
func (c *comparer) object(path string, o, n *Type) {
	if c.seen[[2]*Type{o, n}] {
		return
	}
	c.seen[[2]*Type{o, n}] = true
	at := place{n, n.Pos, nil}
	paired := c.moved(at, path, o, n)
	for i := range o.Members {
		a := &o.Members[i]
		if b := n.member(a.Name); b != nil {
			c.member(place{n, b.Pos, b}, path+"."+a.Name, a, b)
		} else if !paired[a.Name] {
			c.add(at, "MEMBER_REMOVED", path+"."+a.Name, "the member is gone (field %s)", a.Go)
		}
	}
	for i := range n.Members {
		b := &n.Members[i]
		if o.member(b.Name) != nil {
			continue
		}
		here := place{n, b.Pos, b}
		if !paired[b.Name] {
			c.add(here, "MEMBER_ADDED", path+"."+b.Name, "the member is new")
			if b.Required {
				c.add(here, "REQUIRED_ADDED", path+"."+b.Name, "documents without the member are refused")
			}
		}
		c.clash(here, path, b, n, o)
	}
	switch {
	case o.Rest != "" && n.Rest == "":
		c.add(at, "REST_REMOVED", path, "members that match no field are not kept any more")
	case o.Rest == "" && n.Rest != "":
		c.add(at, "REST_ADDED", path, "members that match no field are kept")
	case o.Rest != "":
		c.value(at, path+".*", mustParse(o.Rest), mustParse(n.Rest))
	}
	if (o.Reads == "") != (n.Reads == "") {
		c.add(at, "READING_CHANGED", path, "it is read by %s, and was by %s", orFields(n.Reads), orFields(o.Reads))
	}
}

func orFields(method string) string { return cmp.Or(method, "its fields") }

// clash reports a new member whose name encoding/json takes for that of another one.
func (c *comparer) clash(at place, path string, b *Member, n, o *Type) {
	for i := range n.Members {
		other := &n.Members[i]
		if other == b || !strings.EqualFold(other.Name, b.Name) || o.member(other.Name) == nil {
			continue
		}
		c.add(at, "MEMBER_CASE_CLASH", path+"."+b.Name, "older readers take it for member %s, which it replaces there", other.Name)
		return
	}
}

// moved reports members that were renamed or moved into or out of an embedded struct. It returns
// the names of all members concerned.
func (c *comparer) moved(at place, path string, o, n *Type) map[string]bool {
	paired := map[string]bool{}
	gone := func(m *Member) bool { return n.member(m.Name) == nil && !paired[m.Name] }
	fresh := func(m *Member) bool { return o.member(m.Name) == nil && !paired[m.Name] }
	for i := range n.Members { // Base.ID, Base.Name became one member for field Base
		b := &n.Members[i]
		if in := within(o, b.Go, gone); fresh(b) && len(in) > 0 && o.byField(b.Go) == nil {
			c.add(place{n, b.Pos, b}, "EMBEDDING_CHANGED", path+"."+b.Name, "members %s are now inside this one", strings.Join(in, ", "))
			paired[b.Name] = true
			for _, name := range in {
				paired[name] = true
			}
		}
	}
	for i := range o.Members {
		a := &o.Members[i]
		if in := within(n, a.Go, fresh); gone(a) && len(in) > 0 && n.byField(a.Go) == nil {
			c.add(at, "EMBEDDING_CHANGED", path+"."+a.Name, "its members %s are now outside of it", strings.Join(in, ", "))
			paired[a.Name] = true
			for _, name := range in {
				paired[name] = true
			}
		}
	}
	for i := range o.Members {
		a := &o.Members[i]
		if t := c.old.Type(a.Form); gone(a) && t != nil && n.byField(a.Go) == nil && n.promotes(t, fresh) {
			c.add(at, "EMBEDDING_CHANGED", path+"."+a.Name, "its members are now outside of it")
			paired[a.Name] = true
			for _, m := range t.Members {
				paired[m.Name] = true
			}
		}
	}
	for i := range o.Members {
		a := &o.Members[i]
		if b := n.byField(a.Go); gone(a) && b != nil && fresh(b) {
			c.add(place{n, b.Pos, b}, "MEMBER_RENAMED", path+"."+a.Name, "the member is called %s now", b.Name)
			paired[a.Name], paired[b.Name] = true, true
		}
	}
	return paired
}

// promotes reports whether an embedded struct of t has all members of another object, and do holds
// for each.
func (t *Type) promotes(other *Type, do func(*Member) bool) bool {
	return len(other.Members) > 0 && !slices.ContainsFunc(other.Members, func(m Member) bool {
		own := t.member(m.Name)
		return own == nil || !strings.Contains(own.Go, ".") || !do(own)
	})
}

// byField returns the member of a Go field, or nil.
func (t *Type) byField(path string) *Member {
	for i := range t.Members {
		if t.Members[i].Go == path {
			return &t.Members[i]
		}
	}
	return nil
}

// within returns the names of the members for which do holds and which an embedded field promotes.
func within(t *Type, field string, do func(*Member) bool) (names []string) {
	for i := range t.Members {
		if m := &t.Members[i]; strings.HasPrefix(m.Go, field+".") && do(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

func (c *comparer) member(at place, path string, a, b *Member) {
	if a.Go != b.Go {
		c.add(at, "FIELD_RENAMED", path, "field %s is now %s", a.Go, b.Go)
	}
	switch {
	case !a.optional() && b.optional():
		c.add(at, "MEMBER_MAY_BE_ABSENT", path, "%s", reason(b))
	case a.optional() && !b.optional():
		c.add(at, "MEMBER_ALWAYS_WRITTEN", path, "the member is always written")
	case a.Empty != b.Empty || a.Zero != b.Zero || a.Missing != b.Missing:
		c.add(at, "OMISSION_CHANGED", path, "%s", reason(b))
	}
	if a.Required != b.Required {
		if b.Required {
			c.add(at, "REQUIRED_ADDED", path, "documents without the member are refused")
		} else {
			c.add(at, "REQUIRED_REMOVED", path, "documents without the member are read")
		}
	}
	if a.Decimals != b.Decimals {
		c.add(at, "DECIMALS_CHANGED", path, "%d decimals became %d; -1 is as many as are needed", a.Decimals, b.Decimals)
	}
	o, n := mustParse(a.Form), mustParse(b.Form)
	before := len(c.out)
	if a.Quoted != b.Quoted && c.scalar(c.old, o) && c.scalar(c.now, n) {
		said := "the value is not in a string any more"
		if b.Quoted {
			said = "the value is in a string now"
		}
		c.add(at, "STRING_FORM_CHANGED", path, "%s", said)
	} else {
		c.bare(at, path, o, n)
	}
	if !changed(c.out[before:], path) {
		c.null(at, path, o, n, a.Null, b.Null)
	}
}

// changed reports whether a change says already that the value at path is another one.
func changed(list []Change, path string) bool {
	return slices.ContainsFunc(list, func(c Change) bool {
		return c.Path == path && slices.Contains([]string{"TYPE_CHANGED", "METHOD_ADDED", "METHOD_REMOVED", "STRING_FORM_CHANGED"}, c.ID)
	})
}

func reason(m *Member) string {
	var list []string
	if m.Empty {
		list = append(list, "if it is empty (omitempty)")
	}
	if m.Zero {
		list = append(list, "if it is zero (omitzero)")
	}
	if m.Missing {
		list = append(list, "if an embedded pointer is nil")
	}
	return "the member is absent " + strings.Join(list, " or ")
}

func mustParse(s string) *form {
	f, err := parseForm(s)
	if err != nil {
		panic("contract: " + err.Error()) // Parse and Of give only forms that parse
	}
	return f
}
