package load

import (
	"fmt"
	"go/types"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
)

// spelling returns the source text of an unnamed function, channel or interface type. Named types
// in it are only named, not described: func(*http.Request) does not add http.Request to the
// package's types.
func spelling(t types.Type) []ir.Word {
	s := &speller{}
	s.typ(t)
	return s.words
}

type speller struct{ words []ir.Word }

func (s *speller) text(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if n := len(s.words); n > 0 && s.words[n-1].Name == nil && s.words[n-1].Own == "" {
		s.words[n-1].Text += text
		return
	}
	s.words = append(s.words, ir.Word{Text: text})
}

// own adds the name of a field or method. An unexported name may be written only by its own
// package.
func (s *speller) own(obj types.Object) {
	if obj.Exported() || obj.Pkg() == nil {
		s.text("%s", obj.Name())
		return
	}
	s.words = append(s.words, ir.Word{Text: obj.Name(), Own: obj.Pkg().Path()})
}

func (s *speller) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			s.words = append(s.words, ir.Word{Name: &ir.TypeName{Pkg: "unsafe", PkgName: "unsafe", Name: "Pointer", Exported: true}})
			return
		}
		s.text("%s", t.Name())
	case *types.Named:
		s.words = append(s.words, ir.Word{Name: typeName(t.Obj())})
		for i := range t.TypeArgs().Len() {
			s.text("%s", [...]string{"[", ", "}[min(i, 1)])
			s.typ(t.TypeArgs().At(i))
		}
		if t.TypeArgs().Len() > 0 {
			s.text("]")
		}
	case *types.Pointer:
		s.text("*")
		s.typ(t.Elem())
	case *types.Slice:
		s.text("[]")
		s.typ(t.Elem())
	case *types.Array:
		s.text("[%d]", t.Len())
		s.typ(t.Elem())
	case *types.Map:
		s.text("map[")
		s.typ(t.Key())
		s.text("]")
		s.typ(t.Elem())
	case *types.Chan:
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && t.Dir() == types.SendRecv && e.Dir() == types.RecvOnly {
			s.text("chan (")
			s.typ(e)
			s.text(")")
			return
		}
		s.text("%s", map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()])
		s.typ(t.Elem())
	case *types.Signature:
		s.text("func")
		s.signature(t)
	case *types.Struct:
		s.structType(t)
	case *types.Interface:
		s.interfaceType(t)
	default: // a type that does not type-check: no package can write it
		s.words = append(s.words, ir.Word{Text: t.String(), Own: "?"})
	}
}

func (s *speller) signature(t *types.Signature) {
	s.tuple(t.Params(), t.Variadic())
	switch t.Results().Len() {
	case 0:
	case 1:
		s.text(" ")
		s.typ(t.Results().At(0).Type())
	default:
		s.text(" ")
		s.tuple(t.Results(), false)
	}
}

func (s *speller) tuple(t *types.Tuple, variadic bool) {
	s.text("(")
	for i := range t.Len() {
		if i > 0 {
			s.text(", ")
		}
		typ := t.At(i).Type()
		if last, ok := typ.(*types.Slice); ok && variadic && i == t.Len()-1 {
			s.text("...")
			typ = last.Elem()
		}
		s.typ(typ)
	}
	s.text(")")
}

func (s *speller) structType(t *types.Struct) {
	s.text("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if i > 0 {
			s.text("; ")
		}
		if !f.Embedded() {
			s.own(f)
			s.text(" ")
		}
		s.typ(f.Type())
		if tag := t.Tag(i); tag != "" {
			s.text(" %s", strconv.Quote(tag))
		}
	}
	s.text("}")
}

// interfaceType writes all methods, also those of embedded interfaces. An interface that embeds
// another is the same type as one that lists the methods.
func (s *speller) interfaceType(t *types.Interface) {
	s.text("interface{")
	for i := range t.NumMethods() {
		m := t.Method(i)
		if i > 0 {
			s.text("; ")
		}
		s.own(m)
		s.signature(m.Signature())
	}
	s.text("}")
}

// typeName returns the name of a type, without type arguments and comments.
func typeName(obj *types.TypeName) *ir.TypeName {
	out := &ir.TypeName{Name: obj.Name(), Exported: true} // predeclared: error
	pkg := obj.Pkg()
	if pkg == nil {
		return out
	}
	out.Pkg, out.PkgName = pkg.Path(), pkg.Name()
	if pkg.Path() == "encoding/json/jsontext" && obj.Name() == "Value" { // this is json.RawMessage, a name that every toolchain has
		out.Pkg, out.PkgName, out.Name = "encoding/json", "json", "RawMessage"
	}
	out.Exported = obj.Exported() && obj.Parent() == pkg.Scope()
	return out
}
