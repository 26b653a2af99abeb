// Package sweep measures how the time of codecs depends on the size of the values. It finds the
// knees, the sizes at which the growth of the time per byte changes.
//
// NOTE, the map: sweep.go is the experiment, fit.go finds knees, name.go explains them by the
// limits of Go's allocator and of the machine's caches.
package sweep

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment measures codecs at several sizes. Make one with New.
type Experiment struct {
	Sizes []int64 // bytes of a value as JSON
	sizes string
}

// New returns the experiment with its default sizes.
func New() *Experiment {
	return &Experiment{sizes: "512,1K,2K,4K,8K,16K,32K,64K,100K,256K,1M,2M"}
}

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "sweep", Short: "how time goes with the size of values, and where it bends"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.StringVar(&e.sizes, "sizes", e.sizes, "")
	return `  -sizes 1K,64K,1M bytes of a value as JSON; by default twelve from 512 to 2M
`
}

// Check parses the sizes.
func (e *Experiment) Check() error {
	e.Sizes = nil
	for part := range strings.SplitSeq(e.sizes, ",") {
		n, err := size(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		e.Sizes = append(e.Sizes, n)
	}
	slices.Sort(e.Sizes)
	e.Sizes = slices.Compact(e.Sizes)
	return nil
}

// size parses a size: 512, 64K, 1.5M.
func size(s string) (int64, error) {
	v, err := parse(s)
	if err != nil || !(v >= 64) || v > 64<<20 { // the negation refuses NaN too
		return 0, fmt.Errorf("-sizes: %q is no size from 64 bytes to 64M such as 512, 64K or 1M", s)
	}
	return int64(v), nil
}

// parse reads a number of bytes, of KiB if it ends in K, or of MiB if it ends in M.
func parse(s string) (float64, error) {
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	}
	v, err := strconv.ParseFloat(strings.TrimRight(s, "KM"), 64)
	return unit * v, err
}

// Point is one operation of a codec at one size.
type Point struct {
	Codec string       `json:"codec"`
	Op    string       `json:"op"`
	Size  float64      `json:"size"` // bytes of a value as JSON, median
	Wire  float64      `json:"wire"` // bytes of a value on the wire, mean
	NS    run.Estimate `json:"ns"`   // CPU time of one operation
	Bytes float64      `json:"bytes"`
	Alloc float64      `json:"allocs"`
}

// Result is what run.json keeps of the experiment.
type Result struct {
	Grown  string  `json:"grown"`
	Points []Point `json:"points"`
	Knees  []Knee  `json:"knees,omitempty"`
}

// Knee is a size at which the growth of the time per byte changes.
type Knee struct {
	Codec string  `json:"codec"`
	Op    string  `json:"op"`
	Size  float64 `json:"size"`
	// Before and After are the exponents of the time per byte: 0 if time is proportional to size,
	// -1 if it does not depend on size, above 0 if large values cost more per byte.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Near   string  `json:"near,omitempty"` // the landmark at that size, or ""
}

// held is about how many bytes the values of one size take together. There are fewer values of a
// larger size, but at least four, so that a codec does not always meet the same one.
const held = 16 << 20

// Run measures one size after another, each in interleaved rounds of all codecs.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	x := &run.Experiment{Title: "Size sweep", Question: "How does the time of each codec go with the size of the values, and at which size " +
		"does that change?"}
	res := &Result{}
	var err error
	for i, n := range e.Sizes {
		if err = e.at(ctx, b, x, res, n, i); err != nil {
			break
		}
	}
	if len(res.Points) == 0 {
		if err == nil {
			err = fixed(x)
		}
		return nil, err
	}
	res.Knees = res.knees(landmarks())
	x.Tables, x.Charts, x.Findings = tables(res), charts(res), findings(res)
	return experiment.With(x, res, err)
}

