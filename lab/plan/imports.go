package plan

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// exprImports returns the import specs, taken from the package's files, of the packages that a type
// expression names: map[string]time.Time needs "time".
func exprImports(expr string, files []string) ([]string, error) {
	x, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, fmt.Errorf("type %q is not a Go expression: %w", expr, err)
	}
	var names []string
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && !slices.Contains(names, id.Name) {
				names = append(names, id.Name)
			}
		}
		return true
	})
	if len(names) == 0 {
		return nil, nil
	}
	var out []string
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if err != nil {
			continue // the loader reported it
		}
		for _, im := range f.Imports {
			if i := slices.Index(names, importName(im)); i >= 0 {
				out = append(out, names[i]+" "+im.Path.Value)
				names = slices.Delete(names, i, i+1)
			}
		}
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("type %s: no file of the package imports %s under that name", expr, names[0])
	}
	return out, nil
}

// importName returns the name under which a file imports a package. If the import spec has no name,
// it is the last element of the path, or the one before if the last is a version.
func importName(im *ast.ImportSpec) string {
	if im.Name != nil {
		return im.Name.Name
	}
	p, err := strconv.Unquote(im.Path.Value)
	if err != nil {
		return ""
	}
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		base = path.Base(path.Dir(p))
	}
	return base
}
