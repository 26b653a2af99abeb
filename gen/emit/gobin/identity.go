package gobin

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/describe"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// identities prints the roots' fingerprints and schema blocks. Both are constants inside functions:
// they cost nothing at start-up, and nothing at all in programs that do not call them. If types
// have changed, the generated code returns neither.
func (g *gen) identities() {
	for _, r := range g.plan.Roots {
		g.identity(r, print.TypeExprIn(r.Type, g.pkg.Path), g.hasMethods(r))
	}
}

func (g *gen) identity(r *ir.ZMYType, name string, method bool) {
	decl := func(op, result string) string {
		if method {
			return fmt.Sprintf("func (*%s) %s() %s", g.Type(r.Type), op, result)
		}
		return fmt.Sprintf("func %s() %s", g.entry(op, r), result)
	}
	g.p("// %s is the fingerprint that envelopes of %s carry.", g.entryName("ZMYFingerprint", r, method), name)
	g.p("%s { return %s.Fingerprint(%#x) }\n", decl("ZMYFingerprint", "uint64"), g.codeName(r), ir.ZMYFingerprint(r))
	block, err := describe.Schema(r).Marshal()
	if err != nil { // the schema is too large to be sent with a message
		return
	}
	g.p("// %s is the schema block that describes %s.", g.entryName("ZMYSchema", r, method), name)
	g.p("%s {", decl("ZMYSchema", "string"))
	g.p("if !%s.Fits() {\nreturn \"\"\n}", g.codeName(r))
	lines := describe.Literal(block, literalWidth, func(int, string) string { return "" })
	g.P("return \"", strings.Join(lines, "\" +\n\t\""), "\"")
	g.P("}\n")
}

// hasMethods reports whether the package can declare methods for the root.
func (g *gen) hasMethods(r *ir.ZMYType) bool {
	return r.Type.Name != nil && r.Type.Name.Pkg == g.pkg.Path && len(r.Type.Name.Args) == 0
}

// literalWidth is the approximate length of a line of a literal.
const literalWidth = 110

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
