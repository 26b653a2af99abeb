// Package mus is the contender github.com/mus-format/mus-go, with the code that its generator
// musgen writes. The generator works by reflection on the live types, so it runs inside the
// subject's package.
package mus

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

//go:embed generate
var texts embed.FS

// Info is the contender. Its options are those that mus-go's documentation calls the fastest
// without side effects: package unsafe for numbers, but copies of strings and bytes. Mode alias
// uses package unsafe for these too. Times are nanoseconds in UTC.
var Info = contender.Info{
	Name:    "mus",
	Family:  "binary",
	Text:    "mus-format/mus-go, code of musgen for your type, numbers at full width; times in nanoseconds",
	Extra:   true,
	Modules: contender.Pins("mus"),
	Abilities: contender.Abilities{
		Evolution:     "partly; a new type beside the old one, by its number in front",
		Languages:     "no; Go",
		Maps:          "yes",
		Any:           "no; interfaces name their types",
		Time:          "nanoseconds; an option",
		Deterministic: "no; maps in random order",
		ZeroCopy:      "yes; mode alias",
		Validation:    "partly; lengths, and validators",
		Streaming:     "partly; module mus-stream-go",
		Licence:       "MIT",
		Released:      "2025-10-26",
	},
	Plan:     gosrc.PlanNext(refuse, advice),
	Generate: generate,
}

// mistaken is the start of the reason that fields returns for the order of a struct's fields.
const mistaken = "musgen mistakes the options of the fields after "

func advice(reason string) string {
	switch {
	case strings.HasPrefix(reason, mistaken):
		return "move the fields that are left out to the end of the struct, or leave this contender out"
	case reason == taken:
		return "rename the type, or leave this contender out"
	}
	return contender.LeaveOut
}

const taken = "musgen's code has a variable of that name"

var plain = gosrc.Plain{Dynamic: "musgen needs to know every type that an interface may hold",
	Lacks: "musgen generates no code for", Knows: "musgen"}

func refuse(t *contender.Target, x *ir.Type) string {
	if x.Kind == ir.Struct && !gosrc.Named(x) {
		return plain.Lacks + " structs without a name"
	}
	if reason := cmp.Or(plain.Refuse(t, x), plain.RefusePointer(x)); reason != "" {
		return reason
	}
	if x.Name != nil && len(x.Name.Args) > 0 {
		return "musgen takes no instantiated generic types here"
	}
	switch x.Kind {
	case ir.Time:
		return ""
	case ir.Struct:
		return fields(t, x)
	}
	if x.Name != nil && slices.Contains(locals, x.Name.Name) {
		return taken
	}
	if x == t.Root && !gosrc.Named(x) {
		return "musgen generates code for types with a name only"
	}
	if !x.Spellable(t.IR.Path) {
		return gosrc.Unnameable
	}
	return ""
}

// locals are the names of variables in generated code. A type with such a name would be hidden by
// the variable.
var locals = strings.Fields("b bs err n n1 s size tmp v")

// fields returns a reason to refuse a struct, or "". One reason is that a field which is left out
// comes before a field which is kept: musgen would then apply the options of one field to another.
func fields(t *contender.Target, x *ir.Type) string {
	out := ""
	for _, f := range x.Fields {
		switch kept := kept(f); {
		case kept && out != "":
			return mistaken + out + ", which is left out"
		case kept && !f.Usable(t.IR.Path):
			return "code of this package cannot name its field " + f.Name
		case !kept:
			out = f.Name
		}
	}
	return ""
}

func kept(f *ir.Field) bool {
	return (f.Exported || f.Embedded && f.Type.Kind == ir.Struct) && !contender.Ignored(f)
}

func generate(ctx context.Context, t *contender.Target, tools contender.Tools) (*contender.Sources, error) {
	// Every named type gets serializers, the root's first.
	types, err := gosrc.TypeList(t, func(x *ir.Type) bool { return gosrc.Named(x) && x.Kind != ir.Time })
	if err != nil {
		return nil, err
	}
	g := gosrc.Generator{Codec: "mus", Texts: texts, Lists: map[string][]byte{"zz_mus_types.go": types},
		Run: fmt.Sprintf("zzgenerate.Run(%q, zzTypes, %q, %q)", t.IR.Name, "zz_mus.go", "zz_mus_alias.go")}
	// ZZS0MUS and ZZA0MUS are serializers of the root. generate.go gives musgen the names without
	// MUS.
	return g.Sources(ctx, tools, "zzadapter.New[ZZSubject](ZZS0MUS, ZZA0MUS)")
}
