package load

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// values lists the constants of an integer type that its package declares, ordered by number. It
// skips the names in directives //zmy:sentinel: they are counts or bounds, which change when
// constants are added.
func values(n *types.Named, dirs []string) (out []ir.Value) {
	var sentinels []string
	for _, d := range dirs {
		if names, ok := strings.CutPrefix(d, "zmy:sentinel "); ok {
			sentinels = append(sentinels, strings.Fields(names)...)
		}
	}
	for _, c := range constants(n) {
		if v, ok := number(c.Val()); ok && !slices.Contains(sentinels, c.Name()) {
			out = append(out, ir.Value{Name: c.Name(), Number: v})
		}
	}
	slices.SortStableFunc(out, func(a, b ir.Value) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// texts lists the values of the constants of a string type.
func texts(n *types.Named) (out []string) {
	for _, c := range constants(n) {
		if c.Val().Kind() == constant.String { // anything else did not type-check
			out = append(out, constant.StringVal(c.Val()))
		}
	}
	return out
}

// constants lists the constants of type n that its package declares, ordered by name. If n is
// exported, it skips unexported constants, which other packages cannot see.
func constants(n *types.Named) (out []*types.Const) {
	pkg := n.Obj().Pkg()
	if pkg == nil || n.Obj().Parent() != pkg.Scope() {
		return nil
	}
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), n) && (c.Exported() || !n.Obj().Exported()) {
			out = append(out, c)
		}
	}
	return out
}

func number(v constant.Value) (int64, bool) {
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return 0, false // it did not type-check
	}
	if n, ok := constant.Int64Val(v); ok {
		return n, true
	}
	n, ok := constant.Uint64Val(v)
	return int64(n), ok
}
