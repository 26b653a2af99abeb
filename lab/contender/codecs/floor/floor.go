// Package floor measures the work that no codec can avoid, for comparison with codecs: copying a
// message once and, for a decoded value that shares nothing, the allocations and one copy of its
// text. A floor is not a codec: it knows the values beforehand. It is never ranked.
package floor

import (
	"context"
	"errors"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

// The floors.
var (
	MemcpyInfo = info("floor-memcpy", "floor: one copy of as many bytes as the value has content, nothing else", "NewMemcpy")

	SlabInfo = info("floor-slab", "floor: decoding makes the value's slices, maps and pointers and copies its text once, nothing "+
		"else", "NewSlab")
)

func info(name, text, fn string) contender.Info {
	return contender.Info{
		Name: name, Family: contender.FamilyFloor, Text: text, Extra: true,
		Abilities: contender.Abilities{Evolution: "n/a", Languages: "n/a", Maps: "n/a", Any: "n/a", Time: "n/a", Deterministic: "n/a",
			ZeroCopy:   "n/a",
			Validation: "n/a", Streaming: "n/a", Licence: "Apache-2.0"},
		Plan: gosrc.Plan(refuse),
		Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
			return generate(t, fn)
		},
	}
}

func refuse(t *contender.Target, x *ir.Type) string {
	if x.Kind == ir.Pointer {
		x = x.Elem
	}
	switch x.Kind {
	case ir.Any, ir.Interface:
		return "what an interface holds is not known beforehand"
	case ir.Chan, ir.Func, ir.Unsafe, ir.Invalid:
		return "it has no content"
	case ir.BigInt, ir.BigFloat, ir.BigRat:
		return "how its number is stored is its own affair"
	}
	if !x.Spellable(t.IR.Path) {
		return gosrc.Unnameable
	}
	return ""
}

func generate(t *contender.Target, fn string) (*contender.Sources, error) {
	s, err := contender.Bind("floor", "zzadapter."+fn+"(zzCode)")
	if err != nil {
		return nil, err
	}
	s.Package["zz_floor.go"], err = code(t)
	return s, err
}

// errRoot is the error for a root without functions, which plan excludes.
var errRoot = errors.New("floor: the type has no functions")
