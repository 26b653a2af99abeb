// Package msgp is the contender github.com/tinylib/msgp. Its parser and generator run in this
// process, on a file of declarations that is written from the IR. The generated methods join the
// subject's package.
package msgp

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/gosrc"
)

//go:embed zzmsgpx
var texts embed.FS

// Info is the contender.
var Info = contender.Info{
	Name:    "msgp",
	Family:  "binary",
	Text:    "tinylib/msgp, generated MessagePack code for your type; big numbers as bin, inside any as extensions",
	Modules: contender.Pins("msgp"),
	Abilities: contender.Binary.But(contender.Abilities{
		Languages:     "yes; MessagePack",
		Any:           "yes; as int64, uint64 …",
		Deterministic: "no; mode append-sorted sorts",
		ZeroCopy:      "partly; functions ReadStringZC, ReadBytesZC",
		Streaming:     "yes; EncodeMsg and DecodeMsg",
		Licence:       "MIT",
		Released:      "2026-09-30",
	}),
	Adopt:    &adopt,
	For:      adoptFor,
	Plan:     gosrc.Plan(refuse),
	Generate: generate,
}

func refuse(t *contender.Target, x *ir.Type) string {
	switch x.Kind {
	case ir.Interface, ir.Chan, ir.Func, ir.Unsafe, ir.Uintptr, ir.Invalid:
		return "msgp generates no code for it"
	case ir.Map:
		if !mapKey(x.Key) {
			return "msgp generates no code for this type of map key"
		}
	case ir.Pointer:
		switch x.Elem.Kind {
		case ir.Pointer:
			return "msgp generates no code for pointers to pointers"
		case ir.Map:
			return "msgp's code for pointers to maps does not compile"
		case ir.Array:
			if x.Elem.Elem.Kind != ir.Uint8 {
				return "msgp's code for pointers to arrays does not compile"
			}
		}
	}
	if !x.Spellable(t.IR.Path) {
		return gosrc.Unnameable
	}
	return ""
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
	twins, err := sorted(s.pkg.Name, code)
	if err != nil {
		return nil, err
	}
	out, err := contender.Bind("msgp", fmt.Sprintf("zzadapter.New(func(v *ZZSubject) *%s { return (*%[1]s)(v) }%s)", root, accessor(t)))
	if err != nil {
		return nil, err
	}
	out.Package["zz_msgp.go"], out.Package["zz_msgp_types.go"] = code, types
	if twins != nil {
		out.Package["zz_msgp_sorted.go"] = twins
	}
	return out, contender.AddFolder(out.Module, texts, "zzmsgpx", "zzmsgpx")
}

// accessor returns arguments that tell the adapter how msgp.Locate finds the leaf: the leaf's path,
// then a key for each field and "" for each first element. It returns "" if there is no leaf.
func accessor(t *contender.Target) string {
	if t.Leaf == "" {
		return ""
	}
	args := fmt.Sprintf(", %q", t.Leaf)
	at := t.Root
	for step := range strings.SplitSeq(t.Leaf, ".") {
		name, elems, _ := strings.Cut(step, "[")
		i := slices.IndexFunc(at.Fields, func(f *ir.Field) bool { return f.Name == name })
		if i < 0 {
			return ""
		}
		key, _, ok := member(at.Fields[i], t.IR.Path)
		if !ok {
			return ""
		}
		args += fmt.Sprintf(", %q", key)
		at = value(at.Fields[i].Type)
		for range strings.Count(elems, "0]") {
			args += `, ""`
			at = value(at.Elem)
		}
	}
	return args
}

// value follows pointers to the first type that is not a pointer.
func value(t *ir.Type) *ir.Type {
	for t.Kind == ir.Pointer {
		t = t.Elem
	}
	return t
}
