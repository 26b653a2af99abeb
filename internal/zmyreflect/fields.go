package zmyreflect

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/zmylab/zmy/wire"
)

const maxSparse = 8 * 255 // fields of a sparse struct

// structType numbers the fields of a struct and lays them out.
func (c *compiler) structType(z *typ) *TypeError {
	z.shape = shapeStruct
	t := z.rt
	z.after = declares(t, afterType, "AfterUnmarshalZMY")
	form := c.time
	c.time = formTime
	defer func() { c.time = form }()
	if err := c.directives(z); err != nil {
		return err
	}
	tagged := false
	for i := range t.NumField() {
		text, ok := t.Field(i).Tag.Lookup("zmy")
		tagged = tagged || ok && text != "-"
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" && f.Tag.Get("zmy") != "" {
			continue // a directive
		}
		if f.Type == unknownType {
			if err := z.keep(f, i); err != nil {
				return err
			}
			continue
		}
		tag, err := parseTag(f)
		if err != nil {
			return err
		}
		switch {
		case tag.skip || !f.IsExported() && !tag.set && !(f.Anonymous && f.Type.Kind() == reflect.Struct):
			z.skips = true
			continue
		case !tag.set:
			return untagged(f, tagged)
		}
		ft, err := c.fieldType(f, tag)
		if err != nil {
			return err.in(f.Name)
		}
		z.fields = append(z.fields, field{
			name: f.Name, number: tag.number, typ: ft, index: i, offset: f.Offset, exported: f.IsExported(),
		})
	}
	if len(z.fields) == 0 && t.NumField() > 0 {
		return fail("", "give it MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary, or number its fields, or "+skipHint,
			"%v has no wire type: none of its fields is carried", t)
	}
	return c.layout(z)
}

