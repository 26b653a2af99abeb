package protolock

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/schema"
)

// types compares the types of a field that has one number in both messages.
func (c *comparer) types(at place, f, g *Field) {
	switch {
	case f.isMap() && g.isMap():
		key := c.value(at, f.Key, g.Key, f.Group, g.Group)
		if key.id == "FIELD_TYPE_CHANGED" {
			c.add(at, "MAP_KEY", g.Number, "%s", key.detail)
			return
		}
		c.report(at, g, key, "keys: ")
		c.report(at, g, c.value(at, f.Type, g.Type, false, false), "values: ")
	case f.isMap() || g.isMap():
		c.mapChanged(at, f, g)
	case f.Repeated && !g.Repeated:
		c.add(at, "CARDINALITY_CHANGED", g.Number, "%s became %s", f.said(), g.said())
	default:
		diff := c.value(at, f.Type, g.Type, f.Group, g.Group)
		if !f.Repeated && g.Repeated && !breaks(diff.id) {
			if s, ok := c.scalar(g.Type, c.now); ok && s.packable() && !g.Unpacked {
				c.add(at, "CARDINALITY_CHANGED", g.Number, "%s became %s, which is packed", f.said(), g.said())
				return
			}
			c.add(at, "FIELD_REPEATED", g.Number, "%s became %s", f.said(), g.said())
		}
		c.report(at, g, diff, "")
	}
}

// mapChanged compares a map with a field that is none. A list of messages whose only fields are key and
// value has the same bytes.
func (c *comparer) mapChanged(at place, f, g *Field) {
	m, list, in := f, g, c.now
	if g.isMap() {
		m, list, in = g, f, c.old
	}
	entry := in.Type(list.Type.Word)
	if list.Repeated && !list.Group && list.Type.Own && entry != nil && entry.Kind == Message {
		k, v := entry.field(1), entry.field(2)
		plain := func(f *Field) bool { return f != nil && !f.Repeated && !f.isMap() && !f.Group && f.Oneof == "" }
		if plain(k) && plain(v) && k.Type == m.Key && v.Type == m.Type {
			c.met[entry.Name] = c.met[entry.Name] || in == c.old
			c.add(at, "MAP_CHANGED", g.Number, "%s became %s", f.said(), g.said())
			return
		}
	}
	c.add(at, "CARDINALITY_CHANGED", g.Number, "%s became %s", f.said(), g.said())
}

// difference is a rule and what it says; the zero value is none.
type difference struct{ id, detail string }

func breaks(id string) bool { return id != "" && rule(id).Level == schema.Breaking }

func (c *comparer) report(at place, g *Field, d difference, what string) {
	if d.id != "" {
		c.add(at, d.id, g.Number, "%s", what+d.detail)
	}
}

// value compares the types of two values. It compares messages and enums, too.
func (c *comparer) value(at place, f, g Form, wasGroup, isGroup bool) difference {
	said := f.text() + " became " + g.text()
	ot, nt := c.record(c.old, f), c.record(c.now, g)
	s, okS := c.scalar(f, c.old)
	r, okR := c.scalar(g, c.now)
	switch {
	case wasGroup != isGroup:
		return difference{"FIELD_TYPE_CHANGED", "a group became a message, or the reverse"}
	case okS != okR || okS && s.wire != r.wire || !okS && f.Own != g.Own:
		return difference{"FIELD_TYPE_CHANGED", said}
	case !okS && ot != nil && nt != nil && ot.Kind == nt.Kind: // messages
		c.pair(at, ot, nt)
		return difference{}
	case !okS && f.Word != g.Word:
		return difference{"FIELD_TYPE_CHANGED", said}
	case f.Len != g.Len && g.Len > 0:
		return difference{"ARRAY_LEN", said}
	case f.Len != g.Len:
		return difference{"FIELD_TYPE_WIDENED", said}
	case !okS:
		return difference{}
	}
	if ot != nil && nt != nil { // enums
		c.pair(at, ot, nt)
	}
	if s.json != r.json {
		said += "; in JSON " + s.json + " became " + r.json
	}
	switch {
	case s.low == r.low && s.high == r.high && s.json == r.json:
		return difference{}
	case s.low == r.low && s.high == r.high:
		return difference{"JSON_FORM_CHANGED", said}
	case r.low <= s.low && r.high >= s.high:
		return difference{"FIELD_TYPE_WIDENED", said}
	}
	return difference{"FIELD_TYPE_NARROWED", said}
}

