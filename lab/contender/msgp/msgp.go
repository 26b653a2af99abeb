// Package msgp knows github.com/tinylib/msgp: its parser and generator run in
// this process on a file of declarations written from the IR, and the methods
// they make join the subject's package.
package msgp

import (
	"context"
	"embed"
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed adapter zzmsgpx
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:     "msgp",
	Family:   "binary",
	Text:     "tinylib/msgp, generated MessagePack code for your type; big numbers as bin, inside any as extensions",
	Modules:  []run.Module{{Path: "github.com/tinylib/msgp", Version: "v1.6.5"}},
	Plan:     plan,
	Generate: generate,
}

func plan(t *contender.Target) *run.Why {
	return gosrc.Walk(t.Root, []string{"json"}, func(x *ir.Type, at gosrc.Place) (*run.Why, bool) {
		skip := func(reason string) (*run.Why, bool) {
			return at.Skip(t.IR.Path, reason, `leave it out with struct tag json:"-"`), false
		}
		switch x.Kind {
		case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Uintptr, ir.Invalid:
			return skip("msgp generates no code for it")
		case ir.Time, ir.BigInt, ir.BigFloat, ir.BigRat, ir.RawJSON, ir.Number:
			return nil, false
		case ir.Map:
			if !mapKey(x.Key) {
				return skip("msgp generates no code for this type of map key")
			}
		case ir.Pointer:
			if x.Elem.Kind == ir.Pointer {
				return skip("msgp generates no code for pointers to pointers")
			}
		}
		if !x.Spellable(t.IR.Path) {
			return skip("code of this package cannot name it")
		}
		return nil, !opaque(x)
	})
}

func mapKey(t *ir.Type) bool {
	return t.Kind == ir.String || t.Kind >= ir.Int && t.Kind <= ir.Uint64 && (t.Name == nil || t.Name.Pkg == "")
}

func generate(_ context.Context, t *contender.Target, _ contender.Tools) (*contender.Sources, error) {
	s, root := newScratch(t.IR, t.Root)
	code, err := methods(s)
	if err != nil {
		return nil, err
	}
	types, err := s.types.Bytes()
	if err != nil {
		return nil, err
	}
	module, err := gosrc.Text(texts, "adapter")
	if err != nil {
		return nil, err
	}
	support, err := gosrc.Text(texts, "zzmsgpx")
	if err != nil {
		return nil, err
	}
	out := &contender.Sources{
		Package: map[string][]byte{"zz_msgp.go": code, "zz_msgp_types.go": types},
		Module:  map[string][]byte{"go.mod": module["go.mod"], "go.sum": module["go.sum"], "adapter/adapter.go": module["adapter.go"]},
		Imports: []string{fmt.Sprintf("adapter %q", contender.ModulePath+"/adapter")},
		Main:    fmt.Sprintf("adapter.New(func(v *ZZSubject) *%s { return (*%[1]s)(v) })", root),
	}
	for name, src := range support {
		out.Module["zzmsgpx/"+name] = src
	}
	return out, nil
}
