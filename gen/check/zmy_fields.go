package check

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// zmyTag is a struct tag zmy:"3,nilable".
type zmyTag struct {
	set        bool
	skip       bool
	number     int
	nilable    bool
	deprecated bool
	inline     bool
	time       ir.ZMYTime
}

// structType numbers the fields of a struct and lays them out.
func (c *zmyCheck) structType(z *ir.ZMYType, pos ir.Pos, path string) bool {
	z.Shape = ir.ZMYStruct
	z.After = z.Type.Own.Has(ir.HasAfterUnmarshalZMYPtr)
	form := c.time
	c.time = ir.ZMYInstant
	defer func() { c.time = form }()
	before := len(c.problems)
	c.directives(z, path)
	tags := make([]zmyTag, len(z.Type.Fields))
	tagged := false
	for i, f := range z.Type.Fields {
		if isUnknown(f.Type) {
			c.unknown(z, f)
			continue
		}
		if f.Name == "_" {
			continue
		}
		tags[i] = c.tag(f)
		tagged = tagged || tags[i].set
	}
	derive, derived := c.opt.Derive && !tagged && len(z.Fields) == 0, c.derivation(z.Type)
	if !tagged && !derive && c.foreign(z.Type) {
		c.problem(pos, path, "number them there, or carry what you need of it in a struct of your own, or "+zmySkip+deriveHint(c, tagged),
			"no field of %s has a struct tag zmy", print.TypeExprIn(z.Type, c.pkg))
		return false
	}
	free, complete := free(tags, z.Fields), true
	for i, f := range z.Type.Fields {
		tag := tags[i]
		carried := f.Exported || tag.set || f.Embedded && f.Usable(c.pkg) && f.Type.Kind == ir.Struct
		switch {
		case isUnknown(f.Type), isDirective(f):
			continue
		case tag.skip || !carried:
			z.Skips = true
			continue
		case !f.Usable(c.pkg):
			c.problem(f.Pos, c.field(f), zmySkip, "it is unexported in another package")
			continue
		case !tag.set && !derive:
			c.problem(f.Pos, c.field(f), fmt.Sprintf(`number it, as in zmy:"%d", or %s%s`, free, zmySkip, deriveHint(c, tagged)), "no struct tag zmy")
			free++
			continue
		}
		var ft *ir.ZMYType
		if derive {
			as, left := c.lastResort(z, f)
			if left {
				z.Skips = true
				continue
			}
			ft, tag.number = as, derived.number(f.Name)
		}
		if ft == nil {
			ft = c.fieldType(f, tag)
			if derive {
				c.noteNil(z, f, ft)
			}
		}
		if ft == nil { // a type that was refused elsewhere has no problem of its own here
			complete = false
			continue
		}
		z.Fields = append(z.Fields, &ir.ZMYField{Number: tag.number, Field: f, Type: ft, Deprecated: tag.deprecated})
	}
	if !complete || len(c.problems) > before {
		return false
	}
	if derive {
		z.Fields = append(z.Fields, derived.gone()...)
	}
	if len(z.Fields) == 0 && len(z.Type.Fields) > 0 {
		return c.opaque(z.Type, pos, path)
	}
	return c.layout(z, path)
}

// foreign reports a struct of another package with exported fields: one line says
// of all of them what is missing.
func (c *zmyCheck) foreign(t *ir.Type) bool {
	return t.Name != nil && t.Name.Pkg != c.pkg && slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Exported && !isUnknown(f.Type) })
}

// isUnknown reports the type zmy.Unknown.
func isUnknown(t *ir.Type) bool {
	return t.Name != nil && t.Name.Pkg == "github.com/zmylab/zmy/wire" && t.Name.Name == "Unknown"
}

// unknown takes a field of type zmy.Unknown, which is told by its type and has
// no number.
func (c *zmyCheck) unknown(z *ir.ZMYType, f *ir.Field) {
	switch tag, tagged := reflect.StructTag(f.Tag).Lookup("zmy"); {
	case tagged && tag == "-", !f.Usable(c.pkg):
		z.Skips = true
	case tagged:
		c.problem(f.Pos, c.field(f), "remove the struct tag zmy", "a field of type zmy.Unknown has no number")
	case z.Unknown != nil:
		c.problem(f.Pos, c.field(f), "remove one", "field %s is of type zmy.Unknown already", z.Unknown.Name)
	default:
		z.Unknown = f
	}
}

