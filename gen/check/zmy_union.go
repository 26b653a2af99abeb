package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
)

// union plans an interface with a directive //zmy:union Circle=1 Square=2: its
// arms are structs of the same package, and no other package can add one.
func (c *zmyCheck) union(z *ir.ZMYType, pos ir.Pos, path string) bool {
	t := z.Type
	switch {
	case t.Name == nil || t.Name.Pkg != c.pkg && len(t.Arms) == 0:
		return c.refuse(t, pos, path, "use an interface of this package with a directive //zmy:union Circle=1 Square=2, which lists its structs")
	case len(t.Arms) == 0:
		return c.refuse(t, pos, path, "list its structs in a directive //zmy:union Circle=1 Square=2")
	}
	z.Shape = ir.ZMYUnion // already now: arms may hold it
	before := len(c.problems)
	name := print.TypeExprIn(t, c.pkg)
	bad := func(hint, format string, args ...any) { c.problem(t.Pos, name, hint, format, args...) }
	if t.Name.Pkg != c.pkg {
		bad("generate it there, or wrap it", "a union of another package")
	}
	if len(t.Name.Args) > 0 {
		bad("name the types of its arms", "a union with type parameters")
	}
	if !slices.ContainsFunc(t.Methods, func(m ir.Method) bool { return !m.Exported }) {
		bad("add a method such as is"+t.Name.Name+"()", "a union needs an unexported method, so that no other package adds an arm")
	}
	for _, m := range t.Methods {
		for _, p := range slices.Concat(m.Params, m.Results) {
			if !p.Spellable(c.pkg) {
				bad("take it out of the interface", "method %s has a type that cannot be written down here", m.Name)
			}
		}
	}
	for _, arm := range t.Arms {
		if a := c.arm(z, arm, bad); a.Type != nil {
			z.Arms = append(z.Arms, a)
		}
	}
	slices.SortFunc(z.Arms, func(a, b ir.ZMYArm) int { return a.Disc - b.Disc })
	return len(c.problems) == before
}

func (c *zmyCheck) arm(z *ir.ZMYType, arm ir.Arm, bad func(hint, format string, args ...any)) (out ir.ZMYArm) {
	name, number, ok := strings.Cut(arm.Text, "=")
	disc, err := strconv.Atoi(number)
	form := "write it as in //zmy:union Circle=1 Square=2"
	switch {
	case !ok || err != nil || disc < 1 || disc > math.MaxUint16:
		bad(form, "bad arm %q: numbers are 1 to 65535", arm.Text)
		return out
	case arm.Type == nil:
		bad(form, "no type %s in the package", name)
		return out
	case !arm.Pointer:
		bad("give it the methods", "arm %s does not implement the interface", name)
		return out
	}
	for _, other := range z.Arms {
		if other.Disc == disc || other.Type.Type == arm.Type {
			bad("give each arm a number of its own", "arm %s stands where %s does", arm.Text, other.Arm.Text)
			return out
		}
	}
	defer c.step("(" + name + ")")()
	t := c.typ(arm.Type, arm.Type.Pos, name)
	if t != nil && !t.IsStruct() {
		bad("wrap it in a struct", "arm %s is not a struct with a form of its own", name)
		return out
	}
	return ir.ZMYArm{Disc: disc, Type: t, Arm: arm}
}

// canonicalUnion writes the arms of a union by number.
func canonicalUnion(s *strings.Builder, t *ir.ZMYType, seen map[*ir.ZMYType]int) {
	s.WriteString("union{")
	for i, a := range t.Arms {
		if i > 0 {
			s.WriteString(",")
		}
		fmt.Fprintf(s, "%d:", a.Disc)
		canonical(s, a.Type, seen)
	}
	s.WriteString("}")
}
