package schema

import (
	"fmt"
	"math"

	"github.com/zmylab/zmy/wire"
)

// Layout says where the fields of each type are in a message. It is safe for concurrent use.
type Layout struct {
	// Table is for wire.Verify. Its indices are those of Schema.Types, and its root is 0.
	Table []wire.Desc
	// Places has the place of each field of each struct, by field number.
	Places [][]Place
	// Costs has the units of the budget that one value of each type costs.
	Costs []int64
}

// Place says where a field is: in the scalars, or which tail it is. For a sparse struct it is the
// place in a message that has all fields.
type Place struct {
	Tail   bool
	Offset int // bytes from the start of the scalars, or the index of the tail
}

// Layout computes the layout of a schema that has passed Check. The sizes of fixed types come
// first, since the shapes of lists and pointers depend on whether their elements are fixed. Places
// need the sizes and shapes of all fields. Costs need the shapes.
func (s *Schema) Layout() (*Layout, error) {
	l := &Layout{
		Table:  make([]wire.Desc, len(s.Types)+1),
		Places: make([][]Place, len(s.Types)),
		Costs:  make([]int64, len(s.Types)),
	}
	inline := s.inline()
	for i := range s.Types { // fixed computes the parts of a type first, whatever their index
		if err := s.fixed(l, inline, uint32(i)); err != nil {
			return nil, err
		}
	}
	empty := len(s.Types) // the type of a set's values, which have no bytes
	for i := range s.Types {
		t, d := &s.Types[i], &l.Table[i]
		if d.Shape == 0 && d.Size == 0 {
			d.Shape = s.shape(l, t)
		}
		d.Elem, d.Key = int(t.Elem), int(t.Key)
		if t.Kind == Map {
			if s.isSet(t) {
				d.Elem = empty
			}
			switch k := s.Types[t.Key].Kind; {
			case k.isSigned():
				d.Order = wire.SignedOrder
			case k.isUnsigned():
				d.Order = wire.UnsignedOrder
			}
		}
		if t.Kind == Array && d.Shape == wire.ShapeArray {
			d.Size = int(t.Len)
		}
	}
	for i := range s.Types {
		if err := s.place(l, i); err != nil {
			return nil, err
		}
	}
	costs := costs{s, l, make([]bool, len(s.Types))}
	for i := range s.Types {
		if costs.of(uint32(i)) > math.MaxInt32 {
			// Costs beyond MaxInt32 are refused because int may have 32 bits.
			return nil, fmt.Errorf("schema: type %d%s takes more than 2 GiB", i, named(s.Types[i].Name))
		}
	}
	return l, nil
}

// fixed computes the size of type i, if it is fixed. It does so for the parts of i first.
func (s *Schema) fixed(l *Layout, inline []bool, i uint32) error {
	d, t := &l.Table[i], &s.Types[i]
	if d.Size > 0 {
		return nil
	}
	switch d.Size = kinds[t.Kind].size; t.Kind {
	case Bool:
		d.Domain = wire.BoolBytes
	case Time:
		d.Domain = wire.TimeBytes
	case TimeZone:
		d.Domain = wire.ZoneBytes
	case Reserved:
		d.Size = int(t.Len)
	case Struct:
		if inline[i] {
			return s.fixedStruct(l, inline, i)
		}
	case Array:
		if err := s.fixed(l, inline, t.Elem); err != nil {
			return err
		}
		e := &l.Table[t.Elem]
		if e.Shape != wire.ShapeFixed || e.Size == 0 {
			return nil
		}
		size := uint64(e.Size) * uint64(t.Len)
		if size > math.MaxInt32 {
			return fmt.Errorf("schema: type %d: array of %d bytes", i, size)
		}
		d.Size, d.Domain = int(size), e.Domain
		if size > wire.MaxFixed {
			d.Shape = wire.ShapeFixedTail
		}
	}
	return nil
}

// fixedStruct computes the size of an inline struct.
func (s *Schema) fixedStruct(l *Layout, inline []bool, i uint32) error {
	d, t := &l.Table[i], &s.Types[i]
	for j := range t.Fields {
		f := t.Fields[j].Type
		if err := s.fixed(l, inline, f); err != nil {
			return err
		}
		e := &l.Table[f]
		if e.Shape != wire.ShapeFixed || e.Size == 0 {
			return fmt.Errorf("schema: type %d%s stands inline, but field %d has no fixed size", i, named(t.Name), j)
		}
		d.Size += e.Size
	}
	if d.Size == 0 || d.Size > MaxFixed {
		return fmt.Errorf("schema: type %d%s stands inline with %d bytes; 1 to %d are possible", i, named(t.Name), d.Size, MaxFixed)
	}
	return nil
}

