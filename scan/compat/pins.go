package compat

import (
	"context"
	"slices"
	"strings"

	"github.com/zmylab/zmy/scan/compat/side"
)

// NOTE: a codec with options is asked which of them restore the first side's result. The search
// starts with all options set and leaves out one after the other, as long as the difference stays
// away. What remains is a least set: none of it can be left out. Groups of one class mostly need the
// same set, so it is searched for one of them and tried on the others.

// mostSearches bounds the searches for one class.
const mostSearches = 8

// findPins finds the pins of the groups that have not been looked at yet, and sets them for the next
// round. It reports whether there were new ones.
func (c *comparison) findPins(ctx context.Context) (found bool, err error) {
	c.doing("finding the options that keep the old result")
	classes := map[string][]*group{}
	for _, g := range c.groups {
		if !g.looked {
			g.looked = true
			classes[g.op+" "+g.class] = append(classes[g.op+" "+g.class], g)
		}
	}
	for _, of := range classes {
		slices.SortFunc(of, func(a, b *group) int { return slices.Compare(key(a), key(b)) })
	}
	for range mostSearches {
		var heads []*group
		for _, of := range classes {
			if len(of) > 0 {
				heads = append(heads, of[0])
			}
		}
		if len(heads) == 0 {
			break
		}
		if err := c.search(ctx, heads); err != nil {
			return false, err
		}
		for name, of := range classes {
			if len(of) == 0 {
				continue
			}
			if classes[name], err = c.likewise(ctx, of[0], of[1:]); err != nil {
				return false, err
			}
		}
	}
	for _, g := range c.groups {
		for _, p := range g.pins {
			if !slices.Contains(c.pins, p) {
				c.pins = append(slices.Clip(c.pins), p)
				found = true
			}
		}
	}
	slices.Sort(c.pins)
	return found, nil
}

func key(g *group) []string { k := g.key(); return k[:] }

// search finds a least set for each group. A group whose difference stays with all options set gets
// none.
func (c *comparison) search(ctx context.Context, groups []*group) error {
	full := c.b.listed.Pins
	sets := make([][]string, len(groups))
	for i := range groups {
		sets[i] = full
	}
	gone, err := c.without(ctx, groups, sets)
	if err != nil {
		return err
	}
	for i := range sets {
		if !gone[i] {
			sets[i] = nil
		}
	}
	for _, pin := range full {
		var some []*group
		var trial [][]string
		var at []int
		for i, g := range groups {
			if slices.Contains(sets[i], pin) {
				some, at = append(some, g), append(at, i)
				trial = append(trial, slices.DeleteFunc(slices.Clone(sets[i]), func(p string) bool { return p == pin }))
			}
		}
		gone, err := c.without(ctx, some, trial)
		if err != nil {
			return err
		}
		for k, i := range at {
			if gone[k] {
				sets[i] = trial[k]
			}
		}
	}
	return c.attribute(ctx, groups, sets)
}

// attribute gives each group those options of its least set without which its own difference comes
// back. The others are needed because something else differs in the same example.
func (c *comparison) attribute(ctx context.Context, groups []*group, sets [][]string) error {
	var some []*group
	var trial [][]string
	for i, g := range groups {
		for _, p := range sets[i] {
			some, trial = append(some, g), append(trial, slices.DeleteFunc(slices.Clone(sets[i]), func(q string) bool { return p == q }))
		}
	}
	y, err := c.outcomes(ctx, some, trial)
	if err != nil {
		return err
	}
	n := 0
	for i, g := range groups {
		var own []string
		for _, p := range sets[i] {
			if c.showsExactly(g, &g.example.before, &y[n]) {
				own = append(own, p)
			}
			n++
		}
		if len(own) == 0 {
			own = sets[i]
		}
		g.set(sets[i], own)
	}
	return nil
}

// set notes a least set, and as pins those of own that were not set already when the difference was
// found.
func (g *group) set(least, own []string) {
	g.least, g.own = least, own
	g.pins = slices.DeleteFunc(slices.Clone(own), func(p string) bool { return slices.Contains(g.example.pins, p) })
	if len(g.pins) == 0 {
		g.pins = own
	}
}

