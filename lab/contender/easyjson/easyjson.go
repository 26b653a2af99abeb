// Package easyjson knows github.com/mailru/easyjson. Its generator works by
// reflection on the live type, so it runs inside the subject's package: package
// main, unexported types and instantiated generic ones work, which its command
// line cannot do.
package easyjson

import (
	"context"
	"embed"
	"fmt"
	"go/format"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed adapter generate
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:     "easyjson",
	Family:   "json",
	Text:     "mailru/easyjson, generated code for your type",
	Modules:  []run.Module{{Path: "github.com/mailru/easyjson", Version: "v0.9.2"}},
	Plan:     plan,
	Generate: generate,
}

// plan refuses what easyjson's generator refuses, and interfaces: for those its
// generated code calls encoding/json.
func plan(t *contender.Target) *run.Why {
	return gosrc.Walk(t.Root, []string{"json"}, func(x *ir.Type, at gosrc.Place) (*run.Why, bool) {
		skip := func(reason, next string) (*run.Why, bool) { return at.Skip(t.IR.Path, reason, next), false }
		switch x.Kind {
		case ir.Any:
			if t.AllowFallback {
				return nil, false
			}
			return skip("it would fall back to encoding/json", "-allow-fallback")
		case ir.Time, ir.BigInt, ir.BigFloat, ir.BigRat, ir.RawJSON, ir.Number:
			return nil, false
		}
		if x != t.Root && custom(x) {
			return nil, false
		}
		switch x.Kind {
		case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Complex64, ir.Complex128, ir.Uintptr, ir.Invalid:
			return skip("easyjson generates no code for it", `leave it out with struct tag json:"-"`)
		case ir.Map:
			if !mapKey(x.Key) {
				return skip("easyjson generates no code for this type of map key", "")
			}
		}
		if x != t.Root && x.Name != nil && len(x.Name.Args) > 0 {
			return skip("easyjson misspells instantiated generic types", "")
		}
		return nil, true
	})
}

// custom reports whether the type encodes itself, in which case easyjson calls it.
func custom(t *ir.Type) bool {
	json := t.Hooks.Has(ir.HasMarshalJSONPtr) && t.Hooks.Has(ir.HasUnmarshalJSONPtr)
	text := t.Hooks.Has(ir.HasMarshalTextPtr) && t.Hooks.Has(ir.HasUnmarshalTextPtr)
	return json || text
}

func mapKey(t *ir.Type) bool {
	return t.Kind == ir.String || t.Kind >= ir.Int && t.Kind <= ir.Uint64 || custom(t)
}

// The methods go on a type of our own, of the same fields as the subject, so
// that they meet none of the user's.
const mirror = "package %s\n\ntype zzEasy %s\n"

func generate(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
	const file = "zz_easyjson.go"
	module, err := gosrc.Text(texts, "adapter")
	if err != nil {
		return nil, err
	}
	run, err := gosrc.Text(texts, "generate")
	if err != nil {
		return nil, err
	}
	decl := fmt.Appendf(nil, mirror, t.IR.Name, t.Expr)
	mod := map[string][]byte{"go.mod": module["go.mod"], "go.sum": module["go.sum"]}
	out, err := tools.RunInPackage(ctx, &contender.Sources{
		Package: map[string][]byte{"zz_easy.go": decl},
		Module:  map[string][]byte{"go.mod": mod["go.mod"], "go.sum": mod["go.sum"], "generate/generate.go": run["generate.go"]},
		Imports: []string{fmt.Sprintf("zzgenerate %q", contender.ModulePath+"/generate")},
		Main:    fmt.Sprintf("zzgenerate.Run[zzEasy](%q, %q)", t.IR.Name, file),
	})
	if err != nil {
		return nil, err
	}
	code, err := format.Source(out[file])
	if err != nil {
		return nil, fmt.Errorf("easyjson's generated code does not parse: %w", err)
	}
	mod["adapter/adapter.go"] = module["adapter.go"]
	return &contender.Sources{
		Package: map[string][]byte{"zz_easy.go": decl, file: code},
		Module:  mod,
		Imports: []string{fmt.Sprintf("adapter %q", contender.ModulePath+"/adapter")},
		Main:    "adapter.New(func(v *ZZSubject) *zzEasy { return (*zzEasy)(v) })",
	}, nil
}
