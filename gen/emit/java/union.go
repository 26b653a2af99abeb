package java

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// union prints the sealed interface of a union, and the class that reads and writes it.
func (g *gen) union(t *ir.ZMYType) {
	name := g.names[t.Type]
	f := g.file()
	var arms []string
	for _, a := range t.Arms {
		arms = append(arms, g.names[a.Type.Type])
	}
	f.doc(g.typeDoc(t.Type))
	f.top("public sealed interface %s permits %s, %s.Unrecognized {", name, strings.Join(arms, ", "), name)
	f.doc("An arm that this program does not know. It is written again as it was.",
		"@param number the number of the arm", "@param raw its slot, which must not be changed")
	f.p("record Unrecognized(int number, byte[] raw) implements %s {", name)
	f.p("@Override\npublic boolean equals(%s other) {", f.nullable("Object"))
	f.p("return other instanceof Unrecognized that && number == that.number && %s.equals(raw, that.raw);\n}\n", f.class("java.util.Arrays"))
	f.p("@Override\npublic int hashCode() {\nreturn 31 * number + %s.hashCode(raw);\n}\n", f.class("java.util.Arrays"))
	f.p("@Override\npublic String toString() {\nreturn %s.text(\"Unrecognized\", \"number\", number, \"raw\", raw);\n}\n}\n}",
		f.wire("Values"))
	g.done(name, f)

	f = g.file()
	f.doc("Reads and writes {@link " + name + "}.")
	f.top("final class %sSlot extends %s<%s> {", name, f.wire("UnionSlot"), name)
	f.p("@Override\nprotected int number(%s v) {", name)
	for i, a := range t.Arms {
		f.p("if (v instanceof %s) {\nreturn %d;\n}", arms[i], a.Disc)
	}
	f.p("return 0;\n}\n")
	f.p("@Override\nprotected %s unknown(int number, byte[] raw) {\nreturn new %s.Unrecognized(number, raw);\n}\n", name, name)
	for _, m := range [][3]string{{"int", "unknownNumber", "number"}, {"byte[]", "unknownRaw", "raw"}} {
		f.p("@Override\nprotected %s %s(%s v) {", m[0], m[1], name)
		f.p("return ((%s.Unrecognized) v).%s();\n}%s", name, m[2], map[bool]string{true: "\n"}[m[2] == "number"])
	}
	f.p("}")
	g.done(name+"Slot", f)
}
