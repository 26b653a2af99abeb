package zmytype

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/wire"
)

// A struct has its numbers from one of two places. If any field has a struct tag zmy, every field
// that is carried needs one, and the tags have the numbers. If no field has such a tag, option
// Derive gives numbers: those of zmy.lock first, since messages with them exist, then the next ones
// in the order of declaration. Fields that are gone keep their numbers as reserved ones, so that no
// new field gets them.

// structType numbers the fields of a struct and lays them out. It reports false if the struct is
// refused.
func (c *compiler[T, F]) structType(z *Type[T, F], at place[T, F]) bool {
	z.Shape = ShapeStruct
	z.After = c.src.IsNamed(z.Type) && c.src.Own(z.Type).Has(AfterUnmarshalZMY)
	form := c.time
	c.time = Instant
	defer func() { c.time = form }()
	before := len(c.problems)
	c.directives(z, at)
	fields := c.fields(z.Type)
	tags, tagged := c.tags(z, fields)
	derive := c.opt.Derive && !tagged && len(z.Fields) == 0
	if !tagged && !derive && c.foreign(z.Type, fields) {
		c.problem(at, "number them there, or carry what you need of it in a struct of your own, or "+skipHint+c.deriveHint(tagged),
			"no field of %s has a struct tag zmy", c.src.Name(z.Type))
		c.generator(!tagged)
		return false
	}
	n := numbering[T, F]{z: z, tags: tags, tagged: tagged, free: free(tags, z.Fields), complete: true}
	if derive {
		n.derived = c.derivation(z.Type)
	}
	for i := range fields {
		c.carry(&n, &fields[i], i)
	}
	if !n.complete || len(c.problems) > before {
		return false
	}
	if derive {
		z.Fields = append(z.Fields, gones[T, F](n.derived)...)
	}
	if len(z.Fields) == 0 && len(fields) > 0 {
		return c.opaque(z.Type, at)
	}
	return c.layout(z, at)
}

// tags parses the struct tags of the fields, and takes fields of type zmy.Unknown out. tagged says
// whether any field has a number.
func (c *compiler[T, F]) tags(z *Type[T, F], fields []Field[F, T]) (tags []Tag, tagged bool) {
	tags = make([]Tag, len(fields))
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Unknown:
			c.unknown(z, f)
		case f.Name != "_":
			var refusals []refusal
			tags[i], refusals = parseTag(f.Tag)
			for _, r := range refusals {
				c.problem(c.at(f), r.hint, "%s", r.msg)
			}
			tagged = tagged || tags[i].Set
		}
	}
	return tags, tagged
}

// numbering is the state of numbering the fields of a struct.
type numbering[T, F comparable] struct {
	z        *Type[T, F]
	tags     []Tag
	tagged   bool
	derived  *derivation // nil if struct tags have the numbers
	free     int         // the first number after all used ones
	complete bool        // no field's type was refused so far
}

// carry adds the field f, which has index i in Go, to the struct's planned fields, unless messages
// leave it out.
func (c *compiler[T, F]) carry(n *numbering[T, F], f *Field[F, T], i int) {
	tag := n.tags[i]
	carried := f.Exported || tag.Set || f.Embedded && f.Usable && c.src.KindOf(f.Type) == Struct
	switch {
	case f.Unknown, f.directive() != "":
		return
	case tag.Skip || !carried:
		n.z.Skips = true
		return
	case !f.Usable:
		c.problem(c.at(f), skipHint, "it is unexported in another package")
		return
	case !tag.Set && n.derived == nil:
		c.problem(c.at(f), fmt.Sprintf(`number it, as in zmy:"%d", or %s%s`, n.free, skipHint, c.deriveHint(n.tagged)), "no struct tag zmy")
		c.generator(!n.tagged)
		n.free++
		return
	}
	var ft *Type[T, F]
	if n.derived != nil {
		as, left := c.lastResort(n.z, f)
		if left {
			n.z.Skips = true
			return
		}
		ft, tag.Number = as, n.derived.number(f.Name)
	}
	if ft == nil {
		ft = c.fieldType(f, tag)
		if n.derived != nil {
			c.noteNil(n.z, f, ft)
		}
	}
	if ft == nil { // the problem was reported where the type was refused
		n.complete = false
		return
	}
	n.z.Fields = append(n.z.Fields, &Place[T, F]{Number: tag.Number, Field: f.Of, Source: f, Type: ft, Deprecated: tag.Deprecated})
}

