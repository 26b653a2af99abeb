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
	plan, main := func(t *Target) *run.Why { return uncarried(t, binaryKinds, false, tags) }, "zzadapter.New[ZZSubject]()"
	if i.Family == "json" {
		plan = func(t *Target) *run.Why { return NeverCarried(t, jsonKinds) }
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

// LeftOut returns the reason for the first type below the root that JSON can never write, so that
// values leave it out; or nil.
func LeftOut(t *Target) *run.Why { return Uncarried(t, jsonKinds) }

// jsonKinds says why encoding/json can never carry a value of t, or returns "". Interfaces with
// methods are allowed: a nil one can be written, and a type around it may read it itself. Whether
// values survive is found out with values, for this and all other codecs that use reflection.
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
