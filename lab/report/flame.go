package report

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// NOTE: a profile has tens of thousands of frames. threshold chooses the least value of a drawn
// frame, so that about as many are drawn as the page has room for; flamer writes these as nested
// lists, and topFrames sums all frames by function for the table beside the graph.

// flamePlot is a flame graph as nested lists. The style sheet lays them out as a graph; without it
// they still show which function called which.
type flamePlot struct {
	Aria   string
	Total  string
	Frames int
	Left   int // frames too small to be drawn
	Diff   bool
	List   template.HTML
	Top    []flameTop
}

// flameTop is a function with the time that it took itself.
type flameTop struct {
	Name        string
	Share       float64
	Own, InCall string
	Delta       string
}

// Limits on flame graphs, so that a page stays small enough to be sent by mail. mostFrames is for
// all graphs of a page together; the others are for one graph.
const (
	mostFrames  = 9000
	mostOfOne   = 900
	fewestOfOne = 120
	leastShare  = 0.002 // share of the root's value; narrower frames have less than two pixels
	deepest     = 160
)

// frameBudget returns the number of frames that each flame graph of a page may have.
func frameBudget(es []*run.Experiment) int {
	n := 0
	for _, e := range es {
		for _, c := range e.Charts {
			if c.Flame != nil {
				n++
			}
		}
	}
	return max(fewestOfOne, min(mostOfOne, mostFrames/max(n, 1)))
}

// newFlamePlot returns a flame graph, or nil if c has no frames. The parameter frames is about how
// many frames it may have.
func newFlamePlot(c run.Chart, frames int) *flamePlot {
	if c.Flame == nil || c.Flame.Value <= 0 {
		return nil
	}
	f := &flamer{total: c.Flame.Value, least: threshold(c.Flame, frames)}
	walk(c.Flame, func(x *run.Frame) { f.diff = f.diff || x.Delta != 0 })
	f.frame(c.Flame, f.total, 0)
	p := &flamePlot{Aria: clean(c.Title), Total: spell(c.Y.Unit, c.Flame.Value), Frames: f.drawn, Left: f.left, Diff: f.diff,
		List: template.HTML(f.b.String())}
	if c.Y.Name != "" {
		p.Total += " of " + clean(c.Y.Name)
	}
	for _, t := range topFrames(c.Flame, 8) {
		p.Top = append(p.Top, flameTop{Name: frameName(t.name), Share: t.own / f.total, Own: percent(t.own / f.total),
			InCall: percent(t.all / f.total), Delta: f.delta(t.delta)})
	}
	return p
}

// threshold returns the least value of a frame that is drawn: at most about frames of the heaviest
// frames are drawn, and none below leastShare of the whole.
func threshold(root *run.Frame, frames int) float64 {
	var vs []float64
	walk(root, func(x *run.Frame) { vs = append(vs, x.Value) })
	least := leastShare * root.Value
	if len(vs) > frames {
		slices.Sort(vs)
		least = max(least, vs[len(vs)-frames])
	}
	return least
}

// flamer writes the nested lists of a flame graph.
type flamer struct {
	b           strings.Builder
	total       float64
	least       float64
	drawn, left int
	diff        bool
}

// walk calls visit for x and for all frames below it.
func walk(x *run.Frame, visit func(*run.Frame)) {
	visit(x)
	for _, c := range x.Calls {
		walk(c, visit)
	}
}

// frame writes x, then the functions that x called, widest first. The parameter of is the value of
// x's caller: the width of x is a share of it.
func (f *flamer) frame(x *run.Frame, of float64, depth int) {
	f.drawn++
	fmt.Fprintf(&f.b, `<li style="--w:%s%%" class="%s"><span>%s</span> <small>%s`, plain(100*min(1, x.Value/of)), f.class(x),
		html.EscapeString(frameName(x.Name)), percent(x.Value/f.total))
	if d := f.delta(x.Delta); d != "" {
		f.b.WriteString(" " + d)
	}
	f.b.WriteString("</small>")
	var calls []*run.Frame
	for _, c := range x.Calls {
		if c.Value >= f.least && depth < deepest {
			calls = append(calls, c)
		} else {
			f.left++
		}
	}
	if calls != nil {
		slices.SortStableFunc(calls, func(a, b *run.Frame) int { return cmp.Compare(b.Value, a.Value) })
		f.b.WriteString("<ul>")
		for _, c := range calls {
			f.frame(c, x.Value, depth+1)
		}
		f.b.WriteString("</ul>")
	}
	f.b.WriteString("</li>\n")
}

