// Package ffjson is the contender github.com/pquerna/ffjson. Its generator works by reflection on
// the live types, so it runs inside the subject's package. Its command line is a program that
// imports the package, which is impossible for package main.
package ffjson

import (
	"context"
	"embed"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
	"github.com/zmylab/zmy/lab/run"
)

//go:embed generate
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:    "ffjson",
	Family:  "json",
	Text:    "pquerna/ffjson, generated code for your type (last changed in 2019)",
	Extra:   true,
	Modules: contender.Pins("ffjson"),
	Abilities: contender.JSON.But(contender.Abilities{
		Any:           "partly; by encoding/json",
		Deterministic: "no; maps in random order",
		Streaming:     "partly; Encoder, Decoder that reads all first",
		Licence:       "Apache-2.0",
		Released:      "2019-09-30",
	}),
	Adopt: &adopt,
	// ffjson runs for every file that declares types of the target, because its code calls
	// encoding/json for types without ffjson's methods.
	For:      func(t *contender.Target) *run.Adopt { return contender.PerFile(adopt, t, "") },
	Plan:     gosrc.Plan(refuse),
	Generate: generate,
}

var adopt = run.Adopt{Install: "go get -tool github.com/pquerna/ffjson@VERSION", Generate: "go tool ffjson FILE",
	Import: "github.com/pquerna/ffjson/ffjson", Marshal: "ffjson.Marshal(&v)", Unmarshal: "ffjson.Unmarshal(b, &v)"}

// hasJSON reports whether the type encodes itself. ffjson then calls its methods.
func hasJSON(x *ir.Type) bool {
	return x.Hooks.Has(ir.HasMarshalJSONPtr) && x.Hooks.Has(ir.HasUnmarshalJSONPtr)
}

const textHooks = ir.HasMarshalText | ir.HasMarshalTextPtr

// refuse returns the reason why ffjson generates no code for a type, or generates code that calls
// encoding/json.
func refuse(t *contender.Target, x *ir.Type) string {
	if x == t.Root && x.Kind != ir.Struct {
		return "ffjson generates code for structs only"
	}
	if x != t.Root && hasJSON(x) {
		return ""
	}
	if x != t.Root && x.Hooks&textHooks != 0 && x.Kind != ir.Struct {
		return "ffjson knows no text methods"
	}
	switch x.Kind {
	case ir.Any, ir.Number:
		return gosrc.Fallback
	case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Complex64, ir.Complex128, ir.Uintptr, ir.Invalid:
		return "ffjson generates no code for it"
	case ir.Pointer:
		if k := x.Elem.Kind; k != ir.Struct && !scalar(x.Elem) {
			return "ffjson's code for such pointers does not compile"
		}
	case ir.Map:
		if x.Key.Kind != ir.String || !scalar(x.Elem) {
			return gosrc.Fallback
		}
	case ir.Slice, ir.Array:
		if e := x.Elem; e.Kind == ir.Slice || e.Kind == ir.Array || e.Kind == ir.Map || e.Kind == ir.Bytes || e.Kind == ir.Struct &&
			!gosrc.Named(e) {
			return gosrc.Fallback
		}
	case ir.Struct:
		if x != t.Root && !methods(t, x) {
			return gosrc.Fallback
		}
	}
	return ""
}

// scalar reports whether the type is a string, a number or a boolean in JSON.
func scalar(x *ir.Type) bool {
	return x.Kind == ir.String || x.Kind == ir.Duration || x.Kind >= ir.Bool && x.Kind <= ir.Float64 && x.Kind != ir.Uintptr
}

// methods reports whether x can have generated methods: it is declared in the subject's package and
// is not an instance of a generic type.
func methods(t *contender.Target, x *ir.Type) bool {
	return x.Kind == ir.Struct && x.Name != nil && x.Name.Pkg == t.IR.Path && len(x.Name.Args) == 0 && x.Hooks&textHooks == 0
}

func generate(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
	// The methods for the subject belong to a type of the lab with the same fields, because some
	// subjects cannot have methods. The structs inside the subject get methods themselves.
	twin, err := gosrc.Twin(t, "zzFF")
	if err != nil {
		return nil, err
	}
	types, err := gosrc.TypeList(t, func(x *ir.Type) bool {
		return methods(t, x) && !hasJSON(x) && (x != t.Root || recursive(t))
	}, "zzFF")
	if err != nil {
		return nil, err
	}
	// Hide renames two methods, because encoding/json would call them and would then no longer be
	// the reference in this worker. ffjson's own functions call other methods.
	g := gosrc.Generator{Codec: "ffjson", Texts: texts, Hide: []string{"MarshalJSON", "UnmarshalJSON"},
		Types: map[string][]byte{"zz_ffjson_type.go": twin}, Lists: map[string][]byte{"zz_ffjson_types.go": types},
		Run: fmt.Sprintf("zzgenerate.Run(%q, %q, zzTypes)", t.IR.Name, "zz_ffjson.go")}
	return g.Sources(ctx, tools, "zzadapter.New(func(v *ZZSubject) *zzFF { return (*zzFF)(v) })")
}

// recursive reports whether the subject contains values of its own type.
func recursive(t *contender.Target) bool {
	for v := range contender.Walk(t) {
		if v.Type.Elem == t.Root || slices.ContainsFunc(v.Type.Fields, func(f *ir.Field) bool { return f.Type == t.Root }) {
			return true
		}
	}
	return false
}