// directives reads the blank fields of a struct.
func (c *compiler) directives(z *typ) *TypeError {
	for i := range z.rt.NumField() {
		f := z.rt.Field(i)
		if text := f.Tag.Get("zmy"); f.Name == "_" && text != "" && text != "-" {
			if f.Type != emptyType {
				return fail("_", "write _ struct{}", "a directive stands at a blank field of type struct{}, not %v", f.Type)
			}
			if err := c.directive(z, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func untagged(f reflect.StructField, some bool) *TypeError {
	err := fail(f.Name, `number it, as in zmy:"0", or `+skipHint, "no struct tag zmy")
	if !some {
		err.Hint += "; or generate code with zmy gen -derive, which numbers a struct without tags"
		err.Generator = true
	}
	return err
}

// keep takes a field of type zmy.Unknown.
func (z *typ) keep(f reflect.StructField, i int) *TypeError {
	switch text, tagged := f.Tag.Lookup("zmy"); {
	case tagged && text == "-":
		z.skips = true
	case tagged:
		return fail(f.Name, "remove the struct tag zmy", "a field of type zmy.Unknown has no number")
	case z.unknown != nil:
		return fail(f.Name, "remove one", "field %s is of type zmy.Unknown already", z.unknown.name)
	default:
		z.unknown = &field{name: f.Name, index: i, offset: f.Offset, exported: f.IsExported()}
	}
	return nil
}

// fieldType returns the form of a field.
func (c *compiler) fieldType(f reflect.StructField, tag tag) (*typ, *TypeError) {
	if tag.inline {
		return c.inline(f.Type)
	}
	if tag.time != formTime && !holdsTime(f.Type) {
		return nil, fail("", "remove it", "options zone and unixnano are for times, not for %v", f.Type)
	}
	c.time = tag.time
	t, err := c.typ(f.Type)
	c.time = formTime
	if err != nil || !tag.nilable {
		return t, err
	}
	if k := f.Type.Kind(); k != reflect.Slice && k != reflect.Map {
		return nil, fail("", "remove it", "option nilable is for slices and maps, not for %v", f.Type)
	}
	k := key{t: f.Type, nilable: true, time: tag.time}
	z := c.seen[k]
	if z == nil {
		z = c.add(k)
		z.shape, z.elem = shapeOpt, t
	}
	return z, nil
}

// holdsTime reports a type whose values are times, or lists or maps of them.
func holdsTime(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t == timeType
}

// inline is the form of a struct of scalars that stands among those of the
// struct around it, without a header.
func (c *compiler) inline(t reflect.Type) (*typ, *TypeError) {
	if t.Kind() != reflect.Struct {
		return nil, fail("", "remove it", "option inline is for structs, not for %v", t)
	}
	s, err := c.typ(t)
	if err != nil {
		return nil, err
	}
	var why string
	switch {
	case s.shape == shapeSparse:
		why = "is sparse"
	case s.shape != shapeStruct:
		why = "has methods of its own"
	case len(s.tails) > 0:
		why = "has fields of variable size"
	case s.scalars == 0 || s.scalars > wire.MaxFixed:
		why = "takes no bytes, or more than 255"
	case s.unknown != nil || s.after:
		why = "has a field zmy.Unknown or the method AfterUnmarshalZMY"
	case slices.ContainsFunc(s.fields, func(f field) bool { return f.reserved }):
		why = "reserves a number"
	}
	if why != "" {
		return nil, fail("", "remove option inline", "%v cannot stand inline: it %s", t, why)
	}
	k := key{t: t, inline: true}
	z := c.seen[k]
	if z == nil {
		z = c.add(k)
		z.shape, z.form, z.size, z.skips = shapeFixed, formInline, s.scalars, s.skips
		z.fields = s.fields
	}
	return z, nil
}

// layout orders the fields by number and gives each its place.
func (c *compiler) layout(z *typ) *TypeError {
	slices.SortStableFunc(z.fields, func(a, b field) int { return a.number - b.number })
	for i := range z.fields {
		f := &z.fields[i]
		switch {
		case i > 0 && f.number == z.fields[i-1].number:
			other := "a reserved one"
			if last := z.fields[i-1]; !last.reserved {
				other = "field " + last.name
			}
			return fail(f.name, "give each field a number of its own", "number %d is also that of %s", f.number, other)
		case f.number != i:
			return fail(f.name, fmt.Sprintf("number fields from 0 without gaps; a comment //zmy:reserved %[1]d is out of sight of reflection: "+
				"write a blank field _ struct{} `zmy:\"reserved %[1]d string\"`", i), "number %d stands where %d is next", f.number, i)
		}
		f.tail = -1
		if f.typ.shape == shapeFixed {
			f.off = z.scalars
			z.scalars += f.typ.size
		} else {
			f.tail = len(z.tails)
			z.tails = append(z.tails, f)
		}
		z.head = wire.Header(z.scalars, len(z.tails))
		if i < len(z.fields)-1 {
			z.older = append(z.older, z.head)
		}
	}
	if z.scalars > wire.MaxScalars || len(z.tails) > wire.MaxTails {
		return fail("", "split it", "%v has %d bytes of scalars and %d tails; each may be at most %d", z.rt, z.scalars, len(z.tails), wire.MaxScalars)
	}
	if n := len(z.fields); z.shape == shapeSparse && (n == 0 || n > maxSparse) {
		return fail("", "remove the directive", "%v is sparse, which takes 1 to %d fields, not %d", z.rt, maxSparse, n)
	}
	z.finish()
	return nil
}

// finish says in which steps the fields are written and read.
func (z *typ) finish() {
	for i := range z.fields {
		f := &z.fields[i]
		if f.tail >= 0 {
			name := f.name
			if f.reserved {
				name = "reserved"
				z.steps = append(z.steps, step{act: actTail, f: f})
			}
			z.names = append(z.names, name)
			continue
		}
		s := step{act: actFixed, off: f.off, n: f.typ.size, f: f}
		switch {
		case f.reserved:
			s.act = actReserved
		case canRun && f.typ.form == formPlain:
			s.act, s.from = actRun, f.offset
			if last := len(z.steps) - 1; last >= 0 && z.steps[last].joins(s) {
				z.steps[last].n += s.n
				continue
			}
		}
		z.steps = append(z.steps, s)
	}
	if z.shape == shapeSparse {
		z.desc = &wire.Desc{Shape: wire.ShapeSparse, Head: z.head, Sizes: make([]int, len(z.fields))}
		for i, f := range z.fields {
			if f.tail < 0 {
				z.desc.Sizes[i] = f.typ.size
			}
		}
	}
}

// joins reports that t stands behind s, on the wire as in memory.
func (s *step) joins(t step) bool {
	return s.act == actRun && s.off+s.n == t.off && s.from+uintptr(s.n) == t.from
}
