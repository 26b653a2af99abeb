package check

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/near"
	"github.com/zmylab/zmy/gen/print"
)

// directiveWords are the directives, and what each is for.
var directiveWords = map[string]string{
	"limits":      "structs",
	"lint-ignore": "", // anything
	"reserved":    "structs",
	"sentinel":    "integers with named values",
	"sparse":      "structs",
	"union":       "interfaces",
}

// directives reads the directives of a struct: comments before its declaration,
// and what reflection sees of them, the struct tags of blank fields.
func (c *zmyCheck) directives(z *ir.ZMYType, path string) {
	if z.Type.Name != nil {
		for _, d := range z.Type.Name.Dirs {
			c.directive(z, d, z.Type.Pos, path)
		}
	}
	for _, f := range z.Type.Fields {
		for _, d := range f.Dirs {
			c.known(d, "fields", f.Pos, c.field(f))
		}
		if !isDirective(f) {
			continue
		}
		if f.Type.Kind != ir.Struct || f.Type.Name != nil || len(f.Type.Fields) > 0 {
			c.problem(f.Pos, c.field(f), "write _ struct{}", "a directive stands at a blank field of type struct{}, not %s", print.TypeExprIn(f.Type, c.pkg))
			continue
		}
		c.directive(z, "zmy:"+reflect.StructTag(f.Tag).Get("zmy"), f.Pos, path)
	}
}

// isDirective reports a blank field whose struct tag is a directive, as in
// _ struct{} `zmy:"reserved 4 string"`.
func isDirective(f *ir.Field) bool {
	text := reflect.StructTag(f.Tag).Get("zmy")
	return f.Name == "_" && text != "" && text != "-"
}

func (c *zmyCheck) directive(z *ir.ZMYType, d string, pos ir.Pos, path string) {
	name, args, _ := strings.Cut(d, " ")
	switch {
	case !c.known(d, "structs", pos, path):
	case name == "zmy:reserved":
		c.reserved(z, args, path)
	case name == "zmy:sparse" && args != "":
		c.problem(pos, path, "write //zmy:sparse", "directive //zmy:sparse takes no words, not %q", args)
	case name == "zmy:sparse":
		z.Shape = ir.ZMYSparse
	case name == "zmy:limits":
		c.limits(args, pos, path)
	}
}

// strayDirectives refuses directives of a named type that is no struct, where
// they are not known or not for such a type.
func (c *zmyCheck) strayDirectives(t *ir.Type) {
	if t.Name == nil || t.Kind == ir.Struct {
		return
	}
	what := directiveWords["sentinel"]
	if t.Kind == ir.Interface {
		what = directiveWords["union"]
	} else if !t.Kind.IsInt() && !t.Kind.IsUint() {
		what = "this type"
	}
	for _, d := range t.Name.Dirs {
		c.known(d, what, t.Pos, print.TypeExprIn(t, c.pkg))
	}
}

// known reports whether there is a directive d for what it stands at, and says so
// where there is not.
func (c *zmyCheck) known(d, what string, pos ir.Pos, path string) bool {
	name, _, _ := strings.Cut(d, " ")
	word := strings.TrimPrefix(name, "zmy:")
	is, ok := directiveWords[word]
	if ok && (is == "" || is == what) {
		return true
	}
	if ok {
		c.problem(pos, path, "remove it", "directive //%s is for %s", name, is)
		return false
	}
	words := slices.Sorted(maps.Keys(directiveWords))
	hint := "remove it; there are //zmy:" + strings.Join(words, ", //zmy:")
	if near := near.Names(word, words); len(near) > 0 {
		hint = "did you mean //zmy:" + near[0] + "?"
	}
	c.problem(pos, path, hint, "unknown directive //%s", name)
	return false
}
