package contract

import (
	"slices"
	"strconv"
	"strings"
)

// resolve returns the form behind the names of alias types, and behind pointers.
func (c *comparer) resolve(f *File, x *form) *form {
	for range 100 { // type P *P has no end
		if x.op == "?" {
			x = x.elem
			continue
		}
		t := f.Type(x.word)
		if x.op != "" || t == nil || t.Kind != Alias {
			return x
		}
		x = mustParse(t.Form)
	}
	return x
}

// alias returns the alias type that x names, perhaps behind pointers; nil if it names none.
func alias(f *File, x *form) *Type {
	for x.op == "?" {
		x = x.elem
	}
	if t := f.Type(x.word); x.op == "" && t != nil && t.Kind == Alias {
		return t
	}
	return nil
}

// nilable reports whether null is written for some value of form x where nothing is left out.
func (c *comparer) nilable(f *File, x *form) bool {
	for range 100 {
		t := f.Type(x.word)
		if x.op != "" || t == nil || t.Kind != Alias {
			break
		}
		x = mustParse(t.Form)
	}
	return x.holdsNull()
}

func (c *comparer) scalar(f *File, x *form) bool {
	x = c.resolve(f, x)
	t := f.Type(x.word)
	return x.op == "" && (t == nil || t.Kind == Enum)
}

// value compares the forms of a value, and whether it may be null.
func (c *comparer) value(at place, path string, o, n *form) {
	before := len(c.out)
	c.bare(at, path, o, n)
	if !changed(c.out[before:], path) {
		c.null(at, path, o, n, c.nilable(c.old, o), c.nilable(c.now, n))
	}
}

// null compares whether null is written for a value of form o, and now of form n.
func (c *comparer) null(at place, path string, o, n *form, was, is bool) {
	switch {
	case was == is || c.open(c.old, o):
	case is:
		c.add(at, "NULL_ADDED", path, "null is written for nil")
	case c.nilable(c.now, n) || c.open(c.now, n):
		c.add(at, "NULL_NO_LONGER_WRITTEN", path, "null is not written any more")
	default:
		c.add(at, "NULL_REMOVED", path, "null, which was written for nil, is read as the zero value")
	}
}

// open reports whether a value of form x may be anything, including null.
func (c *comparer) open(f *File, x *form) bool {
	x = c.resolve(f, x)
	t := f.Type(x.word)
	return x.op == "" && (x.word == "any" || x.word == "raw" || t != nil && t.Kind == Methods)
}

// bare compares two forms apart from null.
func (c *comparer) bare(at place, path string, o, n *form) {
	if a, b := alias(c.old, o), alias(c.now, n); a != nil && b != nil { // type Tree []Tree has no end
		if c.seen[[2]*Type{a, b}] {
			return
		}
		c.seen[[2]*Type{a, b}] = true
	}
	o, n = c.resolve(c.old, o), c.resolve(c.now, n)
	ot, nt := c.old.Type(o.word), c.now.Type(n.word)
	switch {
	case ot != nil && ot.Kind == Methods || nt != nil && nt.Kind == Methods:
		c.methods(at, path, ot, nt, n)
	case ot != nil && nt != nil && ot.Kind == Object && nt.Kind == Object:
		c.object(path, ot, nt)
	case list(o) && list(n):
		if o.op != n.op || o.length != n.length {
			c.add(at, "ARRAY_LENGTH_CHANGED", path, "%s became %s", length(o), length(n))
		}
		c.value(at, path+"[]", o.elem, n.elem)
	case o.op == "map" && n.op == "map":
		c.keys(at, path, o.key, n.key)
		c.value(at, path+"[]", o.elem, n.elem)
	case o.op != n.op || ot != nil && ot.Kind == Object || nt != nil && nt.Kind == Object:
		c.typeChanged(at, path, o, n)
	default:
		c.scalars(at, path, o, n, ot, nt)
	}
}

func list(f *form) bool { return f.op == "[]" || f.op == "[n]" }

func length(f *form) string {
	if f.op == "[]" {
		return "an array of any length"
	}
	return sprint("an array of %d elements", f.length)
}

func (c *comparer) typeChanged(at place, path string, o, n *form) {
	c.add(at, "TYPE_CHANGED", path, "%s became %s", c.said(c.old, o), c.said(c.now, n))
}

// said names a form for messages.
func (c *comparer) said(f *File, x *form) string {
	switch x.op {
	case "[]", "[n]":
		return "an array"
	case "map":
		return "a map"
	}
	if t := f.Type(x.word); t != nil {
		return map[Kind]string{Object: "an object", Enum: t.Form, Methods: "what " + t.Writes + " writes"}[t.Kind]
	}
	return x.word
}

func (c *comparer) scalars(at place, path string, o, n *form, ot, nt *Type) {
	ow, nw := o.word, n.word
	if ot != nil {
		ow = ot.Form
	}
	if nt != nil {
		nw = nt.Form
	}
	if id := numbers(ow, nw); id != "" {
		c.add(at, id, path, "%s became %s", ow, nw)
		return
	}
	if ow != nw && !(c.open(c.old, o) && c.open(c.now, n)) {
		c.typeChanged(at, path, o, n)
		return
	}
	switch {
	case ot == nil && nt != nil:
		c.add(at, "ENUM_CLOSED", path, "the values are the constants of %s", nt.Name)
	case ot != nil && nt == nil:
		c.add(at, "ENUM_OPENED", path, "the values were the constants of %s, and may be any now", ot.Name)
	case ot != nil && !c.seen[[2]*Type{ot, nt}]:
		c.seen[[2]*Type{ot, nt}] = true
		c.constants(at, path, ot, nt)
	}
}

