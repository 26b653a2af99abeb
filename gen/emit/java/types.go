package java

import (
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// scalar describes how Java handles a scalar type.
type scalar struct {
	typ    string // type of a field
	box    string // type of an element; ".X" is a class of the library, ":X" one of java.time
	fixed  string // constant of Scalars
	zero   string // expression; "" if the constant defines it
	get    string // expression that reads the value at %s from the decoder d
	put    string // statement that writes the value %[2]s at %[1]s
	reads  bool   // reading may throw
	writes bool   // writing may throw
	packed string // constant of Packed, "" for none
	array  string // Java array type for packed values
}

var scalars = map[ir.Kind]scalar{
	ir.Bool:    {"boolean", "Boolean", "BOOL", "false", "d.bool(%s)", "e.i8(%s, %s ? 1 : 0)", true, false, "BOOL", "boolean[]"},
	ir.Int8:    {"byte", "Byte", "INT8", "0", "d.i8(%s)", "e.i8(%s, %s)", false, false, "INT8", "byte[]"},
	ir.Uint8:   {"int", "Integer", "UINT8", "0", "d.i8(%s) & 0xff", "e.u8(%s, %s)", false, true, "INT8", "byte[]"},
	ir.Int16:   {"short", "Short", "INT16", "0", "d.i16(%s)", "e.i16(%s, %s)", false, false, "INT16", "short[]"},
	ir.Uint16:  {"int", "Integer", "UINT16", "0", "d.u16(%s)", "e.u16(%s, %s)", false, true, "UINT16", "int[]"},
	ir.Int32:   {"int", "Integer", "INT32", "0", "d.i32(%s)", "e.i32(%s, %s)", false, false, "INT32", "int[]"},
	ir.Uint32:  {"long", "Long", "UINT32", "0", "d.u32(%s)", "e.u32(%s, %s)", false, true, "UINT32", "long[]"},
	ir.Int64:   {"long", "Long", "INT64", "0", "d.i64(%s)", "e.i64(%s, %s)", false, false, "INT64", "long[]"},
	ir.Uint64:  {"long", "Long", "UINT64", "0", "d.i64(%s)", "e.i64(%s, %s)", false, false, "INT64", "long[]"},
	ir.Float32: {"float", "Float", "FLOAT32", "0", "d.f32(%s)", "e.f32(%s, %s)", false, false, "FLOAT32", "float[]"},
	ir.Float64: {"double", "Double", "FLOAT64", "0", "d.f64(%s)", "e.f64(%s, %s)", false, false, "FLOAT64", "double[]"},
	ir.Complex64: {".Complex64", ".Complex64", "COMPLEX64", "", "Scalars.complex64(d, %s)", "Scalars.complex64(e, %s, %s)", false,
		false, "", ""},
	ir.Complex128: {".Complex128", ".Complex128", "COMPLEX128", "", "Scalars.complex128(d, %s)", "Scalars.complex128(e, %s, %s)",
		false, false, "", ""},
	ir.Duration: {":Duration", ":Duration", "DURATION", "", "Scalars.duration(d, %s)", "Scalars.duration(e, %s, %s)", false, true, "", ""},
}

var timeScalars = map[zmytype.TimeForm]scalar{
	zmytype.Instant: {":Instant", ":Instant", "TIME", "",
		"Scalars.time(d, %s)", "Scalars.time(e, %s, %s)", true, false, "", ""},
	zmytype.Zone: {".OffsetInstant", ".OffsetInstant", "ZONE", "",
		"Scalars.zone(d, %s)", "Scalars.zone(e, %s, %s)", true, false, "", ""},
	zmytype.UnixNano: {":Instant", ":Instant", "UNIX_NANO", "",
		"Scalars.unixNano(d, %s)", "Scalars.unixNano(e, %s, %s)", false, true, "", ""},
}

// scalarOf returns the scalar of a fixed type. It has no typ for arrays and structs.
func scalarOf(t *ir.ZMYType) scalar {
	switch k := t.Type.Kind; k {
	case ir.Int:
		return scalars[ir.Int64]
	case ir.Uint, ir.Uintptr:
		return scalars[ir.Uint64]
	case ir.Time:
		return timeScalars[t.Time]
	default:
		return scalars[k]
	}
}

// name returns the name to use for the class in typ or box of a scalar.
func (f *source) name(s string) string {
	switch s[0] {
	case '.':
		return f.zmy(s[1:])
	case ':':
		return f.class("java.time." + s[1:])
	}
	return s
}

// javaType returns the Java type of a field or, if box is set, of an element.
func (g *gen) javaType(f *source, t *ir.ZMYType, box bool) string {
	if isNullable(t) {
		return f.nullable(g.valueType(f, t, box))
	}
	return g.valueType(f, t, box)
}

// valueType returns the Java type without @Nullable. Local variables have this type: checkers infer
// whether they may be null.
func (g *gen) valueType(f *source, t *ir.ZMYType, box bool) string {
	switch t.Carried() {
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail:
		switch {
		case isInline(t):
			return g.names[t.Type]
		case t.Type.Kind == ir.Array:
			return g.arrayType(f, t)
		}
		s := scalarOf(t)
		if box {
			return f.name(s.box)
		}
		return f.name(s.typ)
	case zmytype.ShapeString:
		return "String"
	case zmytype.ShapeBytes:
		return "byte[]"
	case zmytype.ShapePacked:
		return g.arrayType(f, t)
	case zmytype.ShapeList, zmytype.ShapeDense, zmytype.ShapeArray:
		return g.listType(f, t)
	case zmytype.ShapeMap:
		if t.IsSet() {
			return f.class("java.util.Set") + "<" + g.keyType(f, t.Key) + ">"
		}
		return f.class("java.util.Map") + "<" + g.keyType(f, t.Key) + ", " + g.javaType(f, t.Elem, true) + ">"
	case zmytype.ShapeStruct, zmytype.ShapeSparse, zmytype.ShapeUnion:
		return g.names[t.Type]
	case zmytype.ShapeAny:
		return f.zmy("Any")
	case zmytype.ShapeBigInt, zmytype.ShapePtrBigInt:
		return f.class("java.math.BigInteger")
	case zmytype.ShapeBigFloat, zmytype.ShapePtrBigFloat:
		return f.zmy("BigFloat")
	}
	return g.valueType(f, t.Elem, true) // pointers and nilable types
}

func (g *gen) listType(f *source, t *ir.ZMYType) string {
	return f.class("java.util.List") + "<" + g.javaType(f, t.Elem, true) + ">"
}

// arrayType returns the Java type of a list or an array of scalars.
func (g *gen) arrayType(f *source, t *ir.ZMYType) string {
	if s := scalarOf(t.Elem); s.packed != "" {
		return s.array
	}
	return g.listType(f, t)
}

// keyType returns the Java type of a map's keys. For arrays it is Bytes, which is compared by
// content.
func (g *gen) keyType(f *source, t *ir.ZMYType) string {
	if t.Type.Kind == ir.Array {
		return f.zmy("Bytes")
	}
	return g.javaType(f, t, true)
}

// fixed returns the expression for the Fixed of a type.
func (g *gen) fixed(f *source, t *ir.ZMYType) string {
	if s := scalarOf(t); s.typ != "" {
		return f.wire("Scalars") + "." + s.fixed
	}
	return g.constantFor(f, t)
}

// slots has the constants of the library's class Slots.
var slots = map[zmytype.Shape]string{
	zmytype.ShapeString: "STRING", zmytype.ShapeBytes: "BYTES", zmytype.ShapeAny: "ANY",
	zmytype.ShapeBigInt: "BIG_INT", zmytype.ShapePtrBigInt: "BIG_INT_OR_NULL",
	zmytype.ShapeBigFloat: "BIG_FLOAT", zmytype.ShapePtrBigFloat: "BIG_FLOAT_OR_NULL",
}

// slot returns the expression for the Slot of a type.
func (g *gen) slot(f *source, t *ir.ZMYType) string {
	if name := slots[t.Carried()]; name != "" {
		return f.wire("Slots") + "." + name
	}
	return g.constantFor(f, t)
}

// make returns the expression that initializes a type's constant in the holder class.
func (g *gen) make(f *source, t *ir.ZMYType) string {
	slots := f.wire("Slots")
	elem := func() string {
		if t.Elem.Shape == zmytype.ShapeFixed {
			return slots + ".column(" + g.fixed(f, t.Elem) + ")"
		}
		return g.slot(f, t.Elem)
	}
	numbers := func() string {
		if s := scalarOf(t.Elem); s.packed != "" {
			return f.wire("Packed") + "." + s.packed
		}
		return g.fixed(f, t.Elem)
	}
	switch t.Shape {
	case zmytype.ShapeFixed:
		return fmt.Sprintf("%s.fixed(%s, %d)", slots, numbers(), t.Type.Len)
	case zmytype.ShapeFixedTail:
		return fmt.Sprintf("%s.tail(%s.fixed(%s, %d))", slots, slots, numbers(), t.Type.Len)
	case zmytype.ShapePacked:
		return fmt.Sprintf("%s.packed(%s)", slots, numbers())
	case zmytype.ShapeList, zmytype.ShapeDense:
		return fmt.Sprintf("%s.list(%s)", slots, elem())
	case zmytype.ShapeArray:
		return fmt.Sprintf("%s.array(%s, %d)", slots, elem(), t.Size)
	case zmytype.ShapeMap:
		key := slots + ".STRING"
		switch {
		case t.Key.Type.Kind == ir.Array:
			key = fmt.Sprintf("%s.key(%d)", slots, t.Key.Size)
		case t.Key.Shape == zmytype.ShapeFixed:
			key = g.fixed(f, t.Key)
		}
		if t.IsSet() {
			return fmt.Sprintf("%s.set(%s)", slots, key)
		}
		return fmt.Sprintf("%s.map(%s, %s)", slots, key, elem())
	case zmytype.ShapePtrFixed:
		return fmt.Sprintf("%s.orNull(%s)", slots, g.fixed(f, t.Elem))
	}
	if t.Nilable() {
		return fmt.Sprintf("%s.nilable(%s)", slots, g.slot(f, t.Elem))
	}
	return fmt.Sprintf("%s.orNull(%s)", slots, g.slot(f, t.Elem))
}

// isNullable reports whether values of the type may be null.
func isNullable(t *ir.ZMYType) bool {
	switch t.Shape {
	case zmytype.ShapePtrStruct, zmytype.ShapePtrFixed, zmytype.ShapeOpt, zmytype.ShapePtrBigInt, zmytype.ShapePtrBigFloat,
		zmytype.ShapeUnion:
		return true
	}
	return false
}

// isPrimitive reports whether a field of the type has a primitive Java type.
func isPrimitive(t *ir.ZMYType) bool {
	return t.Shape == zmytype.ShapeFixed && scalarOf(t).zero != ""
}

// zero returns the expression for the zero value of a type that is neither primitive nor nullable.
func (g *gen) zero(f *source, t *ir.ZMYType) string {
	switch t.Shape {
	case zmytype.ShapeString:
		return `""`
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		return g.names[t.Type] + ".ZERO"
	case zmytype.ShapeList, zmytype.ShapeDense:
		return f.class("java.util.List") + ".of()"
	case zmytype.ShapeMap:
		if t.IsSet() {
			return f.class("java.util.Set") + ".of()"
		}
		return f.class("java.util.Map") + ".of()"
	case zmytype.ShapeAny:
		return f.zmy("Any") + ".NULL"
	case zmytype.ShapeBigInt:
		return f.class("java.math.BigInteger") + ".ZERO"
	case zmytype.ShapeBigFloat:
		return f.zmy("BigFloat") + ".ZERO"
	case zmytype.ShapeFixed:
		switch k := t.Type.Kind; {
		case isInline(t):
			return g.names[t.Type] + ".ZERO"
		case k == ir.Array:
			return g.fixed(f, t) + ".zero()"
		case k == ir.Time && t.Time != zmytype.Zone:
			return f.zmy("Times") + ".ZERO"
		}
		s := scalarOf(t)
		return f.name(s.typ) + ".ZERO"
	case zmytype.ShapePacked:
		if scalarOf(t.Elem).packed == "" {
			return f.class("java.util.List") + ".of()"
		}
	}
	return g.slot(f, t) + ".zero()"
}

// hasArray reports whether values of the type are, or contain, Java arrays, which Java does not
// compare by content. Records compare themselves.
func (g *gen) hasArray(t *ir.ZMYType) bool {
	switch t.Carried() {
	case zmytype.ShapeFixed, zmytype.ShapeFixedTail, zmytype.ShapePacked:
		if t.Elem == nil {
			return false
		}
		if s := scalarOf(t.Elem); s.packed != "" {
			return true
		}
		return g.hasArray(t.Elem)
	case zmytype.ShapeBytes:
		return true
	case zmytype.ShapeList, zmytype.ShapeArray, zmytype.ShapeMap, zmytype.ShapeOpt, zmytype.ShapePtrFixed:
		return !t.IsSet() && g.hasArray(t.Elem)
	}
	return false
}
