// Package benc is the contender github.com/deneonet/benc in its raw form. It generates, in the
// subject's package, the calls of benc's package std that a careful user would write by hand.
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
	Abilities: contender.Abilities{
		Evolution:     "no; both ends have the same type (code of bencgen would know others)",
		Languages:     "no; Go",
		Maps:          "yes",
		Any:           "no",
		Time:          "nanoseconds; seconds and nanoseconds of their own",
		Deterministic: "no; maps in random order",
		ZeroCopy:      "yes; mode alias",
		Validation:    "no; lengths are believed",
		Streaming:     "no; frames are up to the program",
		Licence:       "MIT",
		Released:      "2025-05-17",
	},
	Adopt: &run.Adopt{Import: "github.com/deneonet/benc/std",
		Manual:  "functions that call bstd for each field of the type, as its README shows",
		Marshal: "bstd.MarshalString(n, b, v.Name) …", Unmarshal: "bstd.UnmarshalString(n, b) …"},
	Plan: gosrc.Plan(refuse),
	Generate: func(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
		s, err := contender.Bind("benc", "zzadapter.New(zzCode)")
		if err != nil {
			return nil, err
		}
		s.Package["zz_benc.go"], err = code(t)
		return s, err
	},
}

var words = gosrc.Plain{Dynamic: "benc has no dynamic values", Lacks: "benc has no form for", Knows: "benc"}

func refuse(t *contender.Target, x *ir.Type) string {
	if reason := words.Refuse(t, x); reason != "" || x.Spellable(t.IR.Path) {
		return reason
	}
	return gosrc.Unnameable
}
