// Package sweep measures how the time of codecs depends on the size of the values. It finds the
// knees: the sizes at which this changes.
//
// NOTE, the map: sweep.go is the experiment, fit.go finds knees, name.go explains them by the
// limits of Go's allocator and of the machine's caches.
package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
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

// Name returns the name of the subcommand.
func (e *Experiment) Name() string { return "sweep" }

// Short returns a description of one line.
func (e *Experiment) Short() string {
	return "how time goes with the size of values, and where it bends"
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
	unit := 1.0
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	}
	v, err := strconv.ParseFloat(strings.TrimRight(s, "KM"), 64)
	if v *= unit; err != nil || !(v >= 64) || v > 64<<20 {
		return 0, fmt.Errorf("-sizes: %q is no size from 64 bytes to 64M such as 512, 64K or 1M", s)
	}
	return int64(v), nil
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

// held is about how many bytes the values of one size take together.
const held = 16 << 20

// Run measures one size after another, each in interleaved rounds of all codecs.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	if e.Sizes == nil {
		if err := e.Check(); err != nil {
			return nil, err
		}
	}
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
	res.Knees = knees(res.Points, landmarks())
	x.Tables = tables(res)
	x.Charts = charts(res)
	x.Findings = findings(res)
	data, jerr := json.Marshal(res)
	x.Data = data
	return x, errors.Join(err, jerr)
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

// at measures one size. One process first tries whether values can be brought to this size, and
// counts them.
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
	res.Grown = probe.Values.Grown
	values.N = probe.Values.N
	real := float64(n)
	if a, err := probe.Do(ctx, worker.Request{Cmd: worker.CmdDescribe}, 0); err == nil && len(a.Describe.JSON) > 0 {
		real = worker.Quantile(a.Describe.JSON, 0.5)
	}
	probe.Close()
	cells, err := b.Time(ctx, experiment.Rounds{Name: quantity.Bytes(float64(n)), Values: &values, N: values.N,
		Budget: b.Budget() / time.Duration(len(e.Sizes)), Cells: experiment.Fresh})
	for _, c := range cells {
		res.Points = append(res.Points, Point{Codec: c.Codec, Op: c.Op, Size: real, Wire: c.Wire, NS: cpu(c.Samples, uint64(i)), Bytes: c.Bytes,
			Alloc: c.Allocs})
	}
	return err
}

// cpu estimates the median CPU time. Launches are clusters of rounds.
func cpu(samples []run.Sample, seed uint64) run.Estimate {
	last := 0
	for _, s := range samples {
		last = max(last, s.Launch)
	}
	clusters := make(stats.Clusters, last+1)
	for _, s := range samples {
		clusters[s.Launch] = append(clusters[s.Launch], math.Log(max(s.CPU, 0.01)))
	}
	clusters = slices.DeleteFunc(clusters, func(c []float64) bool { return len(c) == 0 })
	r := stats.Locate(clusters, seed)
	return run.Estimate{Median: r.Point, Lo: r.Lo, Hi: r.Hi, N: len(samples)}
}

// series groups points by codec and operation, in the order of sizes.
func series(points []Point) (keys [][2]string, by map[[2]string][]Point) {
	by = map[[2]string][]Point{}
	for _, p := range points {
		k := [2]string{p.Codec, p.Op}
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], p)
	}
	return keys, by
}

func tables(res *Result) (out []run.Table) {
	keys, by := series(res.Points)
	for _, op := range []string{"encode", "decode"} {
		keys := slices.DeleteFunc(slices.Clone(keys), func(k [2]string) bool { return k[1] != op })
		var sizes []float64
		for _, k := range keys {
			for _, p := range by[k] {
				sizes = append(sizes, p.Size)
			}
		}
		slices.Sort(sizes)
		sizes = slices.Compact(sizes)
		table := func(title, unit, note string, of func(p Point) run.Item) {
			t := run.Table{Title: op + ": " + title, Note: note}
			for _, k := range keys {
				row := []run.Figure{run.Text(k[0]).Under("codec", "")}
				for _, s := range sizes {
					x := run.Text("–")
					if at := slices.IndexFunc(by[k], func(p Point) bool { return p.Size == s }); at >= 0 {
						x = of(by[k][at])
					}
					row = append(row, x.Under(quantity.Bytes(s), unit))
				}
				t.Add(row...)
			}
			out = append(out, t)
		}
		table("time of one operation", run.UnitNS, "CPU time, garbage collection included; columns are sizes of a value as JSON.",
			func(p Point) run.Item { return run.Est(p.NS) })
		table("ns per byte", "", "CPU time over the size of the value as JSON, so that codecs are compared on the same content.",
			func(p Point) run.Item { return run.Num(p.NS.Median / p.Size) })
	}
	return run.Filled(append(out, kneeTable(res))...)
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

func charts(res *Result) []run.Chart {
	keys, by := series(res.Points)
	var out []run.Chart
	for _, op := range []string{"encode", "decode"} {
		c := run.Chart{Kind: run.ChartLines, Title: op + ": time per byte by size", X: run.Axis{Name: "size of a value as JSON",
			Unit: run.UnitBytes, Log: true},
			Y: run.Axis{Name: "CPU ns per byte", Log: true}}
		for _, k := range keys {
			if k[1] != op {
				continue
			}
			s := run.Series{Name: k[0]}
			for _, p := range by[k] {
				s.X, s.Y = append(s.X, p.Size), append(s.Y, p.NS.Median/p.Size)
				s.Lo, s.Hi = append(s.Lo, p.NS.Lo/p.Size), append(s.Hi, p.NS.Hi/p.Size)
			}
			c.Series = append(c.Series, s)
		}
		for _, k := range res.Knees {
			if k.Op == op && k.Codec == run.Baseline {
				c.Marks = append(c.Marks, run.Mark{X: k.Size, Text: "knee of " + k.Codec})
			}
		}
		if len(c.Series) > 0 {
			out = append(out, c)
		}
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
	switch n := longest(res.Points); {
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
	keys, by := series(res.Points)
	for _, op := range []string{"encode", "decode"} {
		var lead []string
		for _, s := range res.Points {
			best, ns := "", math.Inf(1)
			for _, k := range keys {
				for _, p := range by[k] {
					if k[1] == op && p.Size == s.Size && p.NS.Median < ns {
						best, ns = k[0], p.NS.Median
					}
				}
			}
			if best != "" && !slices.Contains(lead, best) {
				lead = append(lead, best)
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
