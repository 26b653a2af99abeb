package contender

import (
	"cmp"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

// measured says which check of a run tells of which capability, and what its
// results yes and no make of it.
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

// detailed takes a check for "yes", or for the value no, with its detail or that of yes.
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

// Measured is a row with what the checks of a run found out in place of what is
// said. Checks that had nothing to tell by change nothing; those of damage count
// where they found some.
func Measured(row []run.Capability, checks []run.Check) []run.Capability {
	row = slices.Clone(row)
	for _, m := range measured {
		for _, c := range checks {
			if c.Name != m.check || c.Result != "yes" && c.Result != "no" && c.Result != "bad" {
				continue // ok or n/a
			}
			i := slices.IndexFunc(row, func(r run.Capability) bool { return r.Name == m.capability })
			if i < 0 {
				continue
			}
			row[i].Value, row[i].Note = m.value(c)
		}
	}
	return row
}
