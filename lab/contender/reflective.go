package contender

import (
	"context"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Reflective completes the Info of a codec that works on any type without generated code: it sets
// Modules, Generate and, if nil, Plan. tags are the struct tags by which a codec outside family
// json leaves out fields; codecs of that family follow json. See worker.Contender.Tags.
func Reflective(i Info, tags ...string) Info {
	plan, main := func(t *Target) *run.Why { return uncarried(t, binaryKinds, false, tags...) }, "zzadapter.New[ZZSubject]()"
	if i.Family == "json" {
		// Codecs of this family refuse a channel only in a value that contains one. A type with
		// channels may be carried, since a list of structs with channels may be empty.
		plan = func(t *Target) *run.Why { return uncarried(t, jsonKinds, true) }
	} else {
		main += ByTags(tags...)
	}
	i.Modules = Pins(i.Name)
	if i.Plan == nil {
		i.Plan = plan
	}
	i.Generate = func(context.Context, *Target, Tools) (*Sources, error) { return Bind(i.Name, main) }
	return i
}

// Document completes the Info of a codec that works on JSON documents instead of Go values. Its
// adapter's function Convert makes a document from each value. The row shows what working without a
// Go type saves. It is never ranked, since a program with its own type has more to do.
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

// ByTags returns the end of a worker.Contender expression for a codec that reads struct tags other
// than json.
func ByTags(tags ...string) string {
	var b strings.Builder
	for _, t := range tags {
		fmt.Fprintf(&b, ", %q", t)
	}
	return ".ByTags(" + strings.TrimPrefix(b.String(), ", ") + ")"
}

// Unavailable completes the Info of a codec that belongs in the table but could not be downloaded
// at its current version on the given day. Its row says so and names the command that was refused.
func Unavailable(i Info, module, version, day string) Info {
	i.Extra = true
	i.Plan = func(*Target) *run.Why {
		return &run.Why{
			What:   "skipped: it is not in the lab: it could not be had when this version was made",
			Reason: "`go list -m " + module + "@" + version + "` was refused (403 Forbidden) on " + day,
			Next:   "where it can be had: zmy lab -contender DIR, a package of yours that calls it (docs/guide/contender.md)",
		}
	}
	return i
}

// LeftOut returns why JSON can never write some type below the root, or nil. The lab's values do
// not contain such types.
func LeftOut(t *Target) *run.Why { return uncarried(t, jsonKinds, false) }

// uncarried returns the reasons why a codec that works by reflection cannot carry the target, or
// nil. The codec leaves fields out by the given struct tags, by json's if there are none. firm
// restricts it to types that are part of every value: pointers, slices and maps may be nil, and the
// run tests with values whether their contents survive.
func uncarried(t *Target, carries func(*ir.Type) string, firm bool, tags ...string) *run.Why {
	if len(tags) == 0 {
		tags = jsonTag
	}
	next := fmt.Sprintf(`leave it out with struct tag %s:"-", or give its type marshal methods`, tags[0])
	return walk{firm: firm, tags: tags}.refusals(t, func(v Visit) *run.Why {
		if reason := carries(v.Type); reason != "" {
			return v.Refuse(t, reason, next)
		}
		return nil
	})
}

// jsonKinds says why encoding/json can never carry a value of t, or returns "". Interfaces with
// methods are allowed: a nil one can be written, and a type around it may read it itself. For all
// codecs that use reflection, the run tests with values whether they survive.
func jsonKinds(t *ir.Type) string {
	const marshal = ir.HasMarshalJSON | ir.HasMarshalJSONPtr | ir.HasMarshalText | ir.HasMarshalTextPtr
	switch {
	case t.Hooks&marshal != 0:
		return ""
	case t.Kind == ir.Complex64, t.Kind == ir.Complex128:
		return "JSON has no complex numbers"
	}
	return noWire[t.Kind]
}

func binaryKinds(t *ir.Type) string {
	const marshal = ir.HasMarshalBinary | ir.HasMarshalBinaryPtr | ir.HasMarshalText | ir.HasMarshalTextPtr
	if t.Hooks&marshal != 0 {
		return ""
	}
	return noWire[t.Kind]
}

var noWire = map[ir.Kind]string{ir.Chan: "a channel has no wire form", ir.Func: "a function has no wire form"}