// fixed returns the error for a type whose values cannot be resized.
func fixed(x *run.Experiment) error {
	why := "no size was measured"
	if len(x.Absent) > 0 {
		why = x.Absent[0]
	}
	return &lab.UsageError{Text: "the sweep needs values of several sizes: " + why +
		"; a function SampleT of the package can make values with filled lists"}
}

// at measures one size. A process first tries to resize values to n bytes and counts them. If the
// type's values cannot be resized to n, the size is left out, and the report says why.
func (e *Experiment) at(ctx context.Context, b *experiment.Bench, x *run.Experiment, res *Result, n int64, i int) error {
	values := b.Values()
	values.Grow = n
	values.N = int(min(max(held/n, 4), 64))
	probe, err := b.Start(ctx, b.Contenders[0].Worker, &values)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused := (*harness.Refused)(nil); errors.As(err, &refused) {
		x.Absent = append(x.Absent, fmt.Sprintf("values of %s: %s", quantity.Bytes(float64(n)), refused.Failure.What))
		return nil
	}
	if err != nil {
		return err
	}
	res.Grown = probe.Made.Values.Grown
	values.N = probe.Made.Values.N
	real := float64(n)
	if a, err := probe.Do(ctx, worker.Request{Cmd: worker.CmdDescribe}, 0); err == nil && len(a.Describe.JSON) > 0 {
		real = worker.Quantile(a.Describe.JSON, 0.5)
	}
	probe.Close()
	cells, err := b.Time(ctx, experiment.Rounds{Name: quantity.Bytes(float64(n)), Values: &values, N: values.N,
		Budget: b.Budget() / time.Duration(len(e.Sizes)), Cells: experiment.Fresh})
	for _, c := range cells {
		res.Points = append(res.Points, Point{Codec: c.Codec, Op: c.Op, Size: real, Wire: c.Wire, Bytes: c.Bytes, Alloc: c.Allocs,
			NS: experiment.Located(stats.Location(c.Samples, "cpu", uint64(i)))})
	}
	return err
}

// codecs returns the measured codecs, in the order of the points.
func (res *Result) codecs() (names []string) {
	for _, p := range res.Points {
		if !slices.Contains(names, p.Codec) {
			names = append(names, p.Codec)
		}
	}
	return names
}

// of returns the points of a codec and operation by rising size, which is the order in which sizes
// are measured.
func (res *Result) of(codec, op string) (line []Point) {
	for _, p := range res.Points {
		if p.Codec == codec && p.Op == op {
			line = append(line, p)
		}
	}
	return line
}

