package lint

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/internal/zmytype"
)

func noLock(x *pass) {
	if x.old == nil {
		x.add(ir.Pos{}, x.pkg.Path, "run zmy lock", "there is no %s", lock.Name)
	}
}

func staleLock(x *pass) {
	if x.old == nil {
		return
	}
	c, err := gen.Locked(x.pkg, x.old)
	if err != nil { // zmy breaking reports that error
		return
	}
	stale, err := gen.LockFile(x.pkg, c.Next).Stale()
	switch {
	case lock.Breaks(c.Changes):
		x.add(ir.Pos{File: lock.Name}, x.pkg.Path, "see zmy breaking", "messages differ from the record in a way that breaks them")
	case stale && err == nil:
		x.add(ir.Pos{File: lock.Name}, x.pkg.Path, "run zmy lock", "the record is not up to date")
	}
}

// sentinelWords are usual names of constants that count or bound the others. The name of the
// constant's type is removed before the comparison.
var sentinelWords = []string{"num", "max", "min", "count", "last", "first", "end", "sentinel", "total"}

// sentinel judges by its name whether the highest constant of a type is a count or a bound.
func sentinel(x *pass, t *ir.ZMYType) {
	values := t.Type.Values
	if len(values) < 2 || t.Type.Name == nil {
		return
	}
	last := values[len(values)-1]
	name := strings.ToLower(strings.ReplaceAll(last.Name, t.Type.Name.Name, ""))
	if slices.ContainsFunc(sentinelWords, func(w string) bool { return name == w || name == w+"s" }) {
		x.add(t.Type.Pos, t.Type.Name.Name, "if it is a count or a bound: //zmy:sentinel "+last.Name,
			"constant %s = %d is recorded as a value", last.Name, last.Number)
	}
}

// maxWire returns the largest size in bytes of messages with t: the limit in the directive of t, or
// the default.
func maxWire(t *ir.ZMYType) int {
	if n := t.Limits.MaxWire; n > 0 {
		return int(n)
	}
	return zmy.DefaultMaxWire
}

// tooLarge looks for arrays in a field that exceed the limit of a message.
func tooLarge(x *pass, t *ir.ZMYType, f *ir.ZMYField) {
	limit := maxWire(t)
	holds(f.Type, func(z *ir.ZMYType) bool {
		if z.Shape == zmytype.ShapeFixedTail && z.Size+8 > limit {
			x.field(t, f.Field, "split it, or raise MaxWire and say so: //zmy:limits MaxWire=…",
				"it takes %d bytes unless it is zero, messages have at most %d", z.Size, limit)
			return true
		}
		return false
	})
}

// fatList looks for lists and maps whose elements take much more memory than bytes in a message.
func fatList(x *pass, t *ir.ZMYType, f *ir.ZMYField) {
	holds(f.Type, func(z *ir.ZMYType) bool {
		switch z.Shape {
		case zmytype.ShapeDense, zmytype.ShapeList, zmytype.ShapeMap:
		default:
			return false
		}
		if z.Elem.Cost == 0 { // a set
			return false
		}
		wire := leastWire(z.Elem)
		most := zmy.DefaultBudget / z.Elem.Cost
		if zmy.DefaultMaxWire/wire <= most {
			return false
		}
		x.field(t, f.Field, "use a slice in the element in the place of its array, or raise Budget where it is read",
			"more than %d elements are refused by a reader's budget, though they may take %d bytes only: an element takes %d in "+
				"memory and %d in a message", most, most*wire, z.Elem.Cost, wire)
		return true
	})
}

// leastWire returns the least number of bytes that an element takes in a list.
func leastWire(t *ir.ZMYType) int {
	switch {
	case t.Shape == zmytype.ShapeFixed:
		return max(t.Size, 1)
	case t.Shape == zmytype.ShapeStruct && t.Tails == 0:
		return max(t.Scalars, 1)
	case t.Shape == zmytype.ShapeStruct:
		return 2 + t.Scalars + 2*t.Tails
	}
	return 2
}
