package rust

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

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

// form returns the form of a slot, which says how it is written and read.
func (g *gen) form(t *ir.ZMYType) string {
	switch t.Carried() {
	case zmytype.ShapeFixed:
		return g.fixed(t)
	case zmytype.ShapeString:
		return "rt::Text"
	case zmytype.ShapeBytes:
		return "rt::Blob"
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense:
		return "rt::List<" + g.column(t.Elem) + ">"
	case zmytype.ShapeFixedTail:
		return "rt::Long<" + g.fixed(t) + ">"
	case zmytype.ShapeArray:
		return fmt.Sprintf("rt::Array<%s, %d>", g.column(t.Elem), t.Size)
	case zmytype.ShapeMap:
		if t.IsSet() {
			return "rt::Set<" + g.key(t.Key) + ">"
		}
		return fmt.Sprintf("rt::Map<%s, %s>", g.key(t.Key), g.column(t.Elem))
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		return "rt::Struct<" + g.name(t) + ">"
	case zmytype.ShapePtrStruct:
		return "rt::Ptr<" + g.name(t.Elem) + ">"
	case zmytype.ShapePtrFixed:
		if t.Elem.Size > maxSlot {
			return "rt::PtrBoxed<" + g.fixed(t.Elem) + ">"
		}
		return "rt::PtrFixed<" + g.fixed(t.Elem) + ">"
	case zmytype.ShapeOpt:
		switch {
		case t.Nilable():
			return "rt::Nilable<" + g.form(t.Elem) + ">"
		case boxed(t.Elem):
			return "rt::Opt<rt::Boxed<" + g.form(t.Elem) + ">>"
		}
		return "rt::Opt<" + g.form(t.Elem) + ">"
	case zmytype.ShapeUnion:
		return "rt::Union<" + g.name(t) + ">"
	}
	return map[zmytype.Shape]string{
		zmytype.ShapeAny: "rt::Any", zmytype.ShapeBigInt: "rt::Integer", zmytype.ShapeBigFloat: "rt::Float",
		zmytype.ShapePtrBigInt: "rt::PtrInteger", zmytype.ShapePtrBigFloat: "rt::PtrFloat",
	}[t.Shape]
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

// alloc returns name, a type of the alloc crate, and notes that the file uses it.
func (g *gen) alloc(module, name string) string {
	g.uses[module+"::"+name] = true
	return name
}

// value returns the type of an owned value.
func (g *gen) value(t *ir.ZMYType) string {
	switch t.Carried() {
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail:
		switch t.Type.Kind {
		case ir.Time:
			return times[t.Time].value
		case ir.Array:
			return fmt.Sprintf("[%s; %d]", g.value(t.Elem), t.Type.Len)
		}
		return g.fixed(t)
	case zmytype.ShapeString:
		return g.alloc("string", "String")
	case zmytype.ShapeBytes:
		return g.alloc("vec", "Vec") + "<u8>"
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense:
		return g.alloc("vec", "Vec") + "<" + g.value(t.Elem) + ">"
	case zmytype.ShapeArray:
		return fmt.Sprintf("[%s; %d]", g.value(t.Elem), t.Size)
	case zmytype.ShapeMap:
		if t.IsSet() {
			return g.alloc("collections", "BTreeSet") + "<" + g.value(t.Key) + ">"
		}
		return fmt.Sprintf("zmy::Map<%s, %s>", g.value(t.Key), g.value(t.Elem))
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		return g.name(t)
	case zmytype.ShapePtrStruct:
		return "Option<" + g.alloc("boxed", "Box") + "<" + g.name(t.Elem) + ">>"
	case zmytype.ShapePtrFixed:
		if t.Elem.Size > maxSlot {
			return "Option<" + g.alloc("boxed", "Box") + "<" + g.value(t.Elem) + ">>"
		}
		return "Option<" + g.value(t.Elem) + ">"
	case zmytype.ShapeOpt:
		if !t.Nilable() && boxed(t.Elem) {
			return "Option<" + g.alloc("boxed", "Box") + "<" + g.value(t.Elem) + ">>"
		}
		return "Option<" + g.value(t.Elem) + ">"
	case zmytype.ShapeUnion:
		return "Option<" + g.name(t) + ">"
	}
	return map[zmytype.Shape]string{
		zmytype.ShapeAny: "zmy::Value", zmytype.ShapeBigInt: "zmy::BigInt", zmytype.ShapeBigFloat: "zmy::BigFloat",
		zmytype.ShapePtrBigInt: "Option<zmy::BigInt>", zmytype.ShapePtrBigFloat: "Option<zmy::BigFloat>",
	}[t.Shape]
}

// seen returns the type of a value that is read in place.
func (g *gen) seen(t *ir.ZMYType) string {
	option := func(s string) string { return "Option<" + s + ">" }
	switch t.Carried() {
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail:
		return g.value(t)
	case zmytype.ShapeString:
		return "&'a str"
	case zmytype.ShapeBytes:
		return "&'a [u8]"
	case zmytype.ShapePacked, zmytype.ShapeList, zmytype.ShapeDense:
		return "zmy::ListView<'a, " + g.column(t.Elem) + ">"
	case zmytype.ShapeArray:
		return fmt.Sprintf("zmy::ArrayView<'a, %s, %d>", g.column(t.Elem), t.Size)
	case zmytype.ShapeMap:
		if t.IsSet() {
			return "zmy::SetView<'a, " + g.key(t.Key) + ">"
		}
		return fmt.Sprintf("zmy::MapView<'a, %s, %s>", g.key(t.Key), g.column(t.Elem))
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		return g.view(t) + "<'a>"
	case zmytype.ShapePtrStruct, zmytype.ShapePtrFixed, zmytype.ShapeOpt:
		return option(g.seen(t.Elem))
	case zmytype.ShapeUnion:
		return option(g.view(t) + "<'a>")
	}
	return map[zmytype.Shape]string{
		zmytype.ShapeAny: "zmy::AnyView<'a>", zmytype.ShapeBigInt: "zmy::IntegerView<'a>", zmytype.ShapeBigFloat: "zmy::FloatView<'a>",
		zmytype.ShapePtrBigInt: "Option<zmy::IntegerView<'a>>", zmytype.ShapePtrBigFloat: "Option<zmy::FloatView<'a>>",
	}[t.Shape]
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
