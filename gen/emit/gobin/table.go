package gobin

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

// The names of package wire's constants.
var (
	domains = [...]string{"@@AnyBytes", "@@BoolBytes", "@@TimeBytes", "@@ZoneBytes"}
	orders  = [...]string{"@@ByteOrder", "@@SignedOrder", "@@UnsignedOrder"}
)

// printTable prints the types as data.
func (g *gen) printTable() {
	g.P("// ", g.table, " describes the types to the verifier and to views.")
	g.p("var %s = [...]@@Desc{", g.table)
	for _, t := range g.plan.Types {
		g.p("%d: {%s},", t.ID, g.desc(t))
	}
	if g.empty {
		g.p("%d: {Shape: @@ShapeFixed},", len(g.plan.Types))
	}
	g.P("}\n")
}

func (g *gen) desc(t *ir.ZMYType) string {
	parts := []string{"Shape: @@" + t.Carried().String()}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if t.Domain != wire.AnyBytes {
		add("Domain: %s", domains[t.Domain])
	}
	if t.Order != wire.ByteOrder {
		add("Order: %s", orders[t.Order])
	}
	if t.Size != 0 {
		add("Size: %d", t.Size)
	}
	if t.Key != nil {
		add("Key: %d", t.Key.ID)
	}
	switch {
	case t.Elem == nil:
	case t.IsSet():
		g.empty = true
		add("Elem: %d", len(g.plan.Types))
	default:
		add("Elem: %d", t.Elem.ID)
	}
	if t.IsStruct() {
		add("Head: %s", head(t))
		if t.Shape == zmytype.ShapeSparse {
			sizes := make([]int, len(t.Fields))
			for i, f := range t.Fields {
				if f.Tail < 0 {
					sizes[i] = f.Type.Size
				}
			}
			add("Sizes: []int{%s}", joined(sizes, "%d"))
		} else if len(t.Older) > 0 {
			add("Older: []uint32{%s}", joined(t.Older, "%#x"))
		}
	}
	if t.Shape == zmytype.ShapeUnion {
		var discs, ids []int
		for _, a := range t.Arms {
			discs, ids = append(discs, a.Disc), append(ids, a.Type.ID)
		}
		add("Discs: []uint16{%s}", joined(discs, "%d"))
		add("Fields: []int{%s}", joined(ids, "%d"))
	}
	if len(t.Fields) > 0 {
		ids := make([]int, len(t.Fields))
		for i, f := range t.Fields {
			ids[i] = f.Type.ID
		}
		add("Fields: []int{%s}", joined(ids, "%d"))
	}
	return strings.Join(parts, ", ")
}

func head(t *ir.ZMYType) string { return fmt.Sprintf("%#x", t.Header()) }

func joined[T any](list []T, format string) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = fmt.Sprintf(format, v)
	}
	return strings.Join(s, ", ")
}

// typeVar returns the expression for t's entry in the table.
func (g *gen) typeVar(t *ir.ZMYType) string { return fmt.Sprintf("%s[%d]", g.table, t.ID) }