// delta returns a change as a share of the whole, "+3.1%", or "" if the graph is not differential.
func (f *flamer) delta(d float64) string {
	if !f.diff {
		return ""
	}
	if math.Abs(d/f.total) < 0.0005 {
		return "±0%"
	}
	if d > 0 {
		return "+" + percent(d/f.total)
	}
	return percent(d / f.total)
}

// class returns the colour of a frame: by its change against the base in a differential graph, else
// by the package that the function belongs to.
func (f *flamer) class(x *run.Frame) string {
	if !f.diff {
		return "f" + itoa(owner(x.Name))
	}
	d, way := x.Delta/f.total, "up"
	if d < 0 {
		d, way = -d, "dn"
	}
	for i, least := range []float64{0.1, 0.03, 0.005} {
		if d > least {
			return way + itoa(3-i)
		}
	}
	return "f0"
}

// owners lists the packages that have a colour of their own, since readers look for them first.
var owners = []struct {
	prefix string
	class  int
}{
	{"runtime.", 1}, {"runtime/", 1}, {"internal/runtime", 1}, {"reflect.", 2}, {"internal/abi", 2}, {"strconv.", 3}, {"unicode", 3},
	{"strings.", 3}, {"bytes.", 3}, {"encoding/", 4}, {"sync", 1}, {"main.", 5},
}

// owner returns the class of a function's package: the one in owners, else 5 for packages of
// modules, 6 for further packages of the standard library, and 0 for a name without a package.
func owner(name string) int {
	for _, o := range owners {
		if strings.HasPrefix(name, o.prefix) {
			return o.class
		}
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case strings.Contains(name, "/") && strings.Contains(first, "."):
		return 5
	case strings.Contains(name, "."):
		return 6
	}
	return 0
}

// frameName returns a function's name with the last two elements of its package's path:
// goccy/go-json.Marshal.
func frameName(s string) string {
	s = clean(s)
	head, tail := s, ""
	if i := strings.IndexAny(s, "[("); i > 0 { // paths in type arguments and receivers are not the package's
		head, tail = s[:i], s[i:]
	}
	if i := strings.LastIndexByte(head, '/'); i > 0 {
		if j := strings.LastIndexByte(head[:i], '/'); j >= 0 {
			head = head[j+1:]
		}
	}
	return cut(head+typeArgs.ReplaceAllString(tail, "[…]"), 120)
}

// typeArgs matches long type arguments: the fields of a whole struct tell a reader nothing.
var typeArgs = regexp.MustCompile(`\[.{24,}\]`)

// ownTime is the time that a function took itself, and the time with the functions that it called.
type ownTime struct {
	name            string
	own, all, delta float64
}

// topFrames sums frames by function and returns those with the largest time of their own. If a
// function calls itself, only its outermost call counts for the time with calls.
func topFrames(root *run.Frame, most int) []ownTime {
	by := map[string]*ownTime{}
	var order []*ownTime
	on := map[string]int{}
	var sum func(x *run.Frame)
	sum = func(x *run.Frame) {
		t := by[x.Name]
		if t == nil {
			t = &ownTime{name: x.Name}
			by[x.Name], order = t, append(order, t)
		}
		own, delta := x.Value, x.Delta
		if on[x.Name] == 0 {
			t.all += x.Value
		}
		on[x.Name]++
		for _, c := range x.Calls {
			own, delta = own-c.Value, delta-c.Delta
			sum(c)
		}
		on[x.Name]--
		t.own, t.delta = t.own+max(0, own), t.delta+delta
	}
	sum(root)
	slices.SortStableFunc(order, func(a, b *ownTime) int { return cmp.Compare(b.own, a.own) })
	var out []ownTime
	for _, t := range order[:min(most, len(order))] {
		if t.own > 0 {
			out = append(out, *t)
		}
	}
	return out
}