// foreign reports whether t is a struct of another package with exported fields. Then one problem
// is reported for the struct instead of one for each field without a number.
func (c *compiler[T, F]) foreign(t T, fields []Field[F, T]) bool {
	return c.src.IsNamed(t) && !c.src.IsLocal(t) && slices.ContainsFunc(fields, func(f Field[F, T]) bool { return f.Exported && !f.Unknown })
}

// unknown takes a field of type zmy.Unknown, which has no number. A second one is a problem.
func (c *compiler[T, F]) unknown(z *Type[T, F], f *Field[F, T]) {
	switch tag, tagged := f.Tag.Lookup("zmy"); {
	case tagged && tag == "-", !f.Usable:
		z.Skips = true
	case tagged:
		c.problem(c.at(f), "remove the struct tag zmy", "a field of type zmy.Unknown has no number")
	case z.KeepsUnknown():
		c.problem(c.at(f), "remove one", "field %s is of type zmy.Unknown already", z.unknown)
	default:
		z.Unknown, z.unknown = f.Of, f.Name
	}
}

// free returns the first number after all that struct tags and reservations use.
func free[T, F comparable](tags []Tag, reserved []*Place[T, F]) (n int) {
	for _, t := range tags {
		if t.Set {
			n = max(n, t.Number+1)
		}
	}
	for _, r := range reserved {
		n = max(n, r.Number+1)
	}
	return n
}

func (c *compiler[T, F]) deriveHint(tagged bool) string {
	switch {
	case c.opt.Derive || tagged:
		return ""
	case c.opt.Blind:
		return "; or generate code with zmy gen -derive, which numbers a struct without tags"
	}
	return "; -derive numbers structs without such tags"
}

// generator notes, for a blind source, whether generated code can solve the last problem.
func (c *compiler[T, F]) generator(can bool) {
	c.problems[len(c.problems)-1].Generator = can && c.opt.Blind
}

// fieldType returns the planned type of a field, or nil if it is refused.
func (c *compiler[T, F]) fieldType(f *Field[F, T], tag Tag) *Type[T, F] {
	at := c.at(f)
	if tag.Inline {
		return c.inline(f)
	}
	if tag.Time != Instant && c.src.KindOf(c.leaf(f.Type)) != Time {
		c.problem(at, "remove it", "options zone and unixnano are for times, not for %s", c.src.Name(f.Type))
		return nil
	}
	c.time = tag.Time
	c.step(".", f.Name)
	t := c.typ(f.Type, at)
	c.back()
	c.time = Instant
	if t == nil || !tag.Nilable {
		return t
	}
	kind := c.src.KindOf(f.Type)
	switch kind {
	case Slice, Bytes, Map, RawJSON:
	default:
		c.problem(at, "remove it", "option nilable is for slices and maps, not for %s", c.src.Name(f.Type))
		return nil
	}
	return c.once(key[T]{t: f.Type, nilable: true, time: tag.Time}, &Type[T, F]{Type: f.Type, Kind: kind, Shape: ShapeOpt, Elem: t})
}

// once returns the type planned under key. If there is none yet, it becomes z.
func (c *compiler[T, F]) once(key key[T], z *Type[T, F]) *Type[T, F] {
	if c.seen[key] == nil {
		c.seen[key] = z
	}
	return c.seen[key]
}

// inline returns the planned type of a struct with the option inline. Its fields are scalars, and
// they are part of the scalar section of the struct around it, without a header.
func (c *compiler[T, F]) inline(f *Field[F, T]) *Type[T, F] {
	at := c.at(f)
	if c.src.KindOf(f.Type) != Struct {
		c.problem(at, "remove it", "option inline is for structs, not for %s", c.src.Name(f.Type))
		return nil
	}
	c.step(".", f.Name)
	t := c.typ(f.Type, at)
	c.back()
	if t == nil {
		return nil
	}
	var why string
	switch {
	case t.Shape == ShapeSparse:
		why = "is sparse"
	case t.Shape != ShapeStruct:
		why = "has methods of its own"
	case t.Tails > 0:
		why = "has fields of variable size"
	case t.Scalars == 0 || t.Scalars > wire.MaxFixed:
		why = "takes no bytes, or more than 255"
	case t.KeepsUnknown() || t.After:
		why = "has a field zmy.Unknown or the method AfterUnmarshalZMY"
	case slices.ContainsFunc(t.Fields, (*Place[T, F]).Reserved):
		why = "reserves a number"
	}
	if why != "" {
		c.problem(at, "remove option inline", "%s cannot stand inline: it %s", c.src.Name(f.Type), why)
		return nil
	}
	return c.once(key[T]{t: f.Type, inline: true},
		&Type[T, F]{Type: f.Type, Kind: Struct, Shape: ShapeFixed, Size: t.Scalars, Fields: t.Fields, Skips: t.Skips, Limits: t.Limits})
}

