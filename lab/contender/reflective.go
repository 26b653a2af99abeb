package contender

import (
	"context"
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/run"
)

// Reflective lists the codecs that work on any type without generated code, in
// table order: the baseline first, then what builds fast.
func Reflective() []Info {
	return []Info{
		reflective("std-json", "json", "encoding/json of the standard library, version 1: the baseline", jsonKinds),
		reflective("goccy", "json", "goccy/go-json", jsonKinds),
		reflective("jsoniter", "json", "json-iterator/go, ConfigCompatibleWithStandardLibrary", jsonKinds),
		reflective("sonic", "json", "bytedance/sonic, ConfigStd (mode fastest: ConfigFastest)", jsonKinds),
		reflective("segmentio", "json", "segmentio/encoding/json", jsonKinds),
		reflective("json-v2", "json", "encoding/json version 2 (go-json-experiment) with version 1's options", jsonKinds),
		byTags(reflective("gob", "binary", "encoding/gob, a new Encoder and Decoder for each message", binaryKinds)),
		unranked("it needs one ordered stream from end to end: a message alone cannot be decoded",
			byTags(reflective("gob-stream", "binary", "encoding/gob as one stream whose types were exchanged before", binaryKinds))),
		byTags(reflective("msgpack", "binary", "vmihailenco/msgpack v5, compact integers", binaryKinds), "msgpack"),
		byTags(reflective("shamaton", "binary", "shamaton/msgpack v2, structs as maps", binaryKinds), "msgpack"),
		byTags(reflective("cbor", "binary", "fxamacker/cbor v2, RFC 3339 times, text for types with text methods", binaryKinds),
			"cbor", "json"),
	}
}

// Experimental lists what the standard library has under an experiment: version 2
// of encoding/json, behind version 1's functions and by itself.
func Experimental() []Info {
	out := []Info{
		reflective("json-v2-std", "json", "encoding/json as GOEXPERIMENT=jsonv2 builds it: version 1's functions on version 2", jsonKinds),
		reflective("json-v2-default", "json", "encoding/json/v2 (GOEXPERIMENT=jsonv2) with its own options, which are not version 1's", jsonKinds),
	}
	for i := range out {
		out[i].Extra, out[i].Env = true, []string{"GOEXPERIMENT=jsonv2"}
	}
	return out
}

// byTags is a codec that leaves fields out by these struct tags; others follow json. See
// worker.Contender.Tags.
func byTags(i Info, tags ...string) Info {
	generate := i.Generate
	i.Generate = func(ctx context.Context, t *Target, tools Tools) (*Sources, error) {
		s, err := generate(ctx, t, tools)
		if err == nil {
			s.Main += ByTags(tags...)
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

func unranked(why string, i Info) Info {
	i.Unranked = why
	return i
}

func reflective(name, family, text string, carries func(*ir.Type) string) Info {
	return Info{
		Name: name, Family: family, Text: text,
		Modules: Pins(name), Adopt: adopt[name],
		Plan: func(t *Target) *run.Why {
			if family == "json" {
				return NeverCarried(t, carries)
			}
			return Uncarried(t, carries)
		},
		Generate: func(context.Context, *Target, Tools) (*Sources, error) {
			return Bind(name, "zzadapter.New[ZZSubject]()")
		},
	}
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
