package contender

import (
	"cmp"
	"slices"

	"github.com/zmylab/zmy/lab/run"
)

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

// detailed returns "yes" for a check, or no if its result is "no". The note is the check's detail;
// if a "yes" has none, the note is yes.
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
