package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// record prints the record of a struct, with its builder.
func (g *gen) record(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	fields, unknown := g.fields(t)
	var components, tags []string
	for _, x := range fields {
		components = append(components, g.javaType(f, x.Type, false)+" "+x.name)
		tags = append(tags, "@param "+x.name+" "+g.describe(x))
	}
	if unknown != "" {
		components = append(components, f.wire("Unknown")+" "+unknown)
		tags = append(tags, "@param "+unknown+" what newer versions have and this one does not know; it is written again as it was")
	}
	f.doc(g.typeDoc(t.Type), tags...)
	of := ""
	if arms := g.arms[t.Type]; len(arms) > 0 {
		of = " implements " + strings.Join(arms, ", ")
	}
	f.top("public record %s(%s)%s {", name, strings.Join(components, ", "), of)
	if codec := g.codecFor(f, t); codec != "" {
		f.doc("Marshals and unmarshals messages of this type.")
		f.p("public static final %s<%s> CODEC = %s;\n", f.zmy("Codec"), name, codec)
	}
	f.doc("The zero value.")
	f.p("public static final %s ZERO = builder().build();\n", name)
	g.compact(f, name, fields, unknown)
	g.equality(f, name, fields, unknown)
	f.doc("Starts with the zero value.")
	f.p("public static Builder builder() {\nreturn new Builder();\n}\n")
	f.doc("Starts with this value.")
	f.p("public Builder toBuilder() {")
	f.p("Builder builder = new Builder();")
	for _, n := range componentNames(fields, unknown) {
		f.p("builder.%s = %s;", n, n)
	}
	f.p("return builder;\n}\n")
	g.builder(f, name, fields, unknown, len(t.Fields) > manyFields)
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

func componentNames(fields []field, unknown string) (out []string) {
	for _, x := range fields {
		out = append(out, x.name)
	}
	if unknown != "" {
		out = append(out, unknown)
	}
	return out
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
func (g *gen) compact(f *source, name string, fields []field, unknown string) {
	var lines []string
	for _, x := range fields {
		if !isPrimitive(x.Type) && !isNullable(x.Type) {
			lines = append(lines, fmt.Sprintf("%[1]s = %[1]s == null ? %[2]s : %[1]s;", x.name, g.zero(f, x.Type)))
		}
	}
	if unknown != "" {
		lines = append(lines, fmt.Sprintf("%[1]s = %[1]s == null ? %[2]s.NONE : %[1]s;", unknown, f.wire("Unknown")))
	}
	if len(lines) == 0 {
		return
	}
	f.doc("A null that no checker has refused becomes the zero value. Arrays, lists and maps are held, not copied.")
	f.p("public %s {", name)
	for _, line := range lines {
		f.p("%s", line)
	}
	f.p("}\n")
}

// equality prints equals, hashCode and toString for records with arrays: Java's own methods would
// compare and show arrays by identity.
func (g *gen) equality(f *source, name string, fields []field, unknown string) {
	any := false
	for _, x := range fields {
		any = any || g.hasArray(x.Type)
	}
	if !any {
		return
	}
	names := componentNames(fields, unknown)
	values := f.wire("Values")
	f.p("@Override\npublic boolean equals(%s other) {", f.nullable("Object"))
	f.p("if (!(other instanceof %s that)) {\nreturn false;\n}", name)
	for i, n := range names {
		line := fmt.Sprintf("%s.equal(this.%s, that.%s)", values, n, n)
		switch {
		case len(names) == 1:
			f.p("return %s;", line)
		case i == 0:
			f.p("return %s", line)
		case i == len(names)-1:
			f.body.WriteString(strings.Repeat("  ", f.depth) + "    && " + line + ";\n")
		default:
			f.body.WriteString(strings.Repeat("  ", f.depth) + "    && " + line + "\n")
		}
	}
	f.p("}\n")
	f.p("@Override\npublic int hashCode() {")
	f.p("return %s.hash(%s);", values, strings.Join(names, ", "))
	f.p("}\n")
	f.p("@Override\npublic String toString() {")
	var text []string
	for _, n := range names {
		text = append(text, fmt.Sprintf("%q, %s", n, n))
	}
	f.p("return %s.text(%q, %s);", values, name, strings.Join(text, ", "))
	f.p("}\n")
}

// builder prints the nested class that builds a record field by field.
func (g *gen) builder(f *source, name string, fields []field, unknown string, many bool) {
	f.doc("Makes a {@link " + name + "} field by field: code that uses it still compiles when fields are added.")
	f.p("public static final class Builder {")
	for _, x := range fields {
		zero := ""
		if !isPrimitive(x.Type) && !isNullable(x.Type) {
			zero = " = " + g.zero(f, x.Type)
		}
		f.p("private %s %s%s;", g.javaType(f, x.Type, false), x.name, zero)
	}
	if unknown != "" {
		f.p("private %s %s = %s.NONE;", f.wire("Unknown"), unknown, f.wire("Unknown"))
	}
	if len(fields) > 0 || unknown != "" {
		f.p("")
	}
	f.p("private Builder() {}\n")
	for _, x := range fields {
		f.doc("Sets " + x.name + ": " + g.describe(x) + ".")
		f.p("public Builder %[2]s(%[1]s %[2]s) {\nthis.%[2]s = %[2]s;\nreturn this;\n}\n", g.javaType(f, x.Type, false), x.name)
	}
	if unknown != "" && many { // the codec of such a record uses the builder
		f.p("Builder %[2]s(%[1]s %[2]s) {\nthis.%[2]s = %[2]s;\nreturn this;\n}\n", f.wire("Unknown"), unknown)
	}
	f.doc("Makes the value.")
	f.p("public %s build() {", name)
	f.p("return new %s(%s);", name, strings.Join(componentNames(fields, unknown), ", "))
	f.p("}\n}")
}
