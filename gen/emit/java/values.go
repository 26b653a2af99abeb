package java

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/zmytype"
)

// values prints the class with constants for the named values of an integer type. Fields have the
// plain number, so that a value which the program does not know is not lost.
func (g *gen) values(t *ir.ZMYType) {
	f := g.file()
	name := g.names[t.Type]
	typ := g.javaType(f, t, false)
	f.doc(g.typeDoc(t.Type) + "\n\nFields of this type are plain numbers; these are the ones that have names.")
	f.top("public final class %s {", name)
	f.p("private %s() {}\n", name)
	names := scope{}
	for _, v := range t.Type.Values {
		short := strings.TrimPrefix(v.Name, t.Type.Name.Name)
		if c := constant(short); c == "" || c[0] >= '0' && c[0] <= '9' {
			short = v.Name
		}
		f.doc(fmt.Sprintf("%s of the Go type.", plain(v.Name)))
		f.p("public static final %s %s = %s;\n", typ, names.fresh(constant(short)), literal(typ, v.Number))
	}
	f.p("}")
	g.done(name, f)
}

// hasValues reports whether t is an integer type with named values.
func hasValues(t *ir.ZMYType) bool {
	k := t.Type.Kind
	return t.Shape == zmytype.ShapeFixed && (k.IsInt() && k != ir.Duration || k.IsUint()) && t.Type.Name != nil && len(t.Type.Values) > 0
}

func literal(typ string, n int64) string {
	if typ == "long" {
		return fmt.Sprintf("%dL", n)
	}
	return fmt.Sprint(n)
}