// free is the number behind all that are taken.
func free(tags []zmyTag, reserved []*ir.ZMYField) (n int) {
	for _, t := range tags {
		if t.set {
			n = max(n, t.number+1)
		}
	}
	for _, r := range reserved {
		n = max(n, r.Number+1)
	}
	return n
}

func deriveHint(c *zmyCheck, tagged bool) string {
	if c.opt.Derive || tagged {
		return ""
	}
	return "; -derive numbers structs without such tags"
}

// tag reads the struct tag zmy of a field.
func (c *zmyCheck) tag(f *ir.Field) (tag zmyTag) {
	text, ok := reflect.StructTag(f.Tag).Lookup("zmy")
	if !ok {
		return tag
	}
	if text == "-" {
		tag.skip = true
		return tag
	}
	tag.set = true
	number, opts, _ := strings.Cut(text, ",")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		c.problem(f.Pos, c.field(f), `numbers start at 0: zmy:"0"`, "bad field number %q in struct tag zmy", number)
	}
	tag.number = n
	for opt := range strings.SplitSeq(opts, ",") {
		switch opt {
		case "":
		case "nilable":
			tag.nilable = true
		case "deprecated":
			tag.deprecated = true
		case "inline":
			tag.inline = true
		case "zone":
			tag.time = ir.ZMYZone
		case "unixnano":
			tag.time = ir.ZMYUnixNano
		default:
			c.problem(f.Pos, c.field(f), "options are deprecated, inline, nilable, unixnano and zone", "struct tag zmy has no option %q", opt)
		}
	}
	return tag
}

// fieldType returns the wire type of a field.
func (c *zmyCheck) fieldType(f *ir.Field, tag zmyTag) *ir.ZMYType {
	if tag.inline {
		return c.inline(f)
	}
	if tag.time != ir.ZMYInstant && !holdsTime(f.Type) {
		c.problem(f.Pos, c.field(f), "remove it", "options zone and unixnano are for times, not for %s", print.TypeExprIn(f.Type, c.pkg))
		return nil
	}
	c.time = tag.time
	at := c.field(f)
	back := c.step("." + f.Name)
	t := c.typ(f.Type, f.Pos, at)
	back()
	c.time = ir.ZMYInstant
	if t == nil || !tag.nilable {
		return t
	}
	switch f.Type.Kind {
	case ir.Slice, ir.Bytes, ir.Map, ir.RawJSON:
	default:
		c.problem(f.Pos, c.field(f), "remove it", "option nilable is for slices and maps, not for %s", print.TypeExprIn(f.Type, c.pkg))
		return nil
	}
	key := zmyKey{t: f.Type, nilable: true, time: tag.time}
	z := c.seen[key]
	if z == nil {
		z = &ir.ZMYType{Type: f.Type, Shape: ir.ZMYOpt, Elem: t}
		c.seen[key] = z
	}
	return z
}

// layout orders the fields by number and gives each its place.
func (c *zmyCheck) layout(z *ir.ZMYType, path string) bool {
	slices.SortStableFunc(z.Fields, func(a, b *ir.ZMYField) int { return a.Number - b.Number })
	ok := true
	for i, f := range z.Fields {
		pos, name := z.Type.Pos, path
		if f.Field != nil {
			pos, name = f.Field.Pos, c.field(f.Field)
		}
		switch {
		case i > 0 && f.Number == z.Fields[i-1].Number:
			other := "a reserved one"
			if last := z.Fields[i-1].Field; last != nil {
				other = "field " + last.Name
			}
			c.problem(pos, name, "give each field a number of its own", "number %d is also that of %s", f.Number, other)
			ok = false
		case ok && f.Number != i:
			c.problem(pos, name, fmt.Sprintf("number fields from 0 without gaps; the place of one that is gone stays: //zmy:reserved %d and its type", i),
				"number %d stands where %d is next", f.Number, i)
			ok = false
		}
		f.Tail = -1
		if f.Type.Shape == ir.ZMYFixed {
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
	if ok && (z.Scalars > maxSection || z.Tails > maxSection) {
		c.problem(z.Type.Pos, path, "split it", "struct has %d bytes of scalars and %d tails; each may be at most %d", z.Scalars, z.Tails, maxSection)
		return false
	}
	if n := len(z.Fields); z.Shape == ir.ZMYSparse && (n == 0 || n > maxSparse) {
		c.problem(z.Type.Pos, path, "remove the directive", "a sparse struct has 1 to %d fields, not %d", maxSparse, n)
		return false
	}
	return ok
}
