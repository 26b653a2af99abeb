package escape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// result is everything that was found.
type result struct {
	subject string
	own     []Site // in the user's methods
	codecs  []codec
}

// causes lists the causes in the order of the reports.
var causes = []Cause{Text, Bytes, Made, Grown, Object, Boxed, Closure, Moved, Large, Other, Error}

// mostSites is the largest number of places that a table lists for one contender.
const mostSites = 60

func (r *result) experiment() *run.Experiment {
	e := &run.Experiment{
		Title:    "What escapes to the heap",
		Question: "Which values does the compiler put on the heap where " + r.subject + " is encoded and decoded?",
		Findings: r.findings(),
		Warnings: []string{"a place in a loop allocates as often as the loop runs, one on a path that is seldom taken hardly ever: " +
			"what an op really allocates is counted in the table of codecs and drawn by zmy lab profile",
			"functions of a codec's library that generated code calls are not in these lists, unless the compiler puts them in its place"},
	}
	e.Tables = append(e.Tables, r.summary(), places("Your own methods", "", r.own))
	var by []string
	for _, c := range r.codecs {
		e.Tables = append(e.Tables, places(c.name, "In the code that is generated for your type.", c.sites))
		if c.generated == 0 {
			by = append(by, c.name)
		}
	}
	if len(by) > 0 {
		e.Absent = append(e.Absent, "the code of "+experiment.List(by)+" is the same for all types: what it allocates for yours shows at run "+
			"time only, in zmy lab profile")
	}
	return e
}

func (r *result) findings() []string {
	var out []string
	for _, s := range r.own {
		if s.Cause != Error && advice[s.Cause] != "" {
			out = append(out, fmt.Sprintf("%s:%d: your %s puts %s on the heap → %s.", s.File, s.Line, s.Func, s.What, advice[s.Cause]))
		}
	}
	for _, c := range r.codecs {
		if c.generated == 0 {
			continue
		}
		for _, o := range experiment.Ops {
			out = append(out, c.sentence(o))
		}
	}
	if len(out) == 0 {
		out = append(out, "No contender generates code for your type, and it has no marshaling methods of its own: the compiler decided "+
			"nothing here that depends on it.")
	}
	return out
}

// sentence summarises one operation of a contender's generated code.
func (c *codec) sentence(op string) string {
	n := 0
	var parts []string
	for _, cause := range causes {
		if k := c.count(op, cause); k > 0 && cause != Error && !(cause == Grown && op == "encode") {
			n += k
			parts = append(parts, fmt.Sprintf("%d %s", k, cause))
		}
	}
	s := fmt.Sprintf("%s, %s: ", c.name, op)
	switch n {
	case 0:
		s += "nothing in its generated code escapes but errors"
	case 1:
		s += "1 place puts a value on the heap (" + parts[0] + ")"
	default:
		s += fmt.Sprintf("%d places put values on the heap (%s)", n, strings.Join(parts, ", "))
	}
	if k := c.count(op, Grown); k > 0 && op == "encode" {
		s += fmt.Sprintf(" beside %d appends to the output, which allocate only when it has no room", k)
	}
	if a, ok := c.allocs[op]; ok {
		s += fmt.Sprintf("; %.4g allocations per operation were measured", a)
	}
	return s + "."
}

func (c *codec) count(o string, cause Cause) (n int) {
	for _, s := range c.sites {
		if s.Cause == cause && (op(s.Func) == o) {
			n++
		}
	}
	return n
}

// summary has a row for each cause and two columns per contender with generated code.
func (r *result) summary() run.Table {
	t := run.Table{Title: "Places by cause",
		Note: "Places in the generated code, by what is put on the heap there. Errors cost nothing while all goes well."}
	for _, cause := range causes {
		row, any := []run.Figure{run.Text(string(cause)).Under("what", "")}, false
		for _, c := range r.codecs {
			if c.generated == 0 {
				continue
			}
			for _, o := range experiment.Ops {
				n := c.count(o, cause)
				any = any || n > 0
				row = append(row, run.Num(float64(n)).Under(c.name+" "+o, run.UnitCount))
			}
		}
		if any {
			t.Add(append(row, run.Text(advice[cause]).Under("what helps", ""))...)
		}
	}
	return t
}

// places lists sites in a table, errors last.
func places(title, note string, sites []Site) run.Table {
	list := slices.Clone(sites)
	slices.SortStableFunc(list, func(a, b Site) int { return slices.Index(causes, a.Cause) - slices.Index(causes, b.Cause) })
	t := run.Table{Title: "Places: " + title, Note: note}
	if n := len(list); n > mostSites {
		list = list[:mostSites]
		t.Note = strings.TrimSpace(fmt.Sprintf("%s The first %d of %d.", t.Note, mostSites, n))
	}
	for _, s := range list {
		t.Add(run.Text(fmt.Sprintf("%s:%d", s.File, s.Line)).Under("where", ""), run.Text(s.Func).Under("function", ""),
			run.Text(op(s.Func)).Under("op", ""), run.Text(s.What).Under("value", ""), run.Text(string(s.Cause)).Under("what", ""),
			run.Text(s.way()).Under("how it gets there", ""))
	}
	return t
}

// way says how a value gets to the heap, in the compiler's words.
func (s *Site) way() string {
	var steps []string
	for _, x := range s.Steps {
		if x != "spill" && !slices.Contains(steps, x) {
			steps = append(steps, x)
		}
	}
	return strings.Join(steps, ", ")
}
