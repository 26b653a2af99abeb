package schema

import (
	"cmp"
	"fmt"

	"github.com/zmylab/zmy"
)

// Diff returns the changes from before to after, in the order of fields. If none of them [Breaks],
// programs of each version read the messages of the other. Compare a version with all older
// versions, not only with the previous one. If one step was breaking, comparing neighbours says
// nothing about versions on different sides of that step.
func Diff(before, after *Schema) []Change {
	for i, s := range []*Schema{before, after} {
		if err := s.check(false); err != nil { // gaps have a code of their own
			return []Change{{Code: InvalidSchema, Detail: fmt.Sprintf("the one %s: %v", [...]string{"before", "after"}[i], err), Number: -1}}
		}
	}
	d := differ{a: before, b: after, seen: map[[2]uint32]bool{}, number: -1}
	path := after.Types[0].Name
	if path == "" {
		path = "message"
	}
	d.limits(path)
	d.types(path, 0, 0)
	return d.out
}

type differ struct {
	a, b *Schema
	seen map[[2]uint32]bool
	out  []Change
	// The later version's type that is being compared, and the number of its field, or -1.
	owner  uint32
	number int
}

func (d *differ) add(c Code, path, format string, args ...any) {
	d.out = append(d.out, Change{c, path, fmt.Sprintf(format, args...), d.owner, d.number})
}

// within runs compare, which compares parts of type b. The changes that it adds have b as their
// Type.
func (d *differ) within(b uint32, compare func()) {
	owner, number := d.owner, d.number
	d.owner, d.number = b, -1
	compare()
	d.owner, d.number = owner, number
}

func (d *differ) limits(path string) {
	for _, l := range []struct {
		name          string
		old, new, def uint32
	}{
		{"MaxWire", d.a.Limits.MaxWire, d.b.Limits.MaxWire, zmy.DefaultMaxWire},
		{"MaxRaw", d.a.Limits.MaxRaw, d.b.Limits.MaxRaw, zmy.DefaultMaxRaw},
		{"MaxDepth", d.a.Limits.MaxDepth, d.b.Limits.MaxDepth, zmy.DefaultMaxDepth},
	} {
		old, new := cmp.Or(l.old, l.def), cmp.Or(l.new, l.def)
		switch {
		case new < old:
			d.add(LimitLowered, path, "%s went from %d to %d", l.name, old, new)
		case new > old:
			d.add(LimitRaised, path, "%s went from %d to %d", l.name, old, new)
		}
	}
}

// describe returns a type's name for people: the canonical text, with the names of structs in place
// of their fields.
func (s *Schema) describe(i uint32) string {
	t := &s.Types[i]
	switch t.Kind {
	case List:
		return "[]" + s.describe(t.Elem)
	case Array:
		return fmt.Sprintf("[%d]%s", t.Len, s.describe(t.Elem))
	case Map:
		return "map[" + s.describe(t.Key) + "]" + s.describe(t.Elem)
	case Opt:
		return "?" + s.describe(t.Elem)
	case Struct, Union, Reserved:
		if t.Name != "" {
			return t.Name
		}
	}
	return t.Kind.String()
}

// types compares type a of before with type b of after. A pair of types is compared once, at the
// first path that leads to it: types may contain themselves through lists and pointers.
func (d *differ) types(path string, a, b uint32) {
	key := [2]uint32{a, b}
	if d.seen[key] {
		return
	}
	d.seen[key] = true
	x, y := &d.a.Types[a], &d.b.Types[b]
	if x.Kind != y.Kind {
		d.kinds(path, a, b)
		return
	}
	switch x.Kind {
	case Struct:
		if x.Lineage != 0 && y.Lineage != 0 && x.Lineage != y.Lineage {
			d.add(LineageChanged, path, "%s with lineage %016x became %s with %016x", x.Name, x.Lineage, y.Name, y.Lineage)
		}
		d.within(b, func() { d.structs(path, x, y) })
	case Union:
		d.within(b, func() {
			d.named(path, x, y)
			d.arms(path, x, y)
		})
	case List, Opt:
		d.elems(path, x, y)
	case Array:
		if x.Len != y.Len {
			d.add(ArrayLen, path, "length %d became %d", x.Len, y.Len)
		}
		d.elems(path, x, y)
	case Map:
		if k, l := d.a.describe(x.Key), d.b.describe(y.Key); k != l {
			d.add(MapKey, path, "keys %s became %s", k, l)
		} else {
			d.types(path+"[key]", x.Key, y.Key)
		}
		if d.a.isSet(x) != d.b.isSet(y) {
			d.add(LayoutChanged, path, "%s became %s", d.a.describe(a), d.b.describe(b))
			return
		}
		d.elems(path, x, y)
	}
	d.within(b, func() { d.values(path, x, y) })
}

func (d *differ) elems(path string, x, y *Type) {
	if x.Kind != Opt {
		path += "[]"
	}
	d.types(path, x.Elem, y.Elem)
}

// kinds adds the change between two types of different kinds. It uses the first code that applies.
// FieldSectionMoved is tried first, because a field that moves between the sections shifts all
// fields after it, whatever its kinds are.
func (d *differ) kinds(path string, a, b uint32) {
	x, y := d.a.Types[a].Kind, d.b.Types[b].Kind
	code := FieldTypeChanged
	text := func(k Kind) bool { return k == String || k == Bytes || k == JSON }
	time := func(k Kind) bool { return k == Time || k == TimeUnixNano || k == TimeZone }
	switch {
	case (d.a.fixedSize(a) > 0) != (d.b.fixedSize(b) > 0):
		code = FieldSectionMoved
	case text(x) && text(y) && (x == String || y == String):
		code = UTF8Changed
	case time(x) && time(y):
		code = LayoutChanged
	case x == Opt && d.a.Types[d.a.Types[a].Elem].Kind == y, y == Opt && d.b.Types[d.b.Types[b].Elem].Kind == x:
		code = LayoutChanged
	}
	d.add(code, path, "%s became %s", d.a.describe(a), d.b.describe(b))
}

// fixedSize returns the size in bytes of a scalar field of type i, 0 if the field is a tail.
func (s *Schema) fixedSize(i uint32) uint64 {
	n := uint64(1)
	t := &s.Types[i]
	for ; t.Kind == Array && n <= MaxFixed; t = &s.Types[t.Elem] {
		n *= uint64(t.Len)
	}
	size := uint64(kinds[t.Kind].size)
	if t.Kind == Reserved {
		size = uint64(t.Len)
	}
	if n*size > MaxFixed {
		return 0
	}
	return n * size
}

// fieldSize returns the size in bytes of a scalar field, 0 if the field is a tail.
func (s *Schema) fieldSize(f *Field) uint64 {
	if !f.Inline {
		return s.fixedSize(f.Type)
	}
	n := uint64(0)
	for i := range s.Types[f.Type].Fields {
		n += s.fieldSize(&s.Types[f.Type].Fields[i])
	}
	return n
}
