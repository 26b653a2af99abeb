package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Size of a strip's drawing, in user units.
const stripW, stripH = 160.0, 18.0

// stripReach is how far a strip reaches from the median, relative to it. Rounds that are farther
// away are drawn on the edge.
const stripReach = 0.25

// strip shows every round of a cell as a dot, by its distance from the median, and the median's 95%
// interval as a band.
type strip struct {
	Dots      string // path data: one zero-length stroke for each round
	Lo, Width float64
	N, Edge   int
}

func newStrip(r *run.Run, c *run.Cell) strip {
	e := stats.TimeOf(r, c)
	if e.Median <= 0 {
		return strip{}
	}
	x := func(ns float64) (float64, bool) {
		d := ns/e.Median - 1
		in := math.Abs(d) <= stripReach
		return stripW/2 + max(-stripReach, min(stripReach, d))/stripReach*(stripW/2-3), in
	}
	var b strings.Builder
	s := strip{}
	for _, p := range c.Samples {
		px, in := x(stats.SampleTime(r.Clock)(p))
		if !in {
			s.Edge++
		}
		// The launch sets the height, so that differences between launches are visible.
		fmt.Fprintf(&b, "M%.0f %.0fh0", px, 3+float64(p.Launch%5)*3)
		s.N++
	}
	lo, _ := x(e.Lo)
	hi, _ := x(e.Hi)
	s.Dots, s.Lo, s.Width = b.String(), lo, max(1, hi-lo)
	return s
}

// timeline shows the times of the baseline and of its A/A twin over the run.
type timeline struct {
	Op, Mode   string
	Ratio      run.Interval
	Base, Twin string // path data of dots
	Launches   []float64
	Seconds    string
	Reach      string // what the top and bottom edges mean
}

const lineW, lineH = 720.0, 120.0

// newTimeline returns the timeline of one op of the twin. It returns false if there is nothing to
// draw.
func newTimeline(r *run.Run, t run.TwinCell) (timeline, bool) {
	base := stats.Find(r, run.Baseline, t.Op, t.Mode)
	if base == nil || t.Cell == nil || len(base.Samples) == 0 {
		return timeline{}, false
	}
	const reach = 0.3
	mid := at(r, base)
	begin, end := math.Inf(1), 0.0 // the run begins with builds, long before the first round
	for _, s := range slices.Concat(base.Samples, t.Cell.Samples) {
		begin, end = min(begin, s.At), max(end, s.At)
	}
	if end <= begin || mid == 0 {
		return timeline{}, false
	}
	x := func(at float64) float64 { return 6 + (at-begin)/(end-begin)*(lineW-12) }
	draw := func(samples []run.Sample) string {
		var b strings.Builder
		for _, s := range samples {
			d := max(-reach, min(reach, stats.SampleTime(r.Clock)(s)/mid-1))
			fmt.Fprintf(&b, "M%.0f %.0fh0", x(s.At), lineH/2-d/reach*(lineH/2-8))
		}
		return b.String()
	}
	out := timeline{Op: t.Op, Mode: t.Mode, Ratio: t.Ratio, Base: draw(base.Samples), Twin: draw(t.Cell.Samples),
		Seconds: digits(end-begin) + " s", Reach: "±" + percent(reach)}
	first := map[int]float64{}
	for _, s := range base.Samples {
		if v, ok := first[s.Launch]; !ok || s.At < v {
			first[s.Launch] = s.At
		}
	}
	for _, v := range first {
		out.Launches = append(out.Launches, x(v))
	}
	slices.Sort(out.Launches)
	return out, true
}

// plot shows size against time, both logarithmic: nearer to the lower left is better. The front
// joins the contenders that no other one beats in both size and time.
type plot struct {
	W, H    float64
	Points  []point
	Front   string
	X, Y    []tick
	Visible bool
}

type point struct {
	X, Y, LX, LY float64
	Name, Family string
	Title        string
	Front        bool
}

