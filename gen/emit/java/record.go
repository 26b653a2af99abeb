package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// component is a component of a record: a field, or the component that keeps unknown parts.
type component struct {
	name, typ string
	zero      string // expression for the zero value; "" if that is the default value in Java
	doc       string
	keeps     bool // it keeps unknown parts
}

// components returns the components of a record.
func (g *gen) components(f *source, t *ir.ZMYType) (out []component) {
	fields, unknown := g.fields(t)
	for _, x := range fields {
		c := component{name: x.name, typ: g.javaType(f, x.Type, false), doc: g.describe(x)}
		if !isPrimitive(x.Type) && !isNullable(x.Type) {
			c.zero = g.zero(f, x.Type)
		}
		out = append(out, c)
	}
	if unknown != "" {
		out = append(out, component{unknown, f.wire("Unknown"), f.wire("Unknown") + ".NONE",
			"what newer versions have and this one does not know; it is written again as it was", true})
	}
	return out
}

// joined formats each component and joins the results.
func joined(list []component, separator string, format func(c component) string) string {
	var out []string
	for _, c := range list {
		out = append(out, format(c))
	}
	return strings.Join(out, separator)
}

func (c component) ident() string { return c.name }

// record prints the record of a struct, with its builder.
func (g *gen) record(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	list := g.components(f, t)
	var tags []string
	for _, c := range list {
		tags = append(tags, "@param "+c.name+" "+c.doc)
	}
	f.doc(g.typeDoc(t.Type), tags...)
	of := ""
	if arms := g.arms[t.Type]; len(arms) > 0 {
		of = " implements " + strings.Join(arms, ", ")
	}
	f.top("public record %s(%s)%s {", name, joined(list, ", ", func(c component) string { return c.typ + " " + c.name }), of)
	if codec := g.codecFor(f, t); codec != "" {
		f.doc("Marshals and unmarshals messages of this type.")
		f.p("public static final %s<%s> CODEC = %s;\n", f.zmy("Codec"), name, codec)
	}
	f.doc("The zero value.")
	f.p("public static final %s ZERO = builder().build();\n", name)
	g.compact(f, name, list)
	if slices.ContainsFunc(t.Fields, func(z *ir.ZMYField) bool { return z.Field != nil && g.hasArray(z.Type) }) {
		g.equality(f, name, list)
	}
	f.doc("Starts with the zero value.")
	f.p("public static Builder builder() {\nreturn new Builder();\n}\n")
	f.doc("Starts with this value.")
	f.p("public Builder toBuilder() {")
	f.p("Builder builder = new Builder();")
	for _, c := range list {
		f.p("builder.%s = %s;", c.name, c.name)
	}
	f.p("return builder;\n}\n")
	g.builder(f, name, list, len(t.Fields) > manyFields)
	f.p("}")
	g.done(name, f)
}

// codecFor returns the constant with a struct's codec, or "" for a struct that occurs inline only.
func (g *gen) codecFor(f *source, t *ir.ZMYType) string {
	for _, z := range g.plan.Types {
		if z.Type == t.Type && z.IsStruct() && !g.plan.InSetsOnly(z) {
			return g.constantFor(f, z)
		}
	}
	return ""
}

// typeDoc returns the comment of the Go type.
func (g *gen) typeDoc(t *ir.Type) string {
	if t.Name != nil && t.Name.Doc != "" {
		return plain(t.Name.Doc)
	}
	return g.names[t] + " is the Go type of that name."
}

// describe returns the comment of a field.
func (g *gen) describe(x field) string {
	text := strings.Join(split(plain(x.Field.Doc)), " ")
	if text == "" {
		text = "field " + x.Field.Name + " of the schema"
	}
	if note := g.note(x.Type); note != "" {
		text += "; " + note
	}
	if x.Deprecated {
		text += "; deprecated"
	}
	return text
}

