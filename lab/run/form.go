package run

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Form is one kind of change of form: the value came back equal, but not spelled as it was.
type Form struct {
	What   string // the kind in words: "empty slices to nil"; "" if the texts fit no kind
	Path   string // the first place that shows it
	Before string
	After  string
	Count  int // values of the run that showed it; 0: only values that the lab made for the purpose
}

// Forms returns the changes of form that g notes, each kind once: those of the run's values before
// those of extreme values.
func (g Grade) Forms() []Form {
	var out []Form
	add := func(f Form) {
		f.What = formOf(f.Before, f.After)
		if !slices.ContainsFunc(out, func(x Form) bool { return x.Key() == f.Key() }) {
			out = append(out, f)
		}
	}
	for _, d := range g.Diffs {
		if d.Kind == EdgeNormalised {
			add(Form{Path: d.Path, Before: d.Before, After: d.After, Count: d.Count})
		}
	}
	for _, e := range g.Edges {
		if e.Result == EdgeNormalised {
			add(Form{Path: e.Path, Before: e.Before, After: e.After})
		}
	}
	return out
}

// Key is equal for changes of one kind.
func (f Form) Key() string {
	if f.What != "" {
		return f.What
	}
	return f.Example()
}

// Example returns the change as first seen: "Items: empty → nil".
func (f Form) Example() string { return f.Path + ": " + f.Before + " → " + f.After }

// The kinds of Form, and the beginnings of texts that tell them apart. Package fidelity writes these texts.
const (
	formZoneUTC    = "time zones to UTC"
	formZoneLocal  = "time zones to the local one"
	formZoneOffset = "time zones to bare offsets"
	formNumbers    = "spelling of numbers"
	formRaw        = "spelling of raw JSON"
	formIntegers   = "types of integers in any"
	formPointers   = "pointers in any to their targets"
	formPrecision  = "precision of big.Float"
)

// formOf returns the kind of a change of form, or "".
func formOf(before, after string) string {
	list := func(s string) bool { return s == "empty" || strings.HasSuffix(s, " empty") }
	dict := func(s string) bool { return strings.HasPrefix(s, "map[") && strings.HasSuffix(s, " (0 keys)") }
	switch {
	case after == "nil" && list(before):
		return "empty slices to nil"
	case after == "nil" && dict(before):
		return "empty maps to nil"
	case before == "nil" && list(after):
		return "nil slices to empty ones"
	case before == "nil" && dict(after):
		return "nil maps to empty ones"
	case strings.Contains(before, " (precision ") && strings.Contains(after, " (precision "):
		return formPrecision
	}
	if zone := zoneForm(before, after); zone != "" {
		return zone
	}
	if typed := typedForm(before, after); typed != "" {
		return typed
	}
	raw := func(s string) bool { return s == "nil" || json.Valid([]byte(s)) }
	if before != after && raw(before) && raw(after) {
		if strings.Trim(before+after, "+-.0123456789eE") == "" {
			return formNumbers
		}
		return formRaw
	}
	return ""
}

// zoneForm returns the kind of a change between two spellings of one instant, or "".
func zoneForm(before, after string) string {
	x, _, _ := strings.Cut(before, " ")
	y, zone, _ := strings.Cut(after, " ")
	a, err := time.Parse(time.RFC3339Nano, x)
	b, wrong := time.Parse(time.RFC3339Nano, y)
	if err != nil || wrong != nil {
		return ""
	}
	_, from := a.Zone()
	_, to := b.Zone()
	switch {
	case zone == "Local":
		return formZoneLocal
	case from == to && !strings.HasSuffix(y, "Z"):
		return formZoneOffset
	case strings.HasSuffix(y, "Z"):
		return formZoneUTC
	}
	return formZoneLocal
}

// typedForm returns the kind of a change between two types in an any, or "".
func typedForm(before, after string) string {
	from, x, typed := strings.Cut(before, " ")
	to, y, too := strings.Cut(after, " ")
	integer := func(t string) bool { return strings.HasPrefix(strings.TrimPrefix(t, "u"), "int") }
	switch {
	case !typed || !too:
		return ""
	case integer(to) && (integer(from) || strings.Contains(from, ".")):
		return formIntegers
	case x == y && (from == "*"+to || to == "*"+from):
		return formPointers
	}
	return ""
}
