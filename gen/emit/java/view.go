package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// view prints the view of a struct: a method for each field, which reads it in place.
func (g *gen) view(t *ir.ZMYType) {
	f := g.file()
	v := &viewer{gen: g, f: f, t: t, name: g.names[t.Type] + "View", taken: scope(set("error of lazy open record read layout openMessage"))}
	v.exception, v.views = f.zmy("ZmyException"), f.wire("Views")
	codec := g.constantFor(f, t)
	f.doc("Reads a message's {@link " + g.names[t.Type] + "} in place. Its bytes must stay unchanged while the view is in use.")
	f.top("public final class %s extends %s {", v.name, f.wire("StructView"))
	f.doc("A view of the zero value, to be opened.")
	f.p("public %s() {\nsuper(%s.layout());\n}\n", v.name, codec)
	buffer, options := f.class("java.nio.ByteBuffer"), f.zmy("DecodeOptions")
	f.doc("Verifies a message deeply and opens it: reading fields then cannot fail.")
	f.p("public static %[1]s of(byte[] message) throws %[2]s {", v.name, v.exception)
	f.p("%s.verify(message);\nreturn lazy(message);\n}\n", codec)
	f.doc("Does so for what remains of a buffer, under other limits. The buffer's position stays.")
	f.p("public static %s of(%s message, %s o) throws %s {", v.name, buffer, options, v.exception)
	f.p("%s.verify(message, o);\n%s view = new %s();\nview.open(message);\nreturn view;\n}\n", codec, v.name, v.name)
	f.doc("Opens a message and checks only the sections of the struct itself. A struct inside is checked when opened and reads " +
		"as the zero value if it is malformed, which its error tells; text may not be UTF-8.")
	f.p("public static %[1]s lazy(byte[] message) throws %[2]s {", v.name, v.exception)
	f.p("%s view = new %s();\nview.open(message, 0, message.length);\nreturn view;\n}\n", v.name, v.name)
	f.doc("Opens the message [from, to) of an array in this view, as {@link #lazy} does.")
	f.p("public void open(byte[] b, int from, int to) throws %s {\nopenMessage(b, from, to);\n}\n", v.exception)
	f.doc("Opens the message that remains of a buffer in this view, as {@link #lazy} does.")
	f.p("public void open(%s message) throws %s {\nopenMessage(message);\n}\n", buffer, v.exception)
	f.doc("Reads all fields.")
	f.p("public %s record() throws %s {\nreturn read(%s);\n}\n", g.names[t.Type], v.exception, codec)
	for i, z := range t.Fields {
		if z.Field != nil {
			v.field(z, i)
		}
	}
	f.p("}")
	g.done(v.name, f)
}

// viewer is the state while one view is printed.
type viewer struct {
	*gen
	f         *source
	t         *ir.ZMYType
	name      string
	exception string
	views     string
	taken     scope
}

// call returns the call of a method of the library's class Views.
func (v *viewer) call(format string, args ...any) string {
	return v.views + "." + fmt.Sprintf(format, args...)
}

// field prints the methods of the view for one field.
func (v *viewer) field(z *ir.ZMYField, i int) {
	name := v.taken.fresh(camel(z.Field.Name))
	t := z.Type
	tail := v.call("tail(this, %d)", z.Tail)
	if v.t.Shape == zmytype.ShapeSparse {
		tail = v.call("sparseTail(this, %d)", i)
	}
	switch {
	case t.Shape == zmytype.ShapeFixed:
		at := v.call("at(this, %d, %d)", z.Offset, t.Size)
		if v.t.Shape == zmytype.ShapeSparse {
			at = v.call("sparseAt(this, %d)", i)
		}
		v.scalar(name, "", t, at)
	case isText(t):
		v.text(name, tail)
	case t.Shape == zmytype.ShapeBytes || t.Shape == zmytype.ShapeMethods:
		v.method("byte[]", name, "", "return "+v.call("bytes(this, %s);", tail))
	case t.IsStruct():
		v.into(name, t, v.call("struct(this, %s, into)", tail))
	case t.Shape == zmytype.ShapePtrStruct:
		v.orNull(name, t, tail)
	case t.Shape == zmytype.ShapePacked:
		v.packed(name, t, tail)
	case (t.Shape == zmytype.ShapeList || t.Shape == zmytype.ShapeDense || t.Shape == zmytype.ShapeArray) &&
		(isText(t.Elem) || t.Elem.IsStruct()):
		v.list(name, t, tail)
	case t.Shape == zmytype.ShapeMap && isText(t.Key) && !t.IsSet() && (isText(t.Elem) || t.Elem.IsStruct()):
		v.mapped(name, t, tail)
	default:
		v.decoded(name, t, tail)
	}
}

func isText(t *ir.ZMYType) bool {
	return t.Carried() == zmytype.ShapeString
}

func (v *viewer) method(typ, name, params, body string) {
	v.f.p("public %s %s(%s) {", typ, name, params)
	v.f.p("%s\n}\n", body)
}

