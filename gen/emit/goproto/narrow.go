package goproto

import (
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbwire"
)

// decodeNarrow prints code that stores the integer whose bits are in x, and fails if the Go type, of 8 or
// 16 bits, does not hold it.
func (g *gen) decodeNarrow(v *ir.ProtoValue, at string) {
	bits := g.x
	switch {
	case v.Kind == pbtype.Sint32:
		bits = "uint64(" + g.rt("UnZigZag") + "(" + g.x + " & (1<<32 - 1)))"
	case v.Kind.Wire() == pbwire.Fixed32Type:
		bits = "uint64(" + g.x + ")"
	}
	call := g.rt("Narrow") + "[" + g.Type(v.Type) + "](" + bits + ")"
	if g.verify {
		g.P("if _, ", g.ok, " := ", call, "; !", g.ok, " {\nreturn ", g.fail, "\n}")
		return
	}
	g.P(g.s, ", ", g.ok, " := ", call)
	g.fails("!" + g.ok)
	g.P(target(v, at), " = ", g.s)
}

// narrowForm returns the form of the integers of a packed list.
func (g *gen) narrowForm(k pbtype.Kind) string {
	switch {
	case k == pbtype.Sint32:
		return g.rt("FormZigZag")
	case k.Wire() == pbwire.Fixed32Type:
		return g.rt("FormFixed")
	}
	return g.rt("FormVarint")
}
