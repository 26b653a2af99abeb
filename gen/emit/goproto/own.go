package goproto

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
)

// owns has the functions of the runtime for values with methods of their own. With Marshal, Size, Unmarshal
// and Verify before them, these names are those of the functions.
var owns = map[pbtype.Kind]string{pbtype.Text: "Text", pbtype.Binary: "Binary"}

// ref returns a pointer to a value that is given without its pointer.
func ref(at string) string {
	if p, ok := strings.CutPrefix(at, "*"); ok {
		return p
	}
	return "&" + at
}

// encodeOwn prints code that writes a single value with methods of its own. If drop is true, one without
// content is not written.
func (g *gen) encodeOwn(f *ir.ProtoField, at string, drop bool) {
	if drop {
		g.P(g.start, " := ", g.i)
	}
	g.encodeTagged(f.Number, &f.Value, at)
	if drop {
		g.P("if ", g.i, " == ", plus(g.start, tagSize(f.Number)+1), " {\n", g.i, " = ", g.start, "\n}")
	}
}

// sizeOwn prints code that adds the length of a single value without presence.
func (g *gen) sizeOwn(f *ir.ProtoField, at string) {
	g.P("if ", g.x, " := ", g.sizeOfValue(&f.Value, at), "; ", g.x, " > 1 {\n", g.n, " += ", tagSize(f.Number), " + ", g.x, "\n}")
}
