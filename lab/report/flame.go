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

// flamePlot is a flame graph as nested lists: the style sheet lays them out as a graph,
// and without it they still read as who called whom.
type flamePlot struct {
	Aria   string
	Total  string
	Frames int
	Left   int // frames too small to be drawn
	Diff   bool
	List   template.HTML
	Top    []flameTop
}

// flameTop is a function by the time that is its own.
type flameTop struct {
	Name        string
	Share       float64
	Own, InCall string
	Delta       string
}

// Frames of all flame graphs of a page together, and those of one: a page stays small
// enough to be sent by mail.
const (
	mostFrames  = 9000
	mostOfOne   = 900
	fewestOfOne = 120
	leastShare  = 0.002 // of the whole; narrower frames are less than two pixels wide
	deepest     = 160
)

// frameBudget shares the frames among the flame graphs of a page.
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

func newFlamePlot(c run.Chart, frames int) *flamePlot {
	if c.Flame == nil || c.Flame.Value <= 0 {
		return nil
	}
	f := &flamer{total: c.Flame.Value, least: threshold(c.Flame, frames)}
	f.walk(c.Flame, func(x *run.Frame) { f.diff = f.diff || x.Delta != 0 })
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

// threshold is the least value of a frame that is drawn: of the heaviest, as many as
// fit, and none narrower than leastShare.
func threshold(root *run.Frame, frames int) float64 {
	var vs []float64
	(&flamer{}).walk(root, func(x *run.Frame) { vs = append(vs, x.Value) })
	least := leastShare * root.Value
	if len(vs) > frames {
		slices.Sort(vs)
		least = max(least, vs[len(vs)-frames])
	}
	return least
}

// flamer writes the lists.
type flamer struct {
	b           strings.Builder
	total       float64
	least       float64
	drawn, left int
	diff        bool
}

func (f *flamer) walk(x *run.Frame, visit func(*run.Frame)) {
	visit(x)
	for _, c := range x.Calls {
		f.walk(c, visit)
	}
}

// frame writes x and what it called, widest first; of is its caller's value.
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

// delta is "+3.1%" of the whole, in a differential graph.
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

// class colours by the change against the base, or by who owns the function.
func (f *flamer) class(x *run.Frame) string {
	if !f.diff {
		return "f" + itoa(owner(x.Name))
	}
	switch d := x.Delta / f.total; {
	case d > 0.1:
		return "up3"
	case d > 0.03:
		return "up2"
	case d > 0.005:
		return "up1"
	case d < -0.1:
		return "dn3"
	case d < -0.03:
		return "dn2"
	case d < -0.005:
		return "dn1"
	}
	return "f0"
}

// owners of functions by their package, each with a colour: what a reader looks for first.
var owners = []struct {
	prefix string
	class  int
}{
	{"runtime.", 1}, {"runtime/", 1}, {"internal/runtime", 1}, {"reflect.", 2}, {"internal/abi", 2}, {"strconv.", 3}, {"unicode", 3},
	{"strings.", 3}, {"bytes.", 3}, {"encoding/", 4}, {"sync", 1}, {"main.", 5},
}

// owner is the class of a function's package: 5 is everything that is not the standard
// library's, 0 what has no package.
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

// frameName is a function with the last two elements of its package's path:
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

// typeArgs are long type arguments: the shape of a whole struct tells a reader nothing.
var typeArgs = regexp.MustCompile(`\[.{24,}\]`)

// ownTime is what a function took by itself and with what it called.
type ownTime struct {
	name            string
	own, all, delta float64
}

// topFrames sums frames by function, the largest own value first. A function that calls
// itself counts once in what it took with its calls.
func topFrames(root *run.Frame, most int) []ownTime {
	by := map[string]*ownTime{}
	var order []*ownTime
	on := map[string]int{}
	var walk func(x *run.Frame)
	walk = func(x *run.Frame) {
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
			walk(c)
		}
		on[x.Name]--
		t.own, t.delta = t.own+max(0, own), t.delta+delta
	}
	walk(root)
	slices.SortStableFunc(order, func(a, b *ownTime) int { return cmp.Compare(b.own, a.own) })
	var out []ownTime
	for _, t := range order[:min(most, len(order))] {
		if t.own > 0 {
			out = append(out, *t)
		}
	}
	return out
}
