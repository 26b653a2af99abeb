package rust

import (
	"fmt"
	"regexp"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// A form is a Rust type without values that says how something is written and read; a column is the
// form of many elements. Forms nest as types do, and the compiler turns each nest into code of its
// own. Boxes make the size of recursive types finite, and keep lists of empty slots small.

// boxed reports whether the target of a pointer needs a box because it could contain the struct
// with the pointer.
func boxed(t *ir.ZMYType) bool {
	return t.Shape == zmytype.ShapeFixedTail || t.Shape == zmytype.ShapeArray
}

// maxSlot is the cost of a slot that may be empty, in bytes and in units of the budget. A larger
// value is put in a box. So a list of empty slots takes no more memory than the budget was charged
// for.
const maxSlot = 24

// scalars maps kinds to Rust types.
var scalars = map[ir.Kind]string{
	ir.Bool: "bool", ir.Int: "i64", ir.Int8: "i8", ir.Int16: "i16", ir.Int32: "i32", ir.Int64: "i64",
	ir.Uint: "u64", ir.Uint8: "u8", ir.Uint16: "u16", ir.Uint32: "u32", ir.Uint64: "u64", ir.Uintptr: "u64",
	ir.Float32: "f32", ir.Float64: "f64", ir.Complex64: "zmy::Complex<f32>", ir.Complex128: "zmy::Complex<f64>",
	ir.Duration: "zmy::Duration",
}

// times maps each form of time to the type of the value and the form of the field.
var times = [...]struct{ value, form string }{
	zmytype.Instant:  {"zmy::Time", "zmy::Time"},
	zmytype.Zone:     {"zmy::ZonedTime", "zmy::ZonedTime"},
	zmytype.UnixNano: {"zmy::Time", "rt::UnixNano"},
}

// fixed returns the form of a fixed value, or of a long array.
func (g *gen) fixed(t *ir.ZMYType) string {
	switch k := t.Type.Kind; k {
	case ir.Time:
		return times[t.Time].form
	case ir.Array:
		return fmt.Sprintf("[%s; %d]", g.fixed(t.Elem), t.Type.Len)
	case ir.Struct:
		return g.name(t)
	default:
		return scalars[k]
	}
}

// spelled has the Rust types for a Go type: the form of its slot, which says how it is written and
// read, the owned value, and the value that is read in place. See expand for the words in braces.
type spelled struct{ form, value, view string }

var (
	list   = spelled{"rt::List<{column}>", "{Vec}<{elem.value}>", "zmy::ListView<'a, {column}>"}
	record = spelled{"rt::Struct<{name}>", "{name}", "{view}<'a>"}
	set    = spelled{"rt::Set<{key}>", "{BTreeSet}<{key.value}>", "zmy::SetView<'a, {key}>"}
)

// shapes has the spelling of types by their shape. That of values which may be absent is in option.
var shapes = map[zmytype.Shape]spelled{
	zmytype.ShapeFixed:     {form: "{fixed}"},
	zmytype.ShapeFixedTail: {form: "rt::Long<{fixed}>"},
	zmytype.ShapeString:    {"rt::Text", "{String}", "&'a str"},
	zmytype.ShapeBytes:     {"rt::Blob", "{Vec}<u8>", "&'a [u8]"},
	zmytype.ShapePacked:    list, zmytype.ShapeList: list, zmytype.ShapeDense: list,
	zmytype.ShapeArray:  {"rt::Array<{column}, {size}>", "[{elem.value}; {size}]", "zmy::ArrayView<'a, {column}, {size}>"},
	zmytype.ShapeMap:    {"rt::Map<{key}, {column}>", "zmy::Map<{key.value}, {elem.value}>", "zmy::MapView<'a, {key}, {column}>"},
	zmytype.ShapeStruct: record, zmytype.ShapeSparse: record,
	zmytype.ShapeUnion:       {"rt::Union<{name}>", "Option<{name}>", "Option<{view}<'a>>"},
	zmytype.ShapeAny:         {"rt::Any", "zmy::Value", "zmy::AnyView<'a>"},
	zmytype.ShapeBigInt:      {"rt::Integer", "zmy::BigInt", "zmy::IntegerView<'a>"},
	zmytype.ShapeBigFloat:    {"rt::Float", "zmy::BigFloat", "zmy::FloatView<'a>"},
	zmytype.ShapePtrBigInt:   {"rt::PtrInteger", "Option<zmy::BigInt>", "Option<zmy::IntegerView<'a>>"},
	zmytype.ShapePtrBigFloat: {"rt::PtrFloat", "Option<zmy::BigFloat>", "Option<zmy::FloatView<'a>>"},
}

// spell returns the spelling of t.
func spell(t *ir.ZMYType) spelled {
	form, box := "", false
	switch {
	case t.IsSet():
		return set
	case t.Shape == zmytype.ShapePtrStruct:
		form, box = "rt::Ptr<{elem.name}>", true
	case t.Shape == zmytype.ShapePtrFixed && t.Elem.Size > maxSlot:
		form, box = "rt::PtrBoxed<{elem.fixed}>", true
	case t.Shape == zmytype.ShapePtrFixed:
		form = "rt::PtrFixed<{elem.fixed}>"
	case t.Nilable():
		form = "rt::Nilable<{elem.form}>"
	case t.Shape == zmytype.ShapeOpt && boxed(t.Elem):
		form, box = "rt::Opt<rt::Boxed<{elem.form}>>", true
	case t.Shape == zmytype.ShapeOpt:
		form = "rt::Opt<{elem.form}>"
	default:
		return shapes[t.Carried()]
	}
	if box {
		return spelled{form, "Option<{Box}<{elem.value}>>", "Option<{elem.view}>"}
	}
	return spelled{form, "Option<{elem.value}>", "Option<{elem.view}>"}
}

var braces = regexp.MustCompile(`\{[^}]+\}`)

// expand replaces the words in braces by forms and types of t and its parts, and by types of the
// alloc crate. It looks up only words that occur in text, because a look-up adds an import to the
// file.
func (g *gen) expand(text string, t *ir.ZMYType) string {
	return braces.ReplaceAllStringFunc(text, func(word string) string {
		switch word = word[1 : len(word)-1]; word {
		case "fixed":
			return g.fixed(t)
		case "name":
			return g.name(t)
		case "view":
			return g.view(t)
		case "size":
			return fmt.Sprint(t.Size)
		case "column":
			return g.column(t.Elem)
		case "key":
			return g.key(t.Key)
		case "key.value":
			return g.value(t.Key)
		case "elem.form":
			return g.form(t.Elem)
		case "elem.value":
			return g.value(t.Elem)
		case "elem.view":
			return g.seen(t.Elem)
		case "elem.fixed":
			return g.fixed(t.Elem)
		case "elem.name":
			return g.name(t.Elem)
		}
		g.uses[allocModules[word]+"::"+word] = true
		return word
	})
}

// allocModules has the modules of the types of the alloc crate.
var allocModules = map[string]string{"String": "string", "Vec": "vec", "BTreeSet": "collections", "Box": "boxed"}

// form returns the form of a slot.
func (g *gen) form(t *ir.ZMYType) string { return g.expand(spell(t).form, t) }

// value returns the type of an owned value.
func (g *gen) value(t *ir.ZMYType) string {
	switch fixed := t.Shape == zmytype.ShapeFixed || t.Shape == zmytype.ShapeFixedTail; {
	case fixed && t.Type.Kind == ir.Time:
		return times[t.Time].value
	case fixed && t.Type.Kind == ir.Array:
		return fmt.Sprintf("[%s; %d]", g.value(t.Elem), t.Type.Len)
	case fixed:
		return g.fixed(t)
	}
	return g.expand(spell(t).value, t)
}

// seen returns the type of a value that is read in place.
func (g *gen) seen(t *ir.ZMYType) string {
	if view := spell(t).view; view != "" {
		return g.expand(view, t)
	}
	return g.value(t)
}

// column returns the form of a column with elements of the type.
func (g *gen) column(e *ir.ZMYType) string {
	switch e.Shape {
	case zmytype.ShapeFixed:
		return "rt::Packed<" + g.fixed(e) + ">"
	case zmytype.ShapeStruct:
		return "rt::Dense<" + g.name(e) + ">"
	case zmytype.ShapeString:
		return "rt::Texts"
	}
	return "rt::Slots<" + g.form(e) + ">"
}

func (g *gen) key(k *ir.ZMYType) string {
	if k.Shape == zmytype.ShapeString {
		return "rt::Text"
	}
	return g.fixed(k)
}

// maxDefault is the length of the longest array for which Rust implements Default.
const maxDefault = 32

// plainDefault reports whether the value's Rust type implements Default.
func plainDefault(t *ir.ZMYType) bool {
	switch {
	case t.Shape == zmytype.ShapeFixed || t.Shape == zmytype.ShapeFixedTail:
		return t.Type.Kind != ir.Array || t.Type.Len <= maxDefault && plainDefault(t.Elem)
	case t.Shape == zmytype.ShapeArray:
		return t.Size <= maxDefault && plainDefault(t.Elem)
	}
	return true
}
