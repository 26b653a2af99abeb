package load

import (
	"go/types"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// SampleFunc finds the package's own function that returns random values of a type. It is a
// package-level function without type parameters, of the form
//
//	func SampleT(r *rand.Rand) T
//
// with rand from math/rand/v2, where T is the type's identifier: SampleOrder for Order. For
// Page[Order] it is SamplePageOrder, or SamplePage if that returns a Page[Order].
func (p *Pkg) SampleFunc(expr string) (name string, ok bool) {
	t, err := p.eval(expr)
	if err != nil {
		return "", false
	}
	return p.sampleOf(t)
}

// SampleName returns the longest name that SampleFunc accepts for a type: SamplePageOrder for
// Page[Order]. It returns "" for a type without a name.
func (p *Pkg) SampleName(expr string) string {
	t, err := p.eval(expr)
	if err != nil {
		return ""
	}
	if names := sampleNames(t); len(names) > 0 {
		return names[0]
	}
	return ""
}

func (p *Pkg) sampleOf(t types.Type) (string, bool) {
	for _, name := range sampleNames(t) {
		if fn, ok := p.types.Scope().Lookup(name).(*types.Func); ok {
			if made := sampled(fn); made != nil && types.Identical(made, t) {
				return name, true
			}
		}
	}
	return "", false
}

// SampleFuncs lists the sample functions of the package's types, at most one for each type. They
// are also called for values of these types inside of other types.
func (p *Pkg) SampleFuncs() []string {
	var names []string
	for _, name := range p.types.Scope().Names() {
		fn, ok := p.types.Scope().Lookup(name).(*types.Func)
		if !ok || !strings.HasPrefix(name, "Sample") {
			continue
		}
		if made := sampled(fn); made != nil {
			if own, ok := p.sampleOf(made); ok && own == name {
				names = append(names, name)
			}
		}
	}
	return slices.Clip(names)
}

// sampled returns T if fn has the form of a sample function, func(*rand.Rand) T. Otherwise it
// returns nil. It does not check the name of fn.
func sampled(fn *types.Func) types.Type {
	sig := fn.Signature()
	if sig.TypeParams().Len() != 0 || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return nil
	}
	ptr, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok || !isNamed(ptr.Elem(), "math/rand/v2", "Rand") {
		return nil
	}
	return sig.Results().At(0).Type()
}

// sampleNames lists the names that a type's sample function may have, the longest first.
func sampleNames(t types.Type) []string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	short := "Sample" + named.Obj().Name()
	if full := "Sample" + idents(named); full != short {
		return []string{full, short}
	}
	return []string{short}
}

// idents joins the identifier of a named type with the identifiers of its type arguments: PageOrder
// for Page[Order] and for Page[*Order].
func idents(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Obj().Name()
		for arg := range t.TypeArgs().Types() {
			name += ir.Title(idents(arg))
		}
		return name
	case *types.Basic:
		return t.Name()
	case interface{ Elem() types.Type }: // pointer, slice, array, map, channel
		return idents(t.Elem())
	}
	return ""
}