// isSet reports whether the map t is a set: its values are empty structs.
func (s *Schema) isSet(t *Type) bool {
	e := &s.Types[t.Elem]
	return e.Kind == Struct && len(e.Fields) == 0
}

// shape returns the shape of a type that has no fixed size.
func (s *Schema) shape(l *Layout, t *Type) wire.Shape {
	elem, e := &s.Types[t.Elem], &l.Table[t.Elem]
	fixed := e.Shape == wire.ShapeFixed && e.Size > 0
	switch {
	case t.Sparse:
		return wire.ShapeSparse
	case t.Kind == List && fixed:
		return wire.ShapePacked
	case t.Kind == List && elem.Kind == Struct && !elem.Sparse:
		return wire.ShapeDense
	case t.Kind == Opt && fixed:
		return wire.ShapePtrFixed
	case t.Kind == Opt && elem.Kind == Struct:
		return wire.ShapePtrStruct
	case t.Kind == Opt && elem.Kind == BigInt:
		return wire.ShapePtrBigInt
	case t.Kind == Opt && elem.Kind == BigFloat:
		return wire.ShapePtrBigFloat
	}
	return kinds[t.Kind].shape
}

// place sets the place of each field of struct i, or the discriminator of each arm of union i.
func (s *Schema) place(l *Layout, i int) error {
	t, d := &s.Types[i], &l.Table[i]
	if t.Kind != Struct {
		for j := range t.Fields {
			d.Discs = append(d.Discs, uint16(t.Fields[j].Number))
			d.Fields = append(d.Fields, int(t.Fields[j].Type))
		}
		return nil
	}
	scalars, tails := 0, 0
	for j := range t.Fields {
		f, size := int(t.Fields[j].Type), 0
		if ft := &l.Table[f]; ft.Shape == wire.ShapeFixed {
			l.Places[i] = append(l.Places[i], Place{false, scalars})
			size = ft.Size
			scalars += size
		} else {
			l.Places[i] = append(l.Places[i], Place{true, tails})
			tails++
		}
		if t.Sparse {
			d.Sizes = append(d.Sizes, size)
		}
		if scalars > wire.MaxScalars || tails > wire.MaxTails {
			return fmt.Errorf("schema: type %d%s has %d bytes of scalars and %d tails; each may be at most %d", i, named(t.Name), scalars,
				tails, wire.MaxScalars)
		}
		d.Fields = append(d.Fields, f)
		if j < len(t.Fields)-1 && d.Shape == wire.ShapeStruct { // the version that ended with this field
			d.Older = append(d.Older, wire.Header(scalars, tails))
		}
	}
	if d.Shape != wire.ShapeFixed {
		d.Head = wire.Header(scalars, tails)
	}
	return nil
}

// costs computes what one value of each type costs, in units of the budget. Each is at most
// maxCost, so that sums do not overflow.
type costs struct {
	s    *Schema
	l    *Layout
	done []bool
}

const maxCost = math.MaxUint32

func (c costs) of(i uint32) uint64 {
	if c.done[i] {
		return uint64(c.l.Costs[i])
	}
	d, t := &c.l.Table[i], &c.s.Types[i]
	cost := uint64(wire.SlotCost)
	switch {
	case d.Shape == wire.ShapeFixed, d.Shape == wire.ShapeFixedTail:
		cost = uint64(d.Size)
	case d.Shape == wire.ShapeArray:
		cost = uint64(t.Len) * c.of(t.Elem)
	case d.Shape == wire.ShapeStruct, d.Shape == wire.ShapeSparse:
		cost = 0
		for j := range t.Fields {
			if f := &t.Fields[j]; !f.Reserved {
				cost += c.of(f.Type)
			}
		}
	case d.Shape == wire.ShapeAny:
		cost = wire.AnyCost
	}
	cost = min(cost, maxCost)
	c.l.Costs[i], c.done[i] = int64(cost), true
	return cost
}
