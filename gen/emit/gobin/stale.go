package gobin

import (
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// code prints what the generated code of a root records about its Go types. The compiler does not
// notice every change of the types: methods added later, or structs of other packages with
// unexported fields. So the code checks the types at its first use.
func (g *gen) code(r *ir.ZMYType) {
	stale := g.plan.Stale[r]
	nilTo := func(t *ir.ZMYType) string { return "(*" + g.Type(t.Type) + ")(nil)" }
	arms := make([]string, len(stale.Arms))
	for i, a := range stale.Arms {
		arms[i] = nilTo(a)
	}
	fields := "Of: " + nilTo(r)
	if len(arms) > 0 {
		fields += ", Arms: []any{" + strings.Join(arms, ", ") + "}"
	}
	if stale.StandIn {
		fields += ", StandIn: true"
	}
	g.p("var %s = %s{%s, Print: %#x}\n", g.codeName(r), g.Ident(zmyPkg.Ident("Code")), fields, stale.Print)
}

// codeName returns the name of the variable that [gen.code] declares.
func (g *gen) codeName(r *ir.ZMYType) string { return g.once("code", r, "zmy"+typeWord(r.Type)+"Code") }
