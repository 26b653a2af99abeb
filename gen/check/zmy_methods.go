package check

import (
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// via says by which methods of its own a type takes part. AppendZMY and
// UnmarshalZMY count for every type; binary, text and JSON methods for structs that
// are not numbered, since all other types have a form that is at least as good.
// Methods that come from an embedded field do not count: they know only of it.
func (c *zmyCheck) via(t *ir.Type, pos ir.Pos, path string) (_ ir.ZMYVia, ok bool) {
	if t.Name == nil || t.Name.Pkg == "" || knownKind(t.Kind) {
		return ir.ZMYViaNone, true
	}
	if t.Own.Has(ir.HasAfterUnmarshalZMYPtr) && t.Kind != ir.Struct {
		c.problem(t.Pos, print.TypeExprIn(t, c.pkg), "check it in the struct around it", "AfterUnmarshalZMY is called for structs only")
		return ir.ZMYViaNone, false
	}
	switch appends, reads := t.Own.Has(ir.HasAppendZMYPtr), t.Own.Has(ir.HasUnmarshalZMYPtr); {
	case appends && reads:
		return ir.ZMYViaZMY, true
	case appends != reads:
		has, lacks := "AppendZMY", "UnmarshalZMY"
		if reads {
			has, lacks = lacks, has
		}
		c.problem(t.Pos, print.TypeExprIn(t, c.pkg), "declare it on the pointer too, "+zmyMethods[lacks]+", or remove the other", "has %s, but not %s", has, lacks)
		return ir.ZMYViaNone, false
	}
	if t.Kind != ir.Struct || c.isRoot(t) || numbered(t) {
		return ir.ZMYViaNone, true
	}
	any := func(h ...ir.Hooks) bool { return t.Own.Has(h[0]) || t.Own.Has(h[1]) }
	switch {
	case any(ir.HasAppendBinaryPtr, ir.HasMarshalBinaryPtr) && t.Own.Has(ir.HasUnmarshalBinaryPtr):
		return ir.ZMYViaBinary, true
	case any(ir.HasAppendTextPtr, ir.HasMarshalTextPtr) && t.Own.Has(ir.HasUnmarshalTextPtr):
		return ir.ZMYViaText, true
	case c.asJSON(t):
		return ir.ZMYViaJSON, true
	}
	return ir.ZMYViaNone, true
}

// zmyMethods are the methods by which a type writes itself.
var zmyMethods = map[string]string{
	"AppendZMY":    "AppendZMY([]byte) ([]byte, error)",
	"UnmarshalZMY": "UnmarshalZMY([]byte) error",
}

// opaque refuses a struct of which nothing can be carried, and says which pair of
// methods would change that.
func (c *zmyCheck) opaque(t *ir.Type, pos ir.Pos, path string) bool {
	hint := "give *" + print.TypeExprIn(t, c.pkg) + " MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary, or number its fields"
	if t.Name == nil || t.Name.Pkg != c.pkg {
		hint = "wrap it in a type of your own with MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary"
	}
	or := ", or " + zmySkip
	if c.isRoot(t) && t.Own.Has(ir.HasMarshalJSONPtr|ir.HasUnmarshalJSONPtr) {
		hint = "wrap it in a struct with one field, where -derive carries it as JSON: a message is a struct, so that later versions can add fields"
		or = ""
	}
	why := "it has no exported fields"
	if slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Exported }) {
		why = "none of its fields is carried"
	}
	why += half(t, ir.HasMarshalTextPtr, ir.HasUnmarshalTextPtr, "Text") + half(t, ir.HasMarshalBinaryPtr, ir.HasUnmarshalBinaryPtr, "Binary")
	c.problem(pos, path, hint+or, "%s has no wire type: %s", print.TypeExprIn(t, c.pkg), why)
	return false
}

// half says that t has one method of a pair.
func half(t *ir.Type, marshal, unmarshal ir.Hooks, what string) string {
	switch m, u := t.Own.Has(marshal), t.Own.Has(unmarshal); {
	case m && !u:
		return ", and has Marshal" + what + ", but not Unmarshal" + what
	case u && !m:
		return ", and has Unmarshal" + what + ", but not Marshal" + what
	}
	return ""
}

// knownKind reports the types of the standard library that have a form here.
func knownKind(k ir.Kind) bool {
	switch k {
	case ir.Time, ir.Duration, ir.BigInt, ir.BigFloat, ir.BigRat, ir.RawJSON, ir.Number:
		return true
	}
	return false
}

func (c *zmyCheck) isRoot(t *ir.Type) bool {
	for _, r := range c.roots {
		if r == t {
			return true
		}
	}
	return false
}

// numbered reports a struct with a struct tag zmy.
func numbered(t *ir.Type) bool {
	for _, f := range t.Fields {
		if _, ok := reflect.StructTag(f.Tag).Lookup("zmy"); ok {
			return true
		}
	}
	return false
}

// timeForm gives a time the form that the field at hand asks for.
func (c *zmyCheck) timeForm(z *ir.ZMYType) {
	z.Time = c.time
	switch c.time {
	case ir.ZMYZone:
		z.Size, z.Domain = 16, ir.ZMYZoneBytes
	case ir.ZMYUnixNano:
		z.Size, z.Domain = 8, ir.ZMYAnyBytes
	}
}

// holdsTime reports a type whose values are times, or lists or maps of them.
func holdsTime(t *ir.Type) bool {
	for t.Kind == ir.Pointer || t.Kind == ir.Slice || t.Kind == ir.Array || t.Kind == ir.Map {
		t = t.Elem
	}
	return t.Kind == ir.Time
}

// inline is the form of a struct of scalars that stands among those of the
// struct around it, without a header.
func (c *zmyCheck) inline(f *ir.Field) *ir.ZMYType {
	at := c.field(f)
	if f.Type.Kind != ir.Struct {
		c.problem(f.Pos, at, "remove it", "option inline is for structs, not for %s", print.TypeExprIn(f.Type, c.pkg))
		return nil
	}
	back := c.step("." + f.Name)
	t := c.typ(f.Type, f.Pos, at)
	back()
	if t == nil {
		return nil
	}
	var why string
	switch {
	case t.Shape == ir.ZMYSparse:
		why = "is sparse"
	case t.Shape != ir.ZMYStruct:
		why = "has methods of its own"
	case t.Tails > 0:
		why = "has fields of variable size"
	case t.Scalars == 0 || t.Scalars > maxFixed:
		why = "takes no bytes, or more than 255"
	case t.Unknown != nil || t.After:
		why = "has a field zmy.Unknown or the method AfterUnmarshalZMY"
	case reserves(t):
		why = "reserves a number"
	}
	if why != "" {
		c.problem(f.Pos, at, "remove option inline", "%s cannot stand inline: it %s", print.TypeExprIn(f.Type, c.pkg), why)
		return nil
	}
	key := zmyKey{t: f.Type, inline: true}
	if c.seen[key] == nil {
		c.seen[key] = &ir.ZMYType{Type: f.Type, Shape: ir.ZMYFixed, Size: t.Scalars, Fields: t.Fields, Skips: t.Skips}
	}
	return c.seen[key]
}

func reserves(t *ir.ZMYType) bool {
	for _, f := range t.Fields {
		if f.Field == nil {
			return true
		}
	}
	return false
}