// sizes returns the sizes at which any codec was measured, rising.
func (res *Result) sizes() (out []float64) {
	for _, p := range res.Points {
		out = append(out, p.Size)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func tables(res *Result) (out []run.Table) {
	for _, op := range experiment.Ops {
		out = append(out,
			res.bySize(op, "time of one operation", run.UnitNS, "CPU time, garbage collection included; columns are sizes of a value as JSON.",
				func(p Point) run.Item { return run.Est(p.NS) }),
			res.bySize(op, "ns per byte", "", "CPU time over the size of the value as JSON, so that codecs are compared on the same content.",
				func(p Point) run.Item { return run.Between(p.NS.Median/p.Size, p.NS.Lo/p.Size, p.NS.Hi/p.Size) }),
			res.bySize(op, "allocations", "", "Allocations of one operation, which do not depend on the machine.",
				func(p Point) run.Item { return run.Num(p.Alloc) }))
	}
	return append(out, kneeTable(res))
}

// bySize makes a table with a row for each codec and a column for each size.
func (res *Result) bySize(op, title, unit, note string, figure func(p Point) run.Item) run.Table {
	t := run.Table{Title: op + ": " + title, Note: note}
	for _, codec := range res.codecs() {
		row := []run.Figure{run.Text(codec).Under("codec", "")}
		for _, s := range res.sizes() {
			x := run.Text("–")
			if p := experiment.First(res.of(codec, op), func(p Point) bool { return p.Size == s }); p.Size == s {
				x = figure(p)
			}
			row = append(row, x.Under(quantity.Bytes(s), unit))
		}
		t.Add(row...)
	}
	return t
}

func kneeTable(res *Result) run.Table {
	t := run.Table{Title: "Knees", Note: "Where a line of the time per byte bends (both logarithmic), by the Bayesian information " +
		"criterion: the exponent is 0 where time goes with size, -1 where it does not depend on it."}
	for _, k := range res.Knees {
		what := k.kind()
		if k.Near != "" {
			what += "; " + k.Near + " lies there"
		}
		t.Add(run.Text(k.Codec).Under("codec", ""), run.Text(k.Op).Under("op", ""), run.Num(k.Size).Under("size", run.UnitBytes),
			run.Num(k.Before).Under("exponent before", ""), run.Num(k.After).Under("after", ""), run.Text(what).Under("what it is", ""))
	}
	return t
}

func charts(res *Result) (out []run.Chart) {
	for _, op := range experiment.Ops {
		c := experiment.Lines(run.Chart{Title: op + ": time per byte by size", X: run.Axis{Name: "size of a value as JSON",
			Unit: run.UnitBytes, Log: true},
			Y: run.Axis{Name: "CPU ns per byte", Log: true}}, res.codecs(), 1, func(codec string, s *run.Series) {
			for _, p := range res.of(codec, op) {
				experiment.Plot(s, p.Size, run.Estimate{Median: p.NS.Median / p.Size, Lo: p.NS.Lo / p.Size, Hi: p.NS.Hi / p.Size})
			}
		})
		for _, k := range res.Knees {
			if k.Op == op && k.Codec == run.Baseline {
				c.Marks = append(c.Marks, run.Mark{X: k.Size, Text: "knee of " + k.Codec})
			}
		}
		out = append(out, c)
	}
	return out
}

func findings(res *Result) []string {
	var out []string
	var dear, fixedCost []string
	for _, k := range res.Knees {
		s := fmt.Sprintf("%s %s at %s", k.Codec, k.Op, quantity.Bytes(k.Size))
		if k.Near != "" {
			s += " (" + k.Near + ")"
		}
		if k.dearer() {
			dear = append(dear, s)
		} else {
			fixedCost = append(fixedCost, s)
		}
	}
	switch n := len(res.sizes()); {
	case n < leastSizes:
		out = append(out, fmt.Sprintf("%d sizes are too few to look for knees: give -sizes at least %d.", n, leastSizes))
	case len(dear) > 0:
		out = append(out, "Beyond these sizes a byte costs more; send larger values in chunks, or accept it: "+experiment.List(dear)+".")
	default:
		out = append(out, "No codec becomes dearer per byte at any size that was measured: there is no size from which chunks would be cheaper "+
			"to encode.")
	}
	if len(fixedCost) > 0 {
		out = append(out, "Up to these sizes fixed costs weigh, so that batching small values pays: "+experiment.List(fixedCost)+".")
	}
	for _, op := range experiment.Ops {
		var lead []string
		for _, size := range res.sizes() {
			least, _ := experiment.Extremes(res.codecs(), func(codec string) (float64, bool) {
				p := experiment.First(res.of(codec, op), func(p Point) bool { return p.Size == size })
				return p.NS.Median, p.Size == size
			})
			if least.Name != "" && !slices.Contains(lead, least.Name) {
				lead = append(lead, least.Name)
			}
		}
		if len(lead) == 1 {
			out = append(out, fmt.Sprintf("%s has the lowest %s time at every size.", lead[0], op))
		} else if len(lead) > 1 {
			out = append(out, fmt.Sprintf("The lowest %s time is that of %s, depending on the size.", op, experiment.List(lead)))
		}
	}
	return append(out, "The sizes were made by changing "+res.Grown+": what is added repeats what is there.")
}
