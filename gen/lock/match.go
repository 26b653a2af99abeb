package lock

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/schema"
)

// Types are paired in three steps, the surest first: by equal names, then by places, then by
// fields. A later step never changes a pair of an earlier one. So a type that has kept its name is
// paired with itself, even if another type now has its fields.

// matches pairs the types of old with types of now. A type has the same name in both, or it was
// renamed. It counts as renamed if its old name is gone, its new name is new, and either fields at
// the same place refer to it, or exactly one new type has all of its fields and values.
func matches(old, now *File, exists func(name string) bool) map[*Type]*Type {
	m := matcher{old: old, now: now, exists: exists, to: map[*Type]*Type{}, from: map[*Type]*Type{}}
	for _, t := range old.Types {
		if n := now.Type(t.Name); n != nil {
			m.pair(t, n)
		}
	}
	m.byPlace()
	m.byFields()
	return m.to
}

type matcher struct {
	old, now *File
	exists   func(name string) bool
	to, from map[*Type]*Type
}

func (m *matcher) pair(t, n *Type) { m.to[t], m.from[n] = n, t }

// free reports whether the old type t may have become the new type n. It is not known whether a
// type of another package is gone. So such a type must keep its own name, as it does when its
// module moves.
func (m *matcher) free(t, n *Type) bool {
	if t == nil || n == nil || t.Kind != n.Kind || m.to[t] != nil || m.from[n] != nil {
		return false
	}
	return !m.exists(t.Name) || foreign(t.Name) && plain(t.Name) == plain(n.Name)
}

// byPlace pairs types that fields of paired types refer to at the same place, until no more are
// found.
func (m *matcher) byPlace() {
	for found := true; found; {
		found = false
		for _, t := range m.old.Types {
			n := m.to[t]
			if n == nil {
				continue
			}
			for i := range t.Fields {
				f, g := &t.Fields[i], n.field(t.Fields[i].Number)
				if g == nil {
					continue
				}
				then, today := f.names(t.Kind), g.names(n.Kind)
				for j := range then {
					if len(then) != len(today) {
						break
					}
					if x, y := m.old.Type(then[j]), m.now.Type(today[j]); m.free(x, y) {
						m.pair(x, y)
						found = true
					}
				}
			}
		}
	}
}

// names lists the types that a field refers to. kind is the kind of the type that has the field.
func (f *Field) names(kind schema.Kind) []string {
	switch {
	case kind == schema.Union:
		return []string{f.Name}
	case f.Words:
		return nil
	}
	return names(f.Type)
}

// byFields pairs types that were renamed, if there is exactly one choice.
func (m *matcher) byFields() {
	for _, t := range m.old.Types {
		var same []*Type
		for _, n := range m.now.Types {
			if m.free(t, n) && t.within(n) {
				same = append(same, n)
			}
		}
		if len(same) == 1 {
			m.pair(t, same[0])
		}
	}
}

// within reports whether n has the fields and values of t, by number and name.
func (t *Type) within(n *Type) bool {
	if t.Sparse != n.Sparse || len(t.Fields)+len(t.Values) == 0 {
		return false
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if g := n.field(f.Number); g == nil || !g.Reserved && g.Name != f.Name {
			return false
		}
	}
	return !slices.ContainsFunc(t.Values, func(v schema.Value) bool { return !slices.Contains(n.Values, v) })
}

// declared returns a function that reports whether a type exists, although today's messages may not
// reach it. names lists the names that the package declares.
func declared(names []string) func(name string) bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return func(name string) bool {
		base, _, _ := strings.Cut(name, "[")
		base, _, _ = strings.Cut(base, ":")
		return foreign(name) || set[base]
	}
}
