package lock

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/schema"
)

// A lineage identifies a struct in values of type any, so two structs must not have the same. The
// first lineage of a struct is computed from its name. So if a struct was renamed, a new struct
// with the old name gets another lineage.

// carry copies now. It keeps the lineages of structs that were recorded before, and the old names
// of fields that have since been reserved.
func carry(now *File, to map[*Type]*Type) *File {
	from, used := map[*Type]*Type{}, map[uint64]bool{}
	for t, n := range to {
		from[n] = t
		used[t.Lineage] = true
	}
	next := &File{}
	for _, n := range now.Types {
		c := *n
		c.Fields = slices.Clone(n.Fields)
		if t := from[n]; t != nil && t.Lineage != 0 {
			c.Lineage = t.Lineage
		} else {
			for c.Lineage != 0 && used[c.Lineage] { // the renamed type keeps this lineage
				c.Lineage = Lineage(fmt.Sprintf("%016x", c.Lineage), c.Name)
			}
		}
		if t := from[n]; t != nil {
			for i := range c.Fields {
				if f, was := &c.Fields[i], t.field(c.Fields[i].Number); f.Words && was != nil {
					f.Name = was.Name
				}
			}
		}
		next.Types = append(next.Types, &c)
	}
	return next
}

// recall copies from t the types that reserved fields once had, and the reserved arms. So nobody
// can give their numbers to another field or arm.
func (c *Type) recall(t *Type) {
	for i := range t.Fields {
		if t.goneArm(&t.Fields[i]) {
			c.reserve(t.Fields[i])
		}
	}
	for i := range c.Fields {
		if f, was := &c.Fields[i], t.field(c.Fields[i].Number); f.Words && was != nil && c.Kind == schema.Struct {
			c.Fields[i] = *was
			c.Fields[i].Reserved = true
		}
	}
}

// complete adds the old types to which f still refers, from reserved fields or from types that no
// message reaches today.
func (f *File) complete(old *File, to map[*Type]*Type) {
	for i := 0; i < len(f.Types); i++ {
		t := f.Types[i]
		for j := range t.Fields {
			for _, name := range t.Fields[j].names(t.Kind) {
				was := old.Type(name)
				switch {
				case f.Type(name) != nil || was == nil:
				case to[was] != nil && t.goneArm(&t.Fields[j]): // the arm's type was renamed and has another number
				case to[was] != nil:
					f.Types[i] = t.renamed(name, to[was].Name)
					t = f.Types[i]
				default:
					f.Types = append(f.Types, was)
				}
			}
		}
	}
	f.sort()
}

// renamed returns t with another name for a type that it refers to.
func (t *Type) renamed(from, to string) *Type {
	c := *t
	c.Fields = slices.Clone(t.Fields)
	for i := range c.Fields {
		if f := &c.Fields[i]; c.Kind == schema.Union {
			if f.Name == from {
				f.Name = to
			}
		} else if !f.Words {
			f.Type = rename(f.Type, from, to)
		}
	}
	return &c
}
