package gosrc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// NOTE: generated code is read back for two reasons. A generator may choose other names than
// planned if they are taken in the subject's package, so contenders look functions up (Funcs,
// Find). And other generators take no account of the declarations that the package already has, so
// imports in their code are renamed (PrefixImports).

// Func is a function or method that a file declares. Its types are spelled as in the file.
type Func struct {
	Recv    string // type of the receiver without its star; "" for a function
	Name    string
	Params  []string // the type of each parameter
	Results []string
	// TypeParams has the name and the constraint of each type parameter: "T any".
	TypeParams []string
}

// Funcs lists the functions of a file. Contenders use it to find functions in generated code if the
// generator chooses their names.
func Funcs(src []byte) ([]Func, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []Func
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			out = append(out, Describe(fn))
		}
	}
	return out, nil
}

// Describe returns the Func of a declaration.
func Describe(fn *ast.FuncDecl) Func {
	x := Func{Name: fn.Name.Name, Params: spelled(fn.Type.Params), Results: spelled(fn.Type.Results)}
	if recv := spelled(fn.Recv); len(recv) > 0 {
		x.Recv = strings.TrimPrefix(recv[0], "*")
	}
	if list := fn.Type.TypeParams; list != nil {
		constraints := spelled(list)
		for _, f := range list.List {
			for _, name := range f.Names {
				x.TypeParams = append(x.TypeParams, name.Name+" "+constraints[len(x.TypeParams)])
			}
		}
	}
	return x
}

// spelled returns the types of a list, one for each name in it, or one for a type without a name.
func spelled(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, f := range list.List {
		s := types.ExprString(f.Type)
		if s == "interface{}" {
			s = "any"
		}
		out = append(out, slices.Repeat([]string{s}, max(1, len(f.Names)))...)
	}
	return out
}

// Find returns the first function that match accepts.
func Find(funcs []Func, match func(Func) bool) (Func, bool) {
	i := slices.IndexFunc(funcs, match)
	if i < 0 {
		return Func{}, false
	}
	return funcs[i], true
}

// PrefixImports renames every import of a generated file to a name that starts with zz. So it
// cannot collide with declarations of the user's package, where `var json = …` is common. Local
// variables that hide an import keep their names. hide lists methods that are renamed in the same
// way, so that encoding/json does not find them. Calls are not renamed: nothing else may call these
// methods.
func PrefixImports(src []byte, hide ...string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments) // resolves which names are local variables
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
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil && slices.Contains(hide, n.Name.Name) {
				n.Name.Name = "zz" + n.Name.Name
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && names[x.Name] != "" {
				x.Name = names[x.Name]
			}
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
