package contender

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// CapabilityNames lists the capabilities in the row of each contender, in the order of the row.
var CapabilityNames = []string{
	"evolution",      // a reader can use another version of the type
	"cross-language", // other languages have a library for the format
	"maps", "any",
	"time precision",
	"extremes",      // NaN, -0, the largest integers, invalid UTF-8 and distant years survive, or are refused
	"deterministic", // equal values give equal bytes
	"zero-copy",     // it can read without copying
	"validation",    // how damaged input is treated
	"streaming",     // many values can follow each other over one connection
	"licence", "last release",
}

// Abilities states a codec's capabilities at the pinned version, taken from its documentation and
// source. Each field is "value; condition". A capability that a run can measure holds the codec's
// claim until it was measured. "not measured" marks what the codec offers only in a configuration
// that its adapter does not use.
type Abilities struct {
	Evolution, Languages, Maps, Any, Time, Deterministic, ZeroCopy, Validation, Streaming, Licence string

	Released string // date of the pinned version: 2026-10-29
}

// JSON is the common part of Abilities of codecs that behave as encoding/json does.
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

// Binary is the common part of Abilities of binary formats without a schema.
var Binary = Abilities{
	Evolution:     "yes; fields are known by their names",
	Maps:          "yes",
	Time:          "nanoseconds",
	Deterministic: "no; maps in random order",
	ZeroCopy:      "no",
	Validation:    "partly; structure",
	Streaming:     "yes; Encoder and Decoder",
}

// But returns a copy of a in which each non-empty field of b replaces that of a.
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

// Capabilities returns the contender's row as its documentation states it. [Measured] replaces
// values by results of a run.
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

// release returns the release date of the version that is measured.
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

// measured lists the checks of a run that decide a capability. value turns the result of a check
// into the value and note of the row.
var measured = []struct {
	check, capability string
	value             func(c run.Check) (value, note string)
}{
	{"equal values give equal bytes", "deterministic", func(c run.Check) (string, string) {
		return c.Result, "measured on maps of these values"
	}},
	{"times keep nanoseconds", "time precision", func(c run.Check) (string, string) { return c.Detail, "measured" }},
	{"extreme values come back", "extremes", func(c run.Check) (string, string) { return detailed(c, "no", "") }},
	{"integers in interfaces stay integers", "any", func(c run.Check) (string, string) {
		return detailed(c, "partly", "an int comes back as int")
	}},
	{"truncated input is an error", "validation", func(c run.Check) (string, string) {
		if c.Result == "bad" {
			return "no", "measured: a message that is cut short makes it panic"
		}
		return "partly", "measured: " + c.Detail
	}},
	{"flipped bits never panic", "validation", func(c run.Check) (string, string) {
		return "no", "measured: flipped bits make it panic"
	}},
}

// detailed returns the value and the note for a check. The value is the argument no if the check's
// result is "no", else "yes". The note is the check's detail. For a "yes" without a detail it is
// the argument yes.
func detailed(c run.Check, no, yes string) (value, note string) {
	detail := cmp.Or(c.Detail, yes)
	if c.Result == "no" {
		return no, "measured: " + c.Detail
	}
	if detail == "" {
		return "yes", "measured"
	}
	return "yes", "measured: " + detail
}

// Measured returns the row with the results of checks in place of the documentation's claims. A
// check whose result is neither "yes", "no" nor "bad" changes nothing.
func Measured(row []run.Capability, checks []run.Check) []run.Capability {
	row = slices.Clone(row)
	for _, m := range measured {
		for _, c := range checks {
			if c.Name == m.check && slices.Contains([]string{"yes", "no", "bad"}, c.Result) { // "ok" and "n/a" decide nothing
				i := slices.Index(CapabilityNames, m.capability)
				row[i].Value, row[i].Note = m.value(c)
			}
		}
	}
	return row
}