// layout sorts the fields by number and gives each its place.
func (c *compiler[T, F]) layout(z *Type[T, F], at place[T, F]) bool {
	slices.SortStableFunc(z.Fields, func(a, b *Place[T, F]) int { return a.Number - b.Number })
	ok := c.gapless(z, at)
	for i, f := range z.Fields {
		f.Tail = -1
		if f.Type.Shape == ShapeFixed {
			f.Offset = z.Scalars
			z.Scalars += f.Type.Size
		} else {
			f.Tail = z.Tails
			z.Tails++
		}
		if i < len(z.Fields)-1 {
			z.Older = append(z.Older, z.Header())
		}
	}
	if ok && (z.Scalars > wire.MaxScalars || z.Tails > wire.MaxTails) {
		c.problem(at.over(z.Type), "split it", "struct has %d bytes of scalars and %d tails; each may be at most %d", z.Scalars,
			z.Tails, wire.MaxScalars)
		return false
	}
	if n := len(z.Fields); z.Shape == ShapeSparse && (n == 0 || n > maxSparse) {
		c.problem(at.over(z.Type), "remove the directive", "a sparse struct has 1 to %d fields, not %d", maxSparse, n)
		return false
	}
	return ok
}

// gapless reports whether the sorted fields are numbered 0, 1, 2 and so on. If not it reports
// problems.
func (c *compiler[T, F]) gapless(z *Type[T, F], at place[T, F]) bool {
	ok := true
	for i, f := range z.Fields {
		here := at.over(z.Type)
		if !f.Reserved() {
			here = c.at(f.Source)
		}
		switch {
		case i > 0 && f.Number == z.Fields[i-1].Number:
			other := "a reserved one"
			if last := z.Fields[i-1]; !last.Reserved() {
				other = "field " + last.Source.Name
			}
			c.problem(here, "give each field a number of its own", "number %d is also that of %s", f.Number, other)
			ok = false
		case ok && f.Number != i: // one gap shifts all fields after it, which are not reported
			hint := fmt.Sprintf("number fields from 0 without gaps; the place of one that is gone stays: //zmy:reserved %d and its type", i)
			if c.opt.Blind {
				hint = fmt.Sprintf("number fields from 0 without gaps; a comment //zmy:reserved %[1]d is out of sight of reflection: "+
					"write a blank field _ struct{} `zmy:\"reserved %[1]d string\"`", i)
			}
			c.problem(here, hint, "number %d stands where %d is next", f.Number, i)
			ok = false
		}
	}
	return ok
}

// derivation numbers the fields of a struct without struct tags. Recorded fields keep their
// numbers, and the others follow in the order of declaration.
type derivation struct {
	recorded []Record
	next     int
	used     map[int]bool
}

func (c *compiler[T, F]) derivation(t T) *derivation {
	d := &derivation{used: map[int]bool{}}
	if c.opt.Recorded != nil {
		d.recorded = c.opt.Recorded(t)
	}
	for _, r := range d.recorded {
		d.next = max(d.next, r.Number+1)
	}
	return d
}

// number returns the number of the field called name.
func (d *derivation) number(name string) int {
	for _, r := range d.recorded {
		if r.Name == name && !d.used[r.Number] {
			d.used[r.Number] = true
			return r.Number
		}
	}
	d.next++
	return d.next - 1
}

// gones returns the recorded fields that the struct no longer has. Their numbers stay reserved.
func gones[T, F comparable](d *derivation) (fields []*Place[T, F]) {
	for _, r := range d.recorded {
		if !d.used[r.Number] {
			fields = append(fields, gone[T, F](r.Number, r.Words, r.Size))
		}
	}
	return fields
}
