// Package benc knows github.com/deneonet/benc in its raw form: what a careful user
// writes by hand with the functions of its package std is written into the
// subject's package.
package benc

import (
	"context"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

// Info is the contender.
var Info = contender.Info{
	Name:    "benc",
	Family:  "binary",
	Text:    "deneonet/benc, its raw functions for each field of your type; both ends have the same type",
	Extra:   true,
	Modules: contender.Pins("benc"),
	Adopt: &run.Adopt{Import: "github.com/deneonet/benc/std", Manual: "functions that call bstd for each field of the type, as its README shows",
		Marshal: "bstd.MarshalString(n, b, v.Name) …", Unmarshal: "bstd.UnmarshalString(n, b) …"},
	Plan: plan,
	Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		s, err := contender.Bind("benc", "zzadapter.New(zzCode)")
		if err != nil {
			return nil, err
		}
		s.Package["zz_benc.go"], err = code(t)
		return s, err
	},
}

func plan(t *contender.Target) (why *run.Why) {
	contender.Walk(t, func(v contender.Visit) bool {
		if reason := refuse(t, v.Type); reason != "" {
			why = gosrc.Also(why, gosrc.Skip(t, v, reason, contender.LeaveOut))
		}
		return true
	})
	return why
}

const ownForm = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasMarshalText | ir.HasMarshalTextPtr | ir.HasMarshalBinary | ir.HasMarshalBinaryPtr

func refuse(t *contender.Target, x *ir.Type) string {
	switch x.Kind {
	case ir.Any, ir.Interface:
		return "benc has no dynamic values"
	case ir.Chan, ir.Func, ir.Unsafe, ir.Uintptr, ir.Invalid, ir.Complex64, ir.Complex128, ir.BigInt, ir.BigFloat, ir.BigRat:
		return "benc has no form for it"
	case ir.Struct:
		if x != t.Root && x.Hooks&ownForm != 0 {
			return "it writes itself, which benc does not know"
		}
	}
	if !x.Spellable(t.IR.Path) {
		return "code of this package cannot name it"
	}
	return ""
}
