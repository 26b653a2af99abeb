package adopt

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Matter is the text of notes about sites whose bytes are hashed, signed or compared.
const Matter = "bytes matter: run zmy compat first"

// matter records that the bytes of a site matter. fxjson writes what encoding/json writes, so for
// that codec it is a note. A site of another codec stays, unless the caller has allowed it.
func (f *goFile) matter(u *use, how string, o *Options) {
	u.matters = true
	text := Matter + "; " + how
	if u.codec.differs == "" {
		f.prog.note(u.site.Pos, text+". fxjson writes the bytes of encoding/json")
		return
	}
	if o.Bytes {
		f.prog.note(u.site.Pos, text+". The bytes may change: "+u.codec.differs)
		return
	}
	u.site.Why = text + ". If other bytes do no harm there, run the command with -bytes"
}

// bytesMatter looks for the result of a call that marshals in the rest of its function: whether it is
// hashed, signed or compared.
func (f *goFile) bytesMatter(u *use, call *ast.CallExpr, parents []ast.Node, o *Options) {
	info := f.pkg.TypesInfo
	var body ast.Node
	for i := len(parents) - 1; i >= 0 && body == nil; i-- {
		switch n := parents[i].(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
	}
	if body == nil {
		return
	}
	tainted := map[types.Object]bool{}
	holds := func(e ast.Node) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				found = found || tainted[info.Uses[n]]
			case *ast.CallExpr:
				found = found || n == call
				if !info.Types[n.Fun].IsType() && n != e && !found {
					return conveys(info, n)
				}
			}
			return !found
		})
		return found
	}
	for range 4 { // variables that are set from variables, four deep
		ast.Inspect(body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for i, l := range a.Lhs {
					id, ok := l.(*ast.Ident)
					if !ok || i > 0 && len(a.Rhs) == 1 {
						continue
					}
					if holds(a.Rhs[min(i, len(a.Rhs)-1)]) && id.Name != "_" {
						if obj := info.ObjectOf(id); obj != nil {
							tainted[obj] = true
						}
					}
				}
			}
			return true
		})
	}
	how := ""
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := compares(info, n)
			for _, arg := range n.Args {
				if name != "" && how == "" && holds(arg) {
					how = "the result reaches " + name
				}
			}
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && how == "" && (text(info, n.X) && holds(n.X) || text(info, n.Y) && holds(n.Y)) {
				how = "the result is compared"
			}
		}
		return how == ""
	})
	if how != "" {
		f.matter(u, how, o)
	}
}

// text reports whether an expression is a string: len(b) == 0 compares no bytes.
func text(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// conveys reports whether the result of a call holds the bytes of its argument.
func conveys(info *types.Info, call *ast.CallExpr) bool {
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "append"
	}
	switch fn.Pkg().Path() {
	case "bytes", "strings", "encoding/base64", "encoding/hex", "slices":
		return true
	}
	return false
}

// compares returns the name of a function that hashes, signs or compares its arguments, "" for
// another one.
func compares(info *types.Info, call *ast.CallExpr) string {
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	pkg, name := fn.Pkg().Path(), fn.FullName()
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil { // hash.Hash embeds io.Writer
		pkg = packageOf(info.TypeOf(sel.X))
		name = types.TypeString(info.TypeOf(sel.X), nil) + "." + fn.Name()
	}
	switch {
	case hashing(pkg):
		return name
	case pkg == "bytes" && (fn.Name() == "Equal" || fn.Name() == "Compare"), pkg == "slices" && fn.Name() == "Equal":
		return name
	}
	return ""
}

func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ := info.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := info.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}