// newPlot returns the plot of the ranked contenders. It is visible if there are at least two.
func newPlot(r *run.Run, all []row) plot {
	p := plot{W: 720, H: 360}
	const left, right, top, bottom = 64.0, 116.0, 16.0, 40.0
	var ranked []row
	var xs, ys []float64
	for _, x := range all {
		if x.Rank != nil && x.meanSize() > 0 && x.total(r) > 0 {
			ranked = append(ranked, x)
			xs, ys = append(xs, x.meanSize()), append(ys, x.total(r))
		}
	}
	if len(ranked) < 2 {
		return p
	}
	p.Visible = true
	across := newAxis(run.Axis{Unit: run.UnitBytes, Log: true}, xs, left, p.W-right)
	up := newAxis(run.Axis{Unit: run.UnitNS, Log: true}, ys, p.H-bottom, top)
	px, py := across.at, up.at
	p.X, p.Y = across.spelled(), up.spelled()
	slices.SortStableFunc(ranked, func(a, b row) int { return cmp.Compare(a.total(r), b.total(r)) })
	smallest := math.Inf(1)
	var front strings.Builder
	for _, x := range ranked { // fastest first: on the front if smaller than all before
		q := point{X: px(x.meanSize()), Y: py(x.total(r)), Name: clean(x.C.Name), Family: x.C.Family,
			Title: clean(x.C.Name) + ": " + duration(x.total(r)) + ", " + size(x.meanSize())}
		if x.meanSize() < smallest {
			smallest, q.Front = x.meanSize(), true
			fmt.Fprintf(&front, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[front.Len() == 0], q.X, q.Y)
		}
		q.LX, q.LY = q.X+9, q.Y+4
		for _, o := range p.Points { // labels of neighbours move up, in order of time
			if math.Abs(o.LX-q.LX) < 90 && q.LY > o.LY-13 && q.LY < o.LY+13 {
				q.LY = o.LY - 13
			}
		}
		p.Points = append(p.Points, q)
	}
	p.Front = front.String()
	return p
}

// Size of the drawing of the values, in user units.
const valuesW, valuesH = 360.0, 22.0

// valueStrip shows how large the values are as JSON, on a logarithmic axis.
type valueStrip struct {
	Origin       string // generated, sample function, documents, fit of documents
	Dots         string // path data: one zero-length stroke for each of the sizes at 0%, 5% … 100%
	Median, Mean float64
	Wide         bool // the values are doubted, see stats.Spread
	Label        string
}

// newValueStrip returns the strip of the subject's values. It returns false if their sizes are not
// known.
func newValueStrip(s *run.Subject) (valueStrip, bool) {
	if len(s.JSONSizes) == 0 || s.JSONSize.Min <= 0 {
		return valueStrip{}, false
	}
	lo, hi := math.Log(s.JSONSize.Min), math.Log(s.JSONSize.Max)
	if mid := (lo + hi) / 2; hi-lo < math.Ln2 { // values of about one size are drawn in the middle
		lo, hi = mid-math.Ln2/2, mid+math.Ln2/2
	}
	x := func(size float64) float64 {
		return 4 + (valuesW-8)*max(0, min(1, (math.Log(max(1, size))-lo)/(hi-lo)))
	}
	var b strings.Builder
	for i, size := range s.JSONSizes {
		fmt.Fprintf(&b, "M%.1f %dh0", x(size), 7+i%3*4) // three rows, so that equal sizes show
	}
	v := valueStrip{Origin: s.Origin(), Dots: b.String(), Median: x(s.JSONSize.Median), Mean: x(s.JSONMean), Wide: stats.Spread(s) != ""}
	v.Label = fmt.Sprintf("%s to %s, median %s, mean %s", size(s.JSONSize.Min), size(s.JSONSize.Max), size(s.JSONSize.Median),
		size(s.JSONMean))
	return v, true
}
