package compat

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Statuses of a type.
const (
	Same     = "same"
	Differs  = "DIFFERS"
	NotTried = "untested"
)

// Result is what was found, in the order in which the types were named.
type Result struct {
	Schema string  `json:"schema"` // SchemaName
	From   string  `json:"from"`   // the first side, for people
	To     string  `json:"to"`
	Seed   uint64  `json:"seed"`
	Types  []*Type `json:"types"`
}

// SchemaName names the form of Result as JSON.
const SchemaName = "zmy.compat.v1"

// Type is what was found about one type.
type Type struct {
	Name        string       `json:"name"`    // order.Order
	Package     string       `json:"package"` // import path
	Status      string       `json:"status"`
	Tried       int          `json:"tried"`  // values written and documents read by both sides
	Values      int          `json:"values"` // values among them
	Differences []Difference `json:"differences,omitempty"`
	Untested    []Untested   `json:"untested,omitempty"`
	Failure     *Failure     `json:"failure,omitempty"` // why a side could not be tried
	// Pins are the options under which nothing differs that can be restored. Left counts the
	// differences that stay.
	Pins []string `json:"pins,omitempty"`
	Left int      `json:"left,omitempty"`
	// Whole is set if the second side with all Pins was tried on everything again.
	Whole   bool    `json:"whole,omitempty"`
	Seconds float64 `json:"seconds"`
}

// Difference is one class of differences with the options that restore the first side's result.
type Difference struct {
	Op    string   `json:"op"`
	Class string   `json:"class"` // "nil slice: null → []"
	Paths []string `json:"paths"` // places in the document, sorted
	Count int      `json:"count"` // values or documents that showed it
	// Example is the smallest one that was found.
	Example Example  `json:"example"`
	Pins    []string `json:"pins,omitempty"`
	Tag     string   `json:"tag,omitempty"` // the struct tag that does the same for one field
	// Only says that only programs see it which look at errors.
	Only bool `json:"onlyErrors,omitempty"`
}

// Example is one call and its two outcomes.
type Example struct {
	Value    string `json:"value,omitempty"` // in Go syntax, of what is marshalled
	Document string `json:"document,omitempty"`
	Into     string `json:"into,omitempty"` // what the variable held before, as JSON
	Form     string `json:"form,omitempty"` // "value" if the value itself was passed, not a pointer
	From     string `json:"from"`
	To       string `json:"to"`
}

// Untested is a place about which nothing can be said.
type Untested struct {
	Where string `json:"where"` // path, or "." for the whole value
	Why   string `json:"why"`
}

// result makes the differences of the groups.
func (c *comparison) differences() (out []Difference) {
	merged := map[string][]*group{}
	for _, g := range c.groups {
		k := g.op + "\x00" + g.class + "\x00" + strings.Join(g.pins, ",")
		merged[k] = append(merged[k], g)
	}
	for _, k := range slices.Sorted(maps.Keys(merged)) {
		all := merged[k]
		slices.SortFunc(all, func(a, b *group) int {
			return cmp.Or(cmp.Compare(a.example.size, b.example.size), slices.Compare(key(a), key(b)))
		})
		g := all[0]
		d := Difference{Op: g.op, Class: g.class, Pins: g.pins, Example: g.example.show(&g.verdict), Only: onlyErrors(g)}
		if t := titled(g.pins); t != "" {
			d.Class = t + ": " + d.Class
		}
		for _, p := range g.pins {
			d.Tag = cmp.Or(d.Tag, pinTexts[p].tag)
		}
		for _, x := range all {
			d.Count += x.count
			if p := cmp.Or(x.path, "."); !slices.Contains(d.Paths, p) {
				d.Paths = append(d.Paths, p)
			}
		}
		slices.Sort(d.Paths)
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b Difference) int {
		return cmp.Or(order(&a)-order(&b), strings.Compare(strings.Join(a.Pins, ","), strings.Join(b.Pins, ",")))
	})
	return out
}

func onlyErrors(g *group) bool {
	return strings.HasPrefix(g.class, "type of an error") || strings.HasPrefix(g.class, "text of an error")
}

// order puts what is written before what is read, and errors last.
func order(d *Difference) int {
	n := 0
	if d.Op == OpUnmarshal {
		n = 1
	}
	if d.Only {
		n += 2
	}
	return n
}

func (e *example) show(v *verdict) Example {
	x := Example{From: v.from, To: v.to, Form: e.item.Form}
	if e.probe != nil {
		x.Document, x.Into = clip(e.item.Doc), clip(e.item.Into)
		return x
	}
	x.Value = clip(e.before.Value)
	return x
}
