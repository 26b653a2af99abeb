package gosrc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// PrefixImports renames every import of a generated file to a name that starts with zz. So it
// cannot collide with declarations of the user's package, where `var json = …` is common. Local
// variables that hide an import keep their names.
func PrefixImports(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("generated code does not parse: %w", err)
	}
	names := map[string]string{}
	for _, i := range f.Imports {
		old, err := importName(i)
		if err != nil {
			return nil, err
		}
		if old == "_" || old == "." {
			continue
		}
		names[old] = "zz" + old
		i.Name = ast.NewIdent("zz" + old)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && names[x.Name] != "" {
			x.Name = names[x.Name]
		}
		return true
	})
	var out bytes.Buffer
	err = format.Node(&out, fset, f)
	return out.Bytes(), err
}

// importName returns the name under which a file refers to an import. For an import without a name
// it is the last element of the path, or the one before if the last is a version.
func importName(i *ast.ImportSpec) (string, error) {
	if i.Name != nil {
		return i.Name.Name, nil
	}
	p, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return "", err
	}
	base := path.Base(p)
	if strings.HasPrefix(base, "v") && strings.Trim(base[1:], "0123456789") == "" && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	return base, nil
}
