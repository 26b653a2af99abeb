package print

import (
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// TypeExpr returns the Go expression for a type, with each package's own name as qualifier:
// "map[string][]stock.Item". It is for messages; generated code uses [File.Type].
func TypeExpr(t *ir.Type) string {
	return typeExpr(t, func(_, name string) string { return name })
}

// TypeExprIn is [TypeExpr] for a reader inside the package pkg, whose types get no qualifier.
func TypeExprIn(t *ir.Type, pkg string) string {
	return typeExpr(t, func(path, name string) string {
		if path == pkg {
			return ""
		}
		return name
	})
}

// TypePath is [TypeExprIn] with import paths as qualifiers: "example.org/stock.Item". So different
// types have different names.
func TypePath(t *ir.Type, pkg string) string {
	return typeExpr(t, func(path, _ string) string {
		if path == pkg {
			return ""
		}
		return path
	})
}

// typeExpr returns the expression for a type. qualify returns the qualifier of a package.
func typeExpr(t *ir.Type, qualify func(path, name string) string) string {
	if n := t.Name; n != nil {
		return namedExpr(n, qualify)
	}
	sub := func(t *ir.Type) string { return typeExpr(t, qualify) }
	if len(t.Words) > 0 {
		return words(t.Words, qualify)
	}
	switch t.Kind {
	case ir.Bytes, ir.Slice:
		return "[]" + sub(t.Elem)
	case ir.Array:
		return "[" + strconv.FormatInt(t.Len, 10) + "]" + sub(t.Elem)
	case ir.Map:
		return "map[" + sub(t.Key) + "]" + sub(t.Elem)
	case ir.Pointer:
		return "*" + sub(t.Elem)
	case ir.Any:
		return "any"
	case ir.Struct:
		return structExpr(t, sub)
	}
	return t.Kind.String() // not valid Go, but enough for a message
}

func words(list []ir.Word, qualify func(path, name string) string) string {
	var s strings.Builder
	for _, w := range list {
		if w.Name != nil {
			s.WriteString(namedExpr(w.Name, qualify))
		}
		s.WriteString(w.Text)
	}
	return s.String()
}

func namedExpr(n *ir.TypeName, qualify func(path, name string) string) string {
	var s strings.Builder
	if n.Pkg != "" {
		if q := qualify(n.Pkg, n.PkgName); q != "" {
			s.WriteString(q + ".")
		}
	}
	s.WriteString(n.Name)
	if len(n.Args) == 0 {
		return s.String()
	}
	args := make([]string, len(n.Args))
	for i, arg := range n.Args {
		args[i] = typeExpr(arg, qualify)
	}
	return s.String() + "[" + strings.Join(args, ", ") + "]"
}

func structExpr(t *ir.Type, sub func(*ir.Type) string) string {
	var s strings.Builder
	s.WriteString("struct{")
	for i, f := range t.Fields {
		if i > 0 {
			s.WriteString(";")
		}
		s.WriteByte(' ')
		if !f.Embedded {
			s.WriteString(f.Name + " ")
		}
		s.WriteString(sub(f.Type))
		if f.Tag != "" {
			s.WriteString(" " + strconv.Quote(f.Tag))
		}
	}
	if len(t.Fields) > 0 {
		s.WriteByte(' ')
	}
	return s.String() + "}"
}
