package contender

import (
	"context"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Reflective is the contender of a codec that works on any type without generated code: i with
// Modules, Generate and, if it has none, Plan. A codec of another family than json leaves fields
// out by the struct tags named; others follow json. See worker.Contender.Tags.
func Reflective(i Info, tags ...string) Info {
	plan, carries, main := Uncarried, binaryKinds, "zzadapter.New[ZZSubject]()"
	if i.Family == "json" {
		plan, carries = NeverCarried, jsonKinds
	} else {
		main += ByTags(tags...)
	}
	i.Modules = Pins(i.Name)
	if i.Plan == nil {
		i.Plan = func(t *Target) *run.Why { return plan(t, carries) }
	}
	i.Generate = func(context.Context, *Target, Tools) (*Sources, error) { return Bind(i.Name, main) }
	return i
}

// Document is the contender of a codec that works on JSON documents instead of values of Go types,
// made of them by its adapter's function Convert. It is shown for what it spares and never ranked,
// since a program that works on its own type has more to do.
func Document(i Info) Info {
	i = Reflective(i)
	i.Extra = true
	i.Generate = func(context.Context, *Target, Tools) (*Sources, error) {
		s, err := Bind(i.Name, "zzadapter.New[ZZSubject]()")
		if err == nil {
			s.Convert = "zzadapter.Convert[ZZSubject]"
		}
		return s, err
	}
	return i
}

// ByTags is what an expression of type worker.Contender ends in whose codec reads other struct
// tags than json.
func ByTags(tags ...string) string {
	var b strings.Builder
	for _, t := range tags {
		fmt.Fprintf(&b, ", %q", t)
	}
	return ".ByTags(" + strings.TrimPrefix(b.String(), ", ") + ")"
}

// LeftOut is a Why for the first part of a type that no value has which JSON can write, or nil.
func LeftOut(t *Target) *run.Why { return Uncarried(t, jsonKinds) }

// jsonKinds says why encoding/json can never carry a value of a type, or "". An interface
// with methods is carried where it is nil, and read where a type around it does that itself:
// the values tell, of this codec and of every other that takes types by reflection.
func jsonKinds(t *ir.Type) string {
	const marshal = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasMarshalText | ir.HasMarshalTextPtr
	if t.Hooks&marshal != 0 {
		return ""
	}
	switch t.Kind {
	case ir.Complex64, ir.Complex128:
		return "JSON has no complex numbers"
	}
	return noWire(t)
}

func binaryKinds(t *ir.Type) string {
	const marshal = ir.HasMarshalBinary | ir.HasMarshalBinaryPtr | ir.HasMarshalText | ir.HasMarshalTextPtr
	if t.Hooks&marshal != 0 {
		return ""
	}
	return noWire(t)
}

func noWire(t *ir.Type) string {
	switch t.Kind {
	case ir.Chan:
		return "a channel has no wire form"
	case ir.Func:
		return "a function has no wire form"
	}
	return ""
}
