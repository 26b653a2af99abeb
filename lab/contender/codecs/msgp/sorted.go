package msgp

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
)

// sortedName is the method that [sorted] adds. sortedRange begins a loop over sorted pairs.
const (
	sortedName  = "MarshalMsgSorted"
	sortedRange = "zzmsgpx.Sorted("
)

// sorted returns a file with a twin of each generated method MarshalMsg. The twin writes the keys
// of maps in order. A user of msgp who wants equal bytes for equal values must write that by hand.
// sorted returns nil if the code has no map, or calls code that is not generated.
func sorted(pkg string, code []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", code, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	maps := false
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || fn.Name.Name != "MarshalMsg" {
			continue
		}
		fn.Name.Name, fn.Doc = sortedName, nil
		if sortRanges(fn.Body) {
			maps = true
		}
		if err := format.Node(&body, fset, fn); err != nil {
			return nil, err
		}
		body.WriteString("\n\n")
	}
	others := bytes.Count(body.Bytes(), []byte("zzmsgpx.")) - bytes.Count(body.Bytes(), []byte(sortedRange))
	if !maps || others > 0 {
		return nil, nil
	}
	out, err := join(pkg, body.Bytes())
	return append([]byte("//go:build go1.23\n\n"), out...), err // ranges over functions need it, whatever the module's go line says
}

// sortRanges makes every loop over a map range over sorted pairs, and every call of MarshalMsg a
// call of the twin. In generated code only loops over maps have both key and value.
func sortRanges(body *ast.BlockStmt) (maps bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Key != nil && n.Value != nil {
				maps = true
				n.X = &ast.CallExpr{Fun: ast.NewIdent(strings.TrimSuffix(sortedRange, "(")), Args: []ast.Expr{n.X}}
			}
		case *ast.SelectorExpr:
			if n.Sel.Name == "MarshalMsg" {
				n.Sel = ast.NewIdent(sortedName)
			}
		}
		return true
	})
	return maps
}
