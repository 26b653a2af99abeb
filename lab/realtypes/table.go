package realtypes

import (
	"fmt"
	"strings"
)

// Table draws the results as Markdown.
func Table(results []*Result) string {
	var b strings.Builder
	modules := map[string]bool{}
	for _, r := range results {
		modules[r.Module] = true
	}
	fmt.Fprintf(&b, `# Types of other modules

%d types of %d public Go modules, at the versions that the table names. `+"`make realtypes`"+` fetches the modules and draws this page:
for each type it declares the type in a module of its own, runs the lab on generated values and on documents that were written by hand
after the public documentation, follows the steps that the lab prints, and holds the generated code against encoding/json and
against the values themselves.

The lab runs with `+"`-budget 1s -codecs std-json,fxjson,zmy`"+`. Grades and sizes do not depend on how long it measures, and this page has no times.

- **std-json**: the baseline has its place in the ranking, on generated values and on documents.
- **generated ÷ documents**: median size as JSON of generated values over that of the documents; the goal is within a factor of %d, and a mean
  of at most %d medians.
- **fxjson**, **ZMY**: the lab's steps give code that compiles and in which no difference was found.
  "without 2" means that the messages leave out 2 fields, as the generator says, and that encoding/json loses them too in every value compared.
- **wrong**: what the lab says of a codec and the comparison refutes.

`, len(results), len(modules), Within, Spread)
	b.WriteString(summary(results))
	b.WriteString("\n| module | type | std-json | generated ÷ documents | fxjson | ZMY | wrong |\n|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s %s | `%s` | %s | %s | %s | %s | %s |\n", r.Module, r.Version, r.Type, baseline(r), sizes(r),
			yes(r.FxJSON.Carried), native(r), wrong(r))
	}
	b.WriteString("\n## What is missing\n\n")
	n := b.Len()
	for _, r := range results {
		for _, line := range missing(r) {
			fmt.Fprintf(&b, "- `%s`: %s\n", r.Type, line)
		}
	}
	if b.Len() == n {
		b.WriteString("Nothing.\n")
	}
	return b.String()
}

// summary counts the results in one sentence for each goal.
func summary(results []*Result) string {
	var can, ranked, sized, fx, zmy, wrong int
	for _, r := range results {
		if r.Never == "" {
			can++
			ranked += one(r.Default.Ranked && r.Sample.Ranked)
			sized += one(r.Sized())
		}
		fx, zmy, wrong = fx+one(r.FxJSON.Carried), zmy+one(r.ZMY.Carried), wrong+one(len(r.Wrong) > 0)
	}
	n := max(1, len(results))
	return fmt.Sprintf("std-json is ranked on %d of the %d types that encoding/json can carry, sizes are within the goal on %d of them. "+
		"fxjson carries %d of %d (%d%%), ZMY %d (%d%%). A claim of the lab is wrong on %d.\n",
		ranked, can, sized, fx, len(results), fx*100/n, zmy, zmy*100/n, wrong)
}

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "**no**"
}

// native returns the cell of ZMY. The generator declares which fields it leaves out; the cell has
// their number.
func native(r *Result) string {
	s := yes(r.ZMY.Carried)
	if n := len(r.Default.Codecs["zmy"].LeavesOut); r.ZMY.Carried && n > 0 {
		s += fmt.Sprintf(", without %d", n)
	}
	return s
}

func baseline(r *Result) string {
	switch {
	case r.Never != "" && r.Default.Failed != "":
		return "never"
	case r.Default.Ranked && r.Sample.Ranked:
		return "yes"
	case r.Default.Ranked:
		return "**not on documents**"
	case r.Sample.Ranked:
		return "**only on documents**"
	}
	return "**no**"
}

func sizes(r *Result) string {
	if r.Ratio() == 0 {
		return "–"
	}
	s := fmt.Sprintf("%.0f ÷ %.0f = %.1f", r.Default.Median, r.Sample.Median, r.Ratio())
	if r.Default.Mean > Spread*r.Default.Median {
		s += fmt.Sprintf(", mean %.0f", r.Default.Mean)
	}
	if !r.Sized() {
		return "**" + s + "**"
	}
	return s
}

func wrong(r *Result) string {
	if len(r.Wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("**%d**", len(r.Wrong))
}

// missing lists what is not "yes" in a row, and why.
func missing(r *Result) []string {
	var out []string
	add := func(ok bool, what, why string) {
		if !ok {
			out = append(out, what+": "+oneLine(why))
		}
	}
	add(r.Default.Failed == "", "the baseline fails on generated values", r.Default.Failed)
	add(r.Sample.Failed == "", "the baseline fails on documents", r.Sample.Failed)
	add(r.FxJSON.Carried, "fxjson", r.FxJSON.Why)
	add(r.ZMY.Carried, "ZMY", r.ZMY.Why)
	for _, w := range r.Wrong {
		add(false, "wrong", w)
	}
	return out
}
