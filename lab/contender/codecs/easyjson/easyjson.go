// Package easyjson is the contender github.com/mailru/easyjson. Its generator works by reflection
// on the live type, so it runs inside the subject's package. There it can handle package main,
// unexported types and instances of generic types, which its command line cannot.
package easyjson

import (
	"context"
	"embed"
	"fmt"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed generate
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:    "easyjson",
	Family:  "json",
	Text:    "mailru/easyjson, generated code for your type",
	Modules: contender.Pins("easyjson"),
	Abilities: contender.JSON.But(contender.Abilities{
		Any:           "partly; by encoding/json",
		Deterministic: "no; maps in random order",
		ZeroCopy:      "partly; field tag nocopy, not measured",
		Streaming:     "no; whole values",
		Licence:       "MIT",
		Released:      "2026-03-14",
	}),
	Adopt: &adopt,
	// easyjson runs for the root's file only, because its code includes functions for all other
	// structs.
	For:      func(t *contender.Target) *run.Adopt { return contender.PerFile(adopt, t, t.Root.Pos.File) },
	Plan:     gosrc.Plan(refuse),
	Generate: generate,
}

var adopt = run.Adopt{Install: "go get -tool github.com/mailru/easyjson/easyjson@VERSION",
	Generate: "go tool easyjson -all FILE",
	Import:   "github.com/mailru/easyjson", Marshal: "easyjson.Marshal(v)", Unmarshal: "easyjson.Unmarshal(b, &v)"}

// refuse returns the reason why easyjson's generator refuses a type. For values of type any the
// reason is that the generated code calls encoding/json.
func refuse(t *contender.Target, x *ir.Type) string {
	if x != t.Root && custom(x) {
		return ""
	}
	if x == t.Root && (x.Kind >= ir.Bool && x.Kind <= ir.String || x.Kind == ir.Pointer || x.Kind == ir.Duration || x.Kind == ir.Number) {
		return "easyjson generates code for structs, lists and maps only"
	}
	switch x.Kind {
	case ir.Any:
		return gosrc.Fallback
	case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Complex64, ir.Complex128, ir.Uintptr, ir.Invalid:
		return "easyjson generates no code for it"
	case ir.Map:
		if !mapKey(x.Key) {
			return "easyjson generates no code for this type of map key"
		}
	case ir.Pointer:
		if e := x.Elem; e.Kind == ir.Array && e.Elem.Kind == ir.Uint8 {
			return "easyjson's code for pointers to arrays of bytes does not compile"
		}
	}
	if x != t.Root && x.Name != nil && len(x.Name.Args) > 0 {
		return "easyjson misspells instantiated generic types"
	}
	return ""
}

// custom reports whether the type encodes itself. easyjson then calls its methods.
func custom(t *ir.Type) bool {
	json := t.Hooks.Has(ir.HasMarshalJSONPtr) && t.Hooks.Has(ir.HasUnmarshalJSONPtr)
	text := t.Hooks.Has(ir.HasMarshalTextPtr) && t.Hooks.Has(ir.HasUnmarshalTextPtr)
	return json || text
}

func mapKey(t *ir.Type) bool {
	return t.Kind == ir.String || t.Kind >= ir.Int && t.Kind <= ir.Uint64 || custom(t)
}

func generate(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
	// The generated methods belong to a type of the lab that has the subject's fields. So they
	// cannot collide with the user's methods.
	twin, err := gosrc.Twin(t, "zzEasy")
	if err != nil {
		return nil, err
	}
	g := gosrc.Generator{Codec: "easyjson", Texts: texts, Types: map[string][]byte{"zz_easyjson_type.go": twin},
		Run: fmt.Sprintf("zzgenerate.Run[zzEasy](%q, %q)", t.IR.Name, "zz_easyjson.go")}
	return g.Sources(ctx, tools, "zzadapter.New(func(v *ZZSubject) *zzEasy { return (*zzEasy)(v) })")
}
