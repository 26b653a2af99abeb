package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Func is a function or method that a file declares. Its types are spelled as in the file.
type Func struct {
	Recv    string // type of the receiver without its star; "" for a function
	Name    string
	Params  []string // one for each parameter
	Results []string
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
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		out = append(out, describe(fn))
	}
	return out, nil
}

func describe(fn *ast.FuncDecl) Func {
	x := Func{Name: fn.Name.Name, Params: spelled(fn.Type.Params), Results: spelled(fn.Type.Results)}
	if recv := spelled(fn.Recv); len(recv) > 0 {
		x.Recv = strings.TrimPrefix(recv[0], "*")
	}
	return x
}

func spelled(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, f := range list.List {
		s := types.ExprString(f.Type)
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