// note returns what a reader must know about the values beyond their Java type, or "".
func (g *gen) note(t *ir.ZMYType) string {
	switch {
	case isNullable(t):
		return "may be null"
	case hasValues(t):
		return "see {@link " + g.names[t.Type] + "}"
	case t.Shape == zmytype.ShapeFixed && t.Type.Kind == ir.Uint8:
		return "0 to 255"
	case t.Shape == zmytype.ShapeFixed && t.Type.Kind == ir.Uint16:
		return "0 to 65,535"
	case t.Shape == zmytype.ShapeFixed && t.Type.Kind == ir.Uint32:
		return "0 to 4,294,967,295"
	case t.Shape == zmytype.ShapeFixed && t.Type.Kind.IsUint():
		return "unsigned, as bits"
	case t.Type.Kind == ir.Array && t.Shape != zmytype.ShapeOpt:
		return fmt.Sprintf("%d elements", t.Type.Len)
	}
	return ""
}

// compact prints the compact constructor. It replaces null by the zero value, since callers without
// a null checker may pass null.
func (g *gen) compact(f *source, name string, list []component) {
	list = slices.DeleteFunc(slices.Clone(list), func(c component) bool { return c.zero == "" })
	if len(list) == 0 {
		return
	}
	f.doc("A null that no checker has refused becomes the zero value. Arrays, lists and maps are held, not copied.")
	f.p("public %s {", name)
	for _, c := range list {
		f.p("%[1]s = %[1]s == null ? %[2]s : %[1]s;", c.name, c.zero)
	}
	f.p("}\n")
}

// equality prints equals, hashCode and toString for records with arrays: Java's own methods would
// compare and show arrays by identity.
func (g *gen) equality(f *source, name string, list []component) {
	values := f.wire("Values")
	f.p("@Override\npublic boolean equals(%s other) {", f.nullable("Object"))
	f.p("if (!(other instanceof %s that)) {\nreturn false;\n}", name)
	for i, c := range list {
		line := fmt.Sprintf("%s.equal(this.%s, that.%s)", values, c.name, c.name)
		if i == len(list)-1 {
			line += ";"
		}
		if i == 0 {
			f.p("return %s", line)
		} else { // not printed by p, which would break a long line at another place
			f.body.WriteString(strings.Repeat("  ", f.depth) + "    && " + line + "\n")
		}
	}
	f.p("}\n")
	f.p("@Override\npublic int hashCode() {")
	f.p("return %s.hash(%s);", values, joined(list, ", ", component.ident))
	f.p("}\n")
	f.p("@Override\npublic String toString() {")
	f.p("return %s.text(%q, %s);", values, name, joined(list, ", ", func(c component) string { return fmt.Sprintf("%q, %s", c.name, c.name) }))
	f.p("}\n")
}

// builder prints the nested class that builds a record field by field. The codec of a record with
// many fields uses it.
func (g *gen) builder(f *source, name string, list []component, many bool) {
	f.doc("Makes a {@link " + name + "} field by field: code that uses it still compiles when fields are added.")
	f.p("public static final class Builder {")
	for _, c := range list {
		starts := ""
		if c.zero != "" {
			starts = " = " + c.zero
		}
		f.p("private %s %s%s;", c.typ, c.name, starts)
	}
	if len(list) > 0 {
		f.p("")
	}
	f.p("private Builder() {}\n")
	for _, c := range list {
		access := "public "
		switch {
		case c.keeps && !many:
			continue
		case c.keeps:
			access = ""
		default:
			f.doc("Sets " + c.name + ": " + c.doc + ".")
		}
		f.p("%[3]sBuilder %[2]s(%[1]s %[2]s) {\nthis.%[2]s = %[2]s;\nreturn this;\n}\n", c.typ, c.name, access)
	}
	f.doc("Makes the value.")
	f.p("public %s build() {", name)
	f.p("return new %s(%s);", name, joined(list, ", ", component.ident))
	f.p("}\n}")
}
