package zmytype

import (
	"math"

	"github.com/zmylab/zmy/wire"
)

// facts computes what depends on all types, and lists the types in depth-first order.
func (c *compiler[T, F]) facts() {
	listed := map[*Type[T, F]]bool{}
	for _, r := range c.plan.Roots {
		c.list(r, listed)
	}
	for _, t := range c.plan.Types {
		if t.bottomless(len(c.plan.Types)) {
			c.problem(place[T, F]{typ: t.Type, depth: 1}, "put a struct between",
				"type contains itself without a struct between: its depth has no limit")
		}
	}
	if len(c.problems) > 0 {
		return
	}
	for _, t := range c.plan.Types {
		t.Cost = t.cost()
		if t.Cost > math.MaxInt32 {
			c.problem(place[T, F]{typ: t.Type, depth: 1}, "use slices", "type takes more than 2 GiB")
		}
		if t.Words == "" {
			t.Memory = int(c.src.SizeOf(t.Type)) + t.zones()*wire.ZoneMemory
		}
		t.Skips = t.skipsInside()
	}
}

func (c *compiler[T, F]) list(t *Type[T, F], listed map[*Type[T, F]]bool) {
	if listed[t] {
		return
	}
	listed[t] = true
	t.ID = len(c.plan.Types)
	c.plan.Types = append(c.plan.Types, t)
	for _, part := range t.Parts() {
		c.list(part, listed)
	}
}

// bottomless reports whether t contains itself without a struct between. n is the number of types.
func (t *Type[T, F]) bottomless(n int) bool {
	for e := t.Elem; e != nil && !e.IsStruct() && n > 0; e = e.Elem {
		if e == t {
			return true
		}
		n--
	}
	return false
}

// cost returns the units of the budget that one value costs, wherever it is. FORMAT.md has the
// table.
func (t *Type[T, F]) cost() int {
	switch t.Shape {
	case ShapeFixed, ShapeFixedTail:
		return t.Size
	case ShapeArray:
		return t.Size * t.Elem.cost()
	case ShapeStruct, ShapeSparse:
		sum := 0
		for _, f := range t.Fields {
			if !f.Reserved() {
				sum += f.Type.cost()
			}
		}
		if t.KeepsUnknown() {
			sum += wire.SlotCost
		}
		return sum
	case ShapeAny:
		return wire.AnyCost
	}
	return wire.SlotCost
}

// zones returns the number of time.Time values with a zone that are in the memory of a value
// itself.
func (t *Type[T, F]) zones() (n int) {
	switch t.Shape {
	case ShapeArray:
		return t.Size * t.Elem.zones()
	case ShapeFixed, ShapeFixedTail, ShapeStruct, ShapeSparse:
		if t.Kind == Array {
			return int(t.Len) * t.Elem.zones()
		}
		for _, f := range t.Fields {
			if !f.Reserved() {
				n += f.Type.zones()
			}
		}
		if t.Time == Zone {
			n++
		}
	}
	return n
}

func (t *Type[T, F]) skipsInside() bool {
	if t.Skips {
		return true
	}
	switch t.Shape {
	case ShapeArray:
		return t.Elem.skipsInside()
	case ShapeStruct, ShapeSparse:
		for _, f := range t.Fields {
			if f.Type.skipsInside() {
				return true
			}
		}
	}
	return false
}

// Aliases reports whether values of the type may contain strings or bytes, which can share the
// memory of the message.
func (t *Type[T, F]) Aliases() bool { return t.aliases(map[*Type[T, F]]bool{}) }

func (t *Type[T, F]) aliases(seen map[*Type[T, F]]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Shape {
	case ShapeString, ShapeAny, ShapeUnion:
		return true
	case ShapeBytes:
		return t.Words == ""
	}
	for _, part := range t.Parts() {
		if part.aliases(seen) {
			return true
		}
	}
	return false
}
