package zmytype

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// union plans an interface with a directive such as //zmy:union Circle=1 Square=2. Its arms are
// structs of the same package, and no other package can add one.
func (c *compiler[T, F]) union(z *Type[T, F], at place[T, F]) bool {
	t := z.Type
	arms := c.arms(t)
	switch {
	case c.opt.Blind:
		c.refuse(t, at, "generate code for the type around it with zmy gen, which reads the directive //zmy:union at the interface")
		p := &c.problems[len(c.problems)-1]
		p.Msg = "interface " + c.src.Name(t) + " needs generated code: reflection does not see the arms of a union"
		p.Generator = true
		return false
	case len(arms) == 0 && !c.src.IsLocal(t):
		return c.refuse(t, at, "use an interface of this package with a directive //zmy:union Circle=1 Square=2, which lists its structs")
	case len(arms) == 0:
		return c.refuse(t, at, "list its structs in a directive //zmy:union Circle=1 Square=2")
	}
	z.Shape = ShapeUnion // set before the arms are planned, which may contain the interface
	before := len(c.problems)
	bad := func(hint, format string, args ...any) { c.problem(place[T, F]{typ: t}, hint, format, args...) }
	if !c.src.IsLocal(t) {
		bad("generate it there, or wrap it", "a union of another package")
	}
	if c.opt.Union != nil {
		c.opt.Union(t, bad)
	}
	if len(c.src.Arms(t)) == 0 {
		arms = c.numberArms(z, arms)
	}
	for _, arm := range arms {
		if a := c.arm(z, arm, bad); a.Type != nil {
			z.Arms = append(z.Arms, a)
		}
	}
	slices.SortFunc(z.Arms, func(a, b UnionArm[T, F]) int { return a.Disc - b.Disc })
	return len(c.problems) == before
}

func (c *compiler[T, F]) arm(z *Type[T, F], arm Arm[T], bad func(hint, format string, args ...any)) (out UnionArm[T, F]) {
	name, number, ok := strings.Cut(arm.Text, "=")
	disc, err := strconv.Atoi(number)
	form := "write it as in //zmy:union Circle=1 Square=2"
	var none T
	switch {
	case !ok || err != nil || disc < 1 || disc > math.MaxUint16:
		bad(form, "bad arm %q: numbers are 1 to 65535", arm.Text)
		return out
	case arm.Type == none:
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
	c.step("", "("+name+")")
	defer c.back()
	t := c.typ(arm.Type, place[T, F]{typ: arm.Type, depth: len(c.trail)})
	if t != nil && !t.IsStruct() {
		bad("wrap it in a struct", "arm %s is not a struct with a form of its own", name)
		return out
	}
	return UnionArm[T, F]{Disc: disc, Type: t, Arm: arm}
}
