package goproto

import (
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// facts are what the functions for a struct need to know, apart from its fields.
type facts struct {
	deep  bool // it may be part of a value of any depth, or has maps within: encoders take their state and a depth
	pends bool // it nests without end within: encoders set lengths of more than one byte at the end
	group bool // it may be a group
	maps  bool // it has a map itself
	texts bool // it has strings or bytes within
}

// find sets g.facts.
func (g *gen) find() {
	g.facts = map[*ir.Type]*facts{}
	for _, m := range g.plan.Messages {
		g.facts[m.Type] = &facts{}
	}
	for _, m := range g.plan.Messages {
		f := g.facts[m.Type]
		for i := range m.Fields {
			x := &m.Fields[i]
			f.maps = f.maps || x.Shape == pbtype.Map
			if x.Value.Kind == pbtype.Group {
				g.facts[x.Value.Type].group = true
			}
			f.pends = f.pends || x.Value.Kind.IsDynamic()
			f.texts = f.texts || hasText(&x.Value) || x.Shape == pbtype.Map && hasText(&x.Key)
		}
		f.deep = f.maps || f.pends
	}
	reach := g.reach()
	for t := range reach { // a recursive struct, and all that may be at any depth in it
		for within := range reach[t] {
			if reach[t][t] {
				g.facts[within].deep = true
			}
		}
	}
	for t, all := range reach {
		f, deep := g.facts[t], false
		for within := range all {
			f.pends = f.pends || reach[within][within] || g.hasDynamic(within)
			f.texts = f.texts || g.facts[within].texts
			deep = deep || g.facts[within].deep
		}
		f.deep = f.deep || deep
	}
}

func hasText(v *ir.ProtoValue) bool {
	if v.Kind == pbtype.Wrapper {
		return v.Wrapped == pbtype.String || v.Wrapped == pbtype.Bytes
	}
	return v.Kind == pbtype.String || v.Kind == pbtype.Bytes && v.Len == 0 || v.Kind.IsDynamic()
}

// hasDynamic reports whether the struct t itself has a field of any content.
func (g *gen) hasDynamic(t *ir.Type) bool {
	return slices.ContainsFunc(g.plan.Messages, func(m *ir.ProtoMessage) bool {
		return m.Type == t && slices.ContainsFunc(m.Fields, func(f ir.ProtoField) bool { return f.Value.Kind.IsDynamic() })
	})
}

// pends reports whether lengths within the value are set at the end, so that its own is, too.
func (g *gen) pends(v *ir.ProtoValue) bool {
	return v.Kind.IsDynamic() || v.Message != nil && g.facts[v.Type].pends
}

// reach returns which structs each struct has within. It has itself within if it is recursive.
func (g *gen) reach() map[*ir.Type]map[*ir.Type]bool {
	next := map[*ir.Type][]*ir.Type{}
	for _, m := range g.plan.Messages {
		for i := range m.Fields {
			if v := &m.Fields[i].Value; v.Message != nil {
				next[m.Type] = append(next[m.Type], v.Type)
			}
		}
	}
	all := map[*ir.Type]map[*ir.Type]bool{}
	for _, m := range g.plan.Messages {
		seen := map[*ir.Type]bool{}
		var walk func(*ir.Type)
		walk = func(t *ir.Type) {
			for _, n := range next[t] {
				if !seen[n] {
					seen[n] = true
					walk(n)
				}
			}
		}
		walk(m.Type)
		all[m.Type] = seen
	}
	return all
}
