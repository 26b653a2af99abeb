package contender

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// CapabilityNames are what every contender's row says, in this order.
var CapabilityNames = []string{
	"evolution",      // a reader of another version of the type still reads
	"cross-language", // other languages have a library for the format
	"maps", "any",
	"time precision",
	"extremes",      // NaN, -0, the largest integers, invalid UTF-8, far times come back, or are refused
	"deterministic", // equal values give equal bytes
	"zero-copy",     // it can read without copying
	"validation",    // what it says of damaged input
	"streaming",     // many values, one after another, over one connection
	"licence", "last release",
}

// Abilities is what documentation and source of a codec say, at the version that is pinned: of each
// capability "value; on what condition". What a run can measure stands there as the codec's own
// claim until it has. "not measured" is what it could do in another configuration than the one that
// its adapter has.
type Abilities struct {
	Evolution, Languages, Maps, Any, Time, Deterministic, ZeroCopy, Validation, Streaming, Licence string

	Released string // the day of the pinned version: 2026-10-29
}

// JSON is what codecs have in common that do what encoding/json does.
var JSON = Abilities{
	Evolution:     "yes; members are known by their names",
	Languages:     "yes; JSON",
	Maps:          "yes; keys become text",
	Any:           "partly; numbers come back as float64",
	Time:          "nanoseconds; RFC 3339 text",
	Deterministic: "yes; keys of maps are sorted",
	ZeroCopy:      "no",
	Validation:    "partly; syntax is checked",
	Streaming:     "yes; Encoder and Decoder",
}

// Binary is what formats without a schema have in common.
var Binary = Abilities{
	Evolution:     "yes; fields are known by their names",
	Maps:          "yes",
	Time:          "nanoseconds",
	Deterministic: "no; maps in random order",
	ZeroCopy:      "no",
	Validation:    "partly; structure",
	Streaming:     "yes; Encoder and Decoder",
}

// But is a with the fields that b has.
func (a Abilities) But(b Abilities) Abilities {
	to := a.fields()
	for i, text := range b.fields() {
		if *text != "" {
			*to[i] = *text
		}
	}
	return a
}

func (a *Abilities) fields() []*string {
	return []*string{&a.Evolution, &a.Languages, &a.Maps, &a.Any, &a.Time, &a.Deterministic,
		&a.ZeroCopy, &a.Validation, &a.Streaming, &a.Licence, &a.Released}
}

// Capabilities is what is known of the contender beside its speed, as its
// documentation has it; [Measured] adds what a run finds out.
func (i *Info) Capabilities() []run.Capability {
	var out []run.Capability
	said, untried := i.Abilities, "n/a; no run has tried"
	said.Released = i.release()
	for n, text := range slices.Insert(said.fields(), slices.Index(CapabilityNames, "extremes"), &untried) {
		value, note, _ := strings.Cut(*text, "; ")
		if value == "" {
			value = "unknown"
		}
		out = append(out, run.Capability{Name: CapabilityNames[n], Value: value, Note: note})
	}
	return out
}

// release is the day of the version that is measured.
func (i *Info) release() string {
	switch {
	case i.Yours():
		return "yours"
	case len(i.Modules) == 0 && i.Family == FamilyFloor:
		return "n/a"
	case len(i.Modules) == 0:
		return cmp.Or(i.Abilities.Released, "with Go; part of the standard library")
	case i.Modules[0].Path == RuntimePath:
		return "none yet; built from this source"
	}
	return i.Abilities.Released + "; " + i.Modules[0].Version
}
