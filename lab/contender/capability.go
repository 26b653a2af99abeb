package contender

import (
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

// abilities is a contender's row but for its release: "value; on what condition".
type abilities struct {
	evolution, languages, maps, any, time, deterministic, zeroCopy, validation, streaming, licence string
}

func (a *abilities) list() []string {
	return []string{a.evolution, a.languages, a.maps, a.any, a.time, untried, a.deterministic, a.zeroCopy, a.validation, a.streaming, a.licence}
}

// untried stands for what only a run tells.
const untried = "n/a; no run has tried"

// Capabilities is what is known of the contender beside its speed, as its
// documentation has it; [Measured] adds what a run finds out.
func (i *Info) Capabilities() []run.Capability {
	row := known[strings.TrimSuffix(i.Name, "-native")]
	if row == nil { // a codec of the user's
		row = &abilities{}
	}
	var out []run.Capability
	for n, text := range append(row.list(), i.release()) {
		value, note, _ := strings.Cut(text, "; ")
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
		if day := released[strings.TrimSuffix(i.Name, "-native")]; day != "" {
			return day
		}
		return "with Go; part of the standard library"
	case i.Modules[0].Path == RuntimePath:
		return "none yet; built from this source"
	}
	m := i.Modules[0]
	return released[m.Path] + "; " + m.Version
}
