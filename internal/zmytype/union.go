package zmytype

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An arm's number is part of messages, so it is written down: in the directive, or in zmy.lock if
// it is derived. Arms that are gone keep their numbers. If there is no directive, every type that
// implements the interface must be able to be an arm. Otherwise a program could have a value that
// no message can carry.

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

// sealed says whether an interface without a directive is a union. It is used if numbers are
// derived.
type sealed[T comparable] struct {
	arms []Arm[T] // empty if it is not a union
	why  string   // why it is not a union: "its type Name is no struct"
}

// arms returns the arms of a union. They are listed in the interface's directive. If numbers are
// derived, an interface without a directive has all types of the package that implement it as arms.
// It is a union only if each of them can be an arm, since a message with any other type could not
// be written.
func (c *compiler[T, F]) arms(t T) []Arm[T] {
	if arms := c.src.Arms(t); len(arms) > 0 || !c.opt.Derive || !c.src.IsLocal(t) {
		return arms
	}
	if s := c.sealed[t]; s != nil {
		return s.arms
	}
	all, why := c.src.Implementers(t)
	s := &sealed[T]{arms: all, why: why}
	c.sealed[t] = s // set before the arms are examined, which may contain the interface
	for _, arm := range all {
		if s.why == "" {
			s.why = c.unarmed(arm)
		}
	}
	if s.why == "" && len(all) == 0 {
		s.why = "no type of the package implements it"
	}
	if s.why != "" {
		s.arms = nil
		if was := c.recorded(t); len(was) > 0 {
			c.problem(place[T, F]{typ: t}, "it was one of "+listed(was)+", which messages have", "it is no union any more: %s", s.why)
		}
	}
	return s.arms
}

// unarmed says why a type that implements an interface cannot be an arm. It returns "" if it can.
func (c *compiler[T, F]) unarmed(arm Arm[T]) string {
	var none T
	switch t := arm.Type; {
	case t == none:
		return "its type " + arm.Text + " has type parameters, so that its instances are not known"
	case c.src.KindOf(t) != Struct:
		return "its type " + arm.Text + " is no struct; wrap it in one"
	case c.ownForm(t) || c.asJSON(t):
		return "its type " + arm.Text + " has a form of its own, by its methods; wrap it in a struct"
	case c.carriesNothing(t):
		return "its type " + arm.Text + " has no fields that are carried"
	}
	return ""
}

func (c *compiler[T, F]) recorded(t T) []Record {
	if c.opt.Recorded == nil {
		return nil
	}
	return c.opt.Recorded(t)
}

// numberArms numbers the arms of a union without a directive, as [compiler.derivation] numbers the
// fields of a struct. It adds a note that says which arms have which numbers.
func (c *compiler[T, F]) numberArms(z *Type[T, F], arms []Arm[T]) []Arm[T] {
	d := c.derivation(z.Type)
	d.next = max(d.next, 1)
	out := slices.Clone(arms)
	var now []Record
	var values []string
	for i, arm := range arms {
		n := d.number(arm.Text)
		out[i].Text = fmt.Sprintf("%s=%d", arm.Text, n)
		now = append(now, Record{Number: n, Name: arm.Text})
		if arm.Value {
			values = append(values, "*"+arm.Text)
		}
	}
	for _, r := range d.recorded {
		if !d.used[r.Number] {
			z.Gone = append(z.Gone, r)
		}
	}
	why := "is a union of the structs that implement it: " + listed(now)
	if len(z.Gone) > 0 {
		why += "; " + listed(z.Gone) + stays(z.Gone) + " reserved; to rename an arm, rename it in zmy.lock too"
	}
	if len(values) > 0 {
		why += "; pointers in it, " + strings.Join(values, " or ") + ", come back as structs"
	}
	c.plan.Notes = append(c.plan.Notes, Note[T, F]{Owner: z.Type, Part: true, Why: why})
	return out
}

// listed returns arms in the notation of a directive //zmy:union.
func listed(arms []Record) string {
	words := make([]string, len(arms))
	slices.SortFunc(arms, func(a, b Record) int { return a.Number - b.Number })
	for i, r := range arms {
		words[i] = fmt.Sprintf("%s=%d", r.Name, r.Number)
	}
	return strings.Join(words, " ")
}

func stays(arms []Record) string {
	if len(arms) == 1 {
		return " stays"
	}
	return " stay"
}