// constants compares enumerations.
func (c *comparer) constants(at place, path string, o, n *Type) {
	at = place{n, n.Pos, nil}
	has := func(t *Type, v Value) bool {
		return slices.ContainsFunc(t.Values, func(w Value) bool { return w.Text == v.Text })
	}
	moved := map[string]bool{}
	for _, v := range o.Values {
		i := slices.IndexFunc(n.Values, func(w Value) bool { return v.Name != "" && w.Name == v.Name })
		switch {
		case i >= 0 && n.Values[i].Text != v.Text:
			moved[n.Values[i].Text], moved[v.Text] = true, true
			c.add(at, "ENUM_VALUE_CHANGED", path, "%s was %s, and is %s", v.Name, v.Text, n.Values[i].Text)
		case !has(n, v):
			c.add(at, "ENUM_VALUE_REMOVED", path, "there is no constant %s %s any more", v.Text, v.Name)
		}
	}
	for _, v := range n.Values {
		if !has(o, v) && !moved[v.Text] {
			c.add(at, "ENUM_VALUE_ADDED", path, "constant %s %s is new", v.Text, v.Name)
		}
	}
}

// numbers returns the rule for a change between two numbers, or "" if it is none or none that
// depends on ranges.
func numbers(o, n string) string {
	oLow, oHigh, oInt := integer(o)
	nLow, nHigh, nInt := integer(n)
	switch {
	case o == n:
		return ""
	case o == "float32" && n == "float64":
		return "FLOAT_WIDENED"
	case o == "float64" && n == "float32":
		return "FLOAT_NARROWED"
	case !oInt || !nInt:
		return ""
	case nLow <= oLow && nHigh >= oHigh:
		return "INTEGER_WIDENED"
	case nLow >= oLow && nHigh <= oHigh:
		return "INTEGER_NARROWED"
	}
	return "INTEGER_RANGE_CHANGED"
}

// integer returns the range of an integer as powers of two: -2^low to 2^high, -1 for no negative
// numbers.
func integer(word string) (low, high int, ok bool) {
	if word == "bigint" {
		return -1000, 1000, true
	}
	if bits, err := strconv.Atoi(strings.TrimPrefix(word, "uint")); err == nil {
		return 0, bits, true
	}
	if bits, err := strconv.Atoi(strings.TrimPrefix(word, "int")); err == nil {
		return -bits, bits - 1, true
	}
	return 0, 0, false
}

// keys compares the keys of maps.
func (c *comparer) keys(at place, path string, o, n *form) {
	before := len(c.out)
	c.bare(at, path, o, n)
	said := c.out[before:]
	if !slices.ContainsFunc(said, func(ch Change) bool { return ch.Level == Error }) {
		return
	}
	c.out = c.out[:before]
	c.add(at, "MAP_KEY_CHANGED", path, "keys of form %s became keys of form %s", c.said(c.old, c.resolve(c.old, o)),
		c.said(c.now, c.resolve(c.now, n)))
}

// methods compares types of which at least one writes itself.
func (c *comparer) methods(at place, path string, o, n *Type, now *form) {
	was, is := o != nil && o.Kind == Methods, n != nil && n.Kind == Methods
	switch {
	case !was:
		c.add(at, "METHOD_ADDED", path, "%s of %s decides the form now", n.Writes, n.Name)
	case !is:
		c.add(at, "METHOD_REMOVED", path, "%s of %s decided the form, which is %s now", o.Writes, o.Name, c.said(c.now, now))
	case c.seen[[2]*Type{o, n}]:
	default:
		c.seen[[2]*Type{o, n}] = true
		c.bothMethods(at, path, o, n)
	}
}

func (c *comparer) bothMethods(at place, path string, o, n *Type) {
	switch {
	case o.Writes != n.Writes && strings.TrimPrefix(o.Writes, "*") != strings.TrimPrefix(n.Writes, "*"):
		c.add(at, "METHOD_REMOVED", path, "%s writes it, where %s did", n.Writes, o.Writes)
	case o.Writes != n.Writes && n.Writes[0] == '*':
		c.add(at, "METHOD_REMOVED", path, "the method has a pointer receiver now: values that have no address are written without it")
	case o.Writes != n.Writes:
		c.add(at, "METHOD_ADDED", path, "the method has no pointer receiver any more: it also writes values that have no address")
	case o.Name != n.Name || o.Of != n.Of:
		c.add(at, "METHOD_OWNER_CHANGED", path, "%s of %s writes it, where that of %s did", n.Writes, declares(n), declares(o))
	}
	switch {
	case o.Reads != "" && n.Reads == "":
		c.add(at, "METHOD_REMOVED", path, "%s is gone, so that nothing reads what %s writes", o.Reads, n.Writes)
	case o.Reads != n.Reads:
		c.add(at, "READING_CHANGED", path, "it is read by %s, and was by %s", n.Reads, orFields(o.Reads))
	}
}

func declares(t *Type) string {
	if t.Of != "" {
		return t.Of
	}
	return t.Name
}