// scalar prints a method for the fixed value at the position at. A negative position means that
// there is no value.
func (v *viewer) scalar(name, params string, t *ir.ZMYType, at string) {
	typ := v.javaType(v.f, t, false)
	s := scalarOf(t)
	read := strings.NewReplacer("d.", "", "%s", "this, at").Replace(s.get)
	switch t.Type.Kind { // the class Views has no method for these kinds
	case ir.Bool:
		read = "i8(this, at) != 0"
	case ir.Uint16:
		read = "i16(this, at) & 0xffff"
	case ir.Uint32:
		read = "i32(this, at) & 0xffffffffL"
	}
	if s.zero == "" {
		v.method(typ, name, params, "return "+v.call("fixed(this, %s, %s);", v.fixed(v.f, t), at))
		return
	}
	v.f.p("public %s %s(%s) {", typ, name, params)
	v.f.p("int at = %s;", at)
	v.f.p("return at < 0 ? %s : %s;\n}\n", s.zero, v.call("%s", read))
}

func (v *viewer) text(name, tail string) {
	v.method("String", name, "", "return "+v.call("text(this, %s);", tail))
	v.f.doc("Reports whether that is the text; nothing is allocated.")
	v.method("boolean", v.taken.fresh(name+"Is"), "String text", "return "+v.call("is(this, %s, text);", tail))
}

// into prints two methods for a struct: one creates a view, the other opens a given view.
func (v *viewer) into(name string, t *ir.ZMYType, open string) {
	view := v.names[t.Type] + "View"
	v.method(view, name, "", fmt.Sprintf("return %s(new %s());", name, view))
	v.f.doc("Does so in a view that is opened again; nothing is allocated.")
	v.method(view, name, view+" into", "return "+open+";")
}

func (v *viewer) orNull(name string, t *ir.ZMYType, tail string) {
	view := v.names[t.Elem.Type] + "View"
	v.f.doc("Returns null for null.")
	v.method(v.f.nullable(view), name, "", fmt.Sprintf("return %s(new %s());", name, view))
	v.f.doc("Does so in a view that is opened again; nothing is allocated.")
	v.method(v.f.nullable(view), name, view+" into", fmt.Sprintf("long slot = %s;\nreturn %s ? null : %s;",
		tail, v.call("isEmpty(slot)"), v.call("struct(this, slot, into)")))
}

// size prints the method that returns the number of elements.
func (v *viewer) size(name, count string) {
	v.f.doc("How many elements " + name + " has.")
	v.method("int", v.taken.fresh(name+"Size"), "", "return "+count+";")
}

func (v *viewer) packed(name string, t *ir.ZMYType, tail string) {
	v.size(name, v.call("packedSize(%s, %d)", tail, t.Elem.Size))
	v.scalar(name, "int i", t.Elem, v.call("packedAt(%s, %d, i)", tail, t.Elem.Size))
	v.decoded(name, t, tail)
}

func (v *viewer) list(name string, t *ir.ZMYType, tail string) {
	e := t.Elem
	if isText(e) {
		v.size(name, v.call("listSize(this, %s)", tail))
		v.method("String", name, "int i", "return "+v.call("text(this, %s);", v.call("element(this, %s, i)", tail)))
		return
	}
	view := v.names[e.Type] + "View"
	size, open := v.call("denseSize(this, %s)", tail), v.call("dense(this, %s, i, into)", tail)
	if e.Shape == zmytype.ShapeSparse {
		size, open = v.call("listSize(this, %s)", tail), v.call("struct(this, %s, into)", v.call("element(this, %s, i)", tail))
	}
	v.size(name, size)
	v.method(view, name, "int i", fmt.Sprintf("return %s(i, new %s());", name, view))
	v.f.doc("Does so in a view that is opened again; nothing is allocated.")
	v.method(view, name, "int i, "+view+" into", "return "+open+";")
}

func (v *viewer) mapped(name string, t *ir.ZMYType, tail string) {
	v.size(name, v.call("mapSize(this, %s)", tail))
	v.f.doc("Returns key i, in increasing order.")
	v.method("String", v.taken.fresh(name+"Key"), "int i", "return "+v.call("key(this, %s, i);", tail))
	v.f.doc("Looks up a key; null where there is none.")
	e := t.Elem
	var typ, open string
	count := v.call("listSize(this, values)")
	switch {
	case isText(e):
		typ = "String"
		open = v.call("text(this, %s)", v.call("element(this, values, i)"))
	case e.Shape == zmytype.ShapeSparse:
		typ = v.names[e.Type] + "View"
		open = v.call("struct(this, %s, new %s())", v.call("element(this, values, i)"), typ)
	default:
		typ = v.names[e.Type] + "View"
		open = v.call("dense(this, values, i, new %s())", typ)
		count = v.call("denseSize(this, values)")
	}
	v.f.p("public %s %s(String key) {", v.f.nullable(typ), name)
	v.f.p("long slot = %s;\nlong values = %s;", tail, v.call("values(this, slot)"))
	// A message that was not verified may have fewer values than keys.
	v.f.p("int i = %s;\nint n = %s;\nreturn i < 0 || i >= n ? null : %s;\n}\n", v.call("find(this, slot, key)"), count, open)
}

// decoded prints a method that decodes the field, for types without a special accessor.
func (v *viewer) decoded(name string, t *ir.ZMYType, tail string) {
	v.f.doc("Decodes the field.")
	v.f.p("public %s %s() throws %s {", v.javaType(v.f, t, false), name, v.exception)
	v.f.p("return %s;\n}\n", v.call("read(this, %s, %s)", tail, v.slot(v.f, t)))
}