// likewise tries the set of one group on the others of its class. It returns those that it does not
// help.
func (c *comparison) likewise(ctx context.Context, head *group, others []*group) (rest []*group, err error) {
	sets := make([][]string, len(others))
	for i := range others {
		sets[i] = head.least
	}
	gone, err := c.without(ctx, others, sets)
	if err != nil {
		return nil, err
	}
	var helped []*group
	for i, g := range others {
		if gone[i] {
			helped = append(helped, g)
		} else if head.least != nil {
			rest = append(rest, g)
		}
	}
	sets = make([][]string, len(helped))
	for i, g := range helped {
		sets[i] = head.least
		g.set(head.least, head.own)
	}
	if len(head.least) > 1 {
		err = c.attribute(ctx, helped, sets)
	}
	return rest, err
}

// without reports for each group whether its difference is gone if the second side has the given
// options.
func (c *comparison) without(ctx context.Context, groups []*group, sets [][]string) ([]bool, error) {
	y, err := c.outcomes(ctx, groups, sets)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(groups))
	for i, g := range groups {
		out[i] = !c.shows(g, &g.example.before, &y[i])
	}
	return out, nil
}

// outcomes makes the calls of the groups' examples again, with the given options.
func (c *comparison) outcomes(ctx context.Context, groups []*group, sets [][]string) ([]side.Outcome, error) {
	items := make([]side.Item, len(groups))
	for i, g := range groups {
		items[i] = g.example.item
		items[i].Full, items[i].Pins = true, sets[i]
	}
	return c.b.ask(ctx, items)
}

// shows reports whether two outcomes have the difference of a group.
func (c *comparison) shows(g *group, x, y *side.Outcome) bool {
	all := c.verdicts(&g.example, x, y)
	if g.fails { // any refusal: another one may come first
		return slices.ContainsFunc(all, func(v verdict) bool { return v.fails })
	}
	return slices.ContainsFunc(all, func(v verdict) bool { return v.key() == g.key() || v.fails })
}

// pin describes an option.
type pin struct {
	title string // what it is about
	tag   string // the struct tag that does the same for one field, or ""
}

// pinTexts describe the options of encoding/json/v2, and the other ways to keep what was.
var pinTexts = map[string]pin{
	"json.ReportErrorsWithLegacySemantics": {title: "errors as version 1 reports them"},
	"json.CallMethodsWithLegacySemantics":  {title: "methods with pointer receivers, and of map keys"},
	"json.MergeWithLegacySemantics":        {title: "reading into a used variable"},
	"json.MatchCaseSensitiveDelimiter":     {title: "underscores and dashes in names"},
	"json.FormatBytesWithLegacySemantics":  {title: "lists of bytes"},
	"json.FormatByteArrayAsArray":          {title: "byte array"},
	"json.FormatDurationAsNano":            {title: "time.Duration"},
	"json.OmitEmptyWithLegacySemantics": {title: "omitempty",
		tag: "omitzero in place of omitempty, on booleans, numbers, pointers and interfaces"},
	"json.ParseBytesWithLooseRFC4648":   {title: "line breaks in base64"},
	"json.ParseTimeWithLooseRFC3339":    {title: "times that are not quite RFC 3339"},
	"json.StringifyWithLegacySemantics": {title: "struct tag option string"},
	"json.UnmarshalArrayFromAnyLength":  {title: "array of another length"},
	"jsonv2.Deterministic":              {title: "order of map members"},
	"jsonv2.FormatNilMapAsNull":         {title: "nil map"},
	"jsonv2.FormatNilSliceAsNull":       {title: "nil slice"},
	"jsonv2.MatchCaseInsensitiveNames":  {title: "names in another case", tag: "case:ignore, on the field"},
	"jsontext.AllowDuplicateNames":      {title: "duplicate names"},
	"jsontext.AllowInvalidUTF8":         {title: "invalid UTF-8"},
	"jsontext.EscapeForHTML":            {title: "HTML"},
	"jsontext.EscapeForJS":              {title: "U+2028, U+2029"},
	"jsontext.PreserveRawStrings":       {title: "spelling of strings from methods"},
}

// titled returns the title of a set of options, or "".
func titled(pins []string) string {
	var out []string
	for _, p := range pins {
		if t := pinTexts[p].title; t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, " and ")
}

// spelt returns an option as a program writes it.
func spelt(p string) string {
	if strings.HasPrefix(p, "json.") || strings.HasPrefix(p, "jsonv2.") || strings.HasPrefix(p, "jsontext.") {
		return p + "(true)"
	}
	return p
}
