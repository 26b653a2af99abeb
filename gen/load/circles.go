package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// circles maps a user's method that decides a type's JSON to the generated method that calls it.
var circles = map[string]string{
	"MarshalJSON": "AppendJSON", "MarshalText": "AppendJSON",
	"UnmarshalJSON": "DecodeJSON", "UnmarshalText": "DecodeJSON",
}

// Circles returns a problem for each method in the user's files that calls a generated method of
// src which calls it back: the two would recurse without end.
func (p *Pkg) Circles(src []byte) ir.Problems {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ours := declared(f)
	var ps ir.Problems
	for _, fn := range p.unit.round {
		for one := range declared(&ast.File{Decls: []ast.Decl{fn}}) {
			typ, name, _ := strings.Cut(one, ".")
			if theirs := circles[name]; ours[typ+"."+theirs] {
				pos := p.world.place(p.world.fset.Position(fn.Name.Pos()))
				ps = append(ps, ir.Problem{Pos: pos, Path: typ, Msg: name + " calls the generated " + theirs + ", which calls " + name +
					": they would never return",
					Hint: "remove " + name + " and generate with -stdmethods, which writes it"})
			}
		}
	}
	return ps
}

// goesRound reports whether the function is a method of circles that calls the generated method of
// its own receiver.
func goesRound(fn *ast.FuncDecl) (found bool) {
	theirs := circles[fn.Name.Name]
	if theirs == "" || fn.Body == nil || fn.Recv == nil || len(fn.Recv.List) == 0 || len(fn.Recv.List[0].Names) == 0 {
		return false
	}
	recv := fn.Recv.List[0].Names[0].Name
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == theirs {
			x, ok := sel.X.(*ast.Ident)
			found = found || ok && x.Name == recv
		}
		return true
	})
	return found
}
