package check

import (
	"slices"

	"github.com/zmylab/zmy/gen/ir"
)

// reachable reports whether Go code of the package can name the field that encoding/json reaches by
// reflection. Code cannot name a step through an unexported embedded struct of another package.
// Then Go's promotion must lead to the same field, and the step must not be a pointer, since code
// could not compare it with nil. The struct behind an embedded pointer must have a name, since
// decoding allocates one. The field itself may be an unexported embedded struct to which a struct
// tag gives a name in JSON.
func (c *jsonCheck) reachable(t *ir.Type, f *ir.JSONField) bool {
	from, skipped := t, []int(nil)
	check := func(name string, index int) bool {
		if skipped == nil {
			return true
		}
		want := append(skipped, index)
		got := promoted(from, name)
		skipped = nil
		return slices.Equal(got, want)
	}
	for _, st := range f.Steps {
		base, _ := embeddedType(st.Field.Type)
		if st.Pointer && !base.Spellable(c.pkg) {
			return false
		}
		if !st.Field.Usable(c.pkg) {
			if st.Pointer {
				return false
			}
			if skipped == nil {
				skipped = []int{}
			}
			skipped = append(skipped, st.Index)
			continue
		}
		if !check(st.Field.Name, st.Index) {
			return false
		}
		from = base
	}
	return c.settable(f.Field) && check(f.Field.Name, f.Index)
}

// settable reports whether reflection may set the field and call methods of its type.
func (c *jsonCheck) settable(f *ir.Field) bool {
	base, pointer := embeddedType(f.Type)
	return f.Exported || f.Pkg == c.pkg && !pointer && base.Hooks&ir.JSONHooks == 0
}

// promoted returns the path by which Go's promotion finds a field in a struct: the shallowest field
// of that name. It returns nil if there is none, or more than one at that depth.
func promoted(t *ir.Type, name string) []int {
	type place struct {
		t    *ir.Type
		path []int
	}
	seen := map[*ir.Type]bool{}
	for here := []place{{t, nil}}; len(here) > 0; {
		var hits [][]int
		var next []place
		for _, p := range here {
			if seen[p.t] {
				continue
			}
			for i, f := range p.t.Fields {
				path := append(slices.Clone(p.path), i)
				if f.Name == name {
					hits = append(hits, path)
				}
				if base, _ := embeddedType(f.Type); f.Embedded && base.Kind == ir.Struct {
					next = append(next, place{base, path})
				}
			}
		}
		for _, p := range here {
			seen[p.t] = true
		}
		if len(hits) == 1 {
			return hits[0]
		}
		if len(hits) > 1 {
			return nil
		}
		here = next
	}
	return nil
}