// record returns the recorded type that a form names, nil for none.
func (c *comparer) record(in *File, f Form) *Type {
	if !f.Own {
		return nil
	}
	return in.Type(f.Word)
}

// scalar returns how a value of the form compares, and false for messages and types that are not recorded.
func (c *comparer) scalar(f Form, in *File) (scalar, bool) {
	if !f.Own {
		s, ok := scalars[f.Word]
		return s, ok
	}
	t := in.Type(f.Word)
	return enum, t != nil && t.Kind == Enum
}

func scalarForm(f Form, in *File) bool {
	_, ok := (&comparer{}).scalar(f, in)
	return ok
}

// said names the type of a field for messages.
func (f *Field) said() string {
	switch {
	case f.Repeated:
		return "repeated " + f.Type.text()
	case f.Group:
		return "group " + f.Type.text()
	}
	return f.typeText()
}

// form returns the part of a field's type that decides its form in JSON.
func (f *Field) form() string { return fmt.Sprint(f.Repeated, f.typeText()) }

// values compares two enums.
func (c *comparer) values(at place, o, n *Type) {
	next := c.next[n.Name]
	of := func(t *Type, number int32) []string {
		var names []string
		for _, v := range t.Values {
			if v.Number == number && !v.Reserved {
				names = append(names, v.Name)
			}
		}
		return names
	}
	moved := map[string]bool{}
	for _, v := range o.Values {
		now := of(n, v.Number)
		i := slices.IndexFunc(n.Values, func(w Value) bool { return w.Name == v.Name && w.Number != v.Number })
		switch {
		case v.Reserved && len(now) > 0:
			if !slices.Contains(now, v.Name) {
				c.add(at, "TAG_REUSED", v.Number, "number %d of %s was %s, which was removed", v.Number, now[0], v.Name)
			}
			continue
		case slices.Contains(now, v.Name):
			continue
		case v.Reserved:
		case i >= 0 && !slices.Contains(of(o, n.Values[i].Number), v.Name):
			moved[v.Name] = true
			c.add(at, "ENUM_VALUE_CHANGED", v.Number, "%s was %d, and is %d", v.Name, v.Number, n.Values[i].Number)
		case len(now) > 0 && !moved[now[0]] && !slices.ContainsFunc(o.Values, func(w Value) bool { return w.Name == now[0] }):
			c.add(at, "JSON_NAME_CHANGED", v.Number, "value %d was %s, and is %s", v.Number, v.Name, now[0])
		case len(now) > 0: // an alias is gone, or the number belongs to a value of before
			c.add(at, "JSON_NAME_CHANGED", v.Number, "value %d is no longer called %s", v.Number, v.Name)
		case n.Reserved.Has(v.Number):
			c.add(at, "ENUM_VALUE_RESERVED", v.Number, "%s; number %d is reserved", v.Name, v.Number)
		default:
			c.add(at, "ENUM_VALUE_REMOVED", v.Number, "%s with number %d is gone", v.Name, v.Number)
		}
		if len(now) == 0 {
			next.Values = append(next.Values, Value{v.Number, v.Name, true})
		}
	}
	for _, v := range n.Values {
		was := slices.ContainsFunc(o.Values, func(w Value) bool { return w.Number == v.Number })
		switch {
		case was || moved[v.Name]:
		case o.Reserved.Has(v.Number):
			c.add(at, "TAG_REUSED", v.Number, "number %d of %s is reserved", v.Number, v.Name)
		default:
			c.add(at, "ENUM_VALUE_ADDED", v.Number, "%s = %d", v.Name, v.Number)
		}
	}
}
