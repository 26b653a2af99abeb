package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// shape is a kind of change of form, with the codecs that make it.
type shape struct {
	run.Form
	Who    []string
	Common bool // encoding/json makes it too
}

// shapes returns what the measured codecs normalise, in the order of the table's rows.
func shapes(r *run.Run) []shape {
	var out []shape
	for _, x := range rows(r) {
		for _, f := range x.C.Value.Forms() {
			i := slices.IndexFunc(out, func(s shape) bool { return s.Key() == f.Key() })
			if i < 0 {
				i, out = len(out), append(out, shape{Form: f})
			}
			out[i].Count = max(out[i].Count, f.Count)
			out[i].Who = append(out[i].Who, x.C.Name)
			out[i].Common = out[i].Common || x.C.Name == run.Baseline
		}
	}
	return out
}

// own returns what codec normalises and encoding/json does not.
func own(r *run.Run, codec string) (names []string) {
	for _, s := range shapes(r) {
		if !s.Common && slices.Contains(s.Who, codec) {
			names = append(names, clean(cut(s.Key(), 60)))
		}
	}
	return names
}

// normalised writes which codecs change the form of values, and how. Unless t.all is set, it leaves
// out what encoding/json does too and no value of the run showed.
func (t *table) normalised() {
	var who stats.Shared // by the kinds that they share
	kinds := map[string][]string{}
	for _, s := range shapes(t.r) {
		if s.Common && s.Count == 0 && !t.all {
			continue
		}
		for _, name := range s.Who {
			kinds[name] = append(kinds[name], clean(cut(s.Key(), 60)))
		}
	}
	for _, x := range rows(t.r) {
		if k := kinds[x.C.Name]; k != nil {
			who.Add(x.C.Name, strings.Join(k, ", "))
		}
	}
	const most = 3
	for i, g := range who {
		if i == most && len(who) > most+1 && !t.all {
			var rest []string
			for _, g := range who[most:] {
				rest = append(rest, g.Who...)
			}
			t.line(dim, "  normalised, each in its own way: %s → -v", clean(some(rest, 6, 20)))
			break
		}
		verb := map[bool]string{true: "normalises", false: "normalise"}[len(g.Who) == 1]
		t.line(dim, "  %s %s: %s", clean(some(g.Who, 4, 20)), verb, g.What)
	}
}

// formsMarkdown writes what codecs normalise, with an example of each kind.
func formsMarkdown(b *strings.Builder, r *run.Run) {
	for _, s := range shapes(r) {
		what := s.What
		if what != "" {
			what += ", such as "
		}
		seen := ""
		if s.Count > 0 {
			seen = fmt.Sprintf(" (in %s)", plural(s.Count, "value"))
		}
		fmt.Fprintf(b, "- normalises: %s: %s%s%s\n", md(some(s.Who, 8, 40)), md(what), md(s.Example()), seen)
	}
}
