package latency

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// The open loop has two kinds of points. At the common rates, which the user gives, codecs can be
// compared. At shares of its own capacity each codec shows how its requests wait when it is nearly
// busy, whatever its speed. The generator of requests holds one processor, so the capacity is
// measured with one processor spinning.

// Point is one codec at one rate of the open loop, summed over all visits.
type Point struct {
	Codec string  `json:"codec"`
	QPS   float64 `json:"qps"`          // the wanted rate, requests a second
	Of    float64 `json:"of,omitempty"` // the rate's share of the codec's capacity; 0 for a common rate
	openloop.Served
	Void     string             `json:"void,omitempty"` // why the point is not valid
	Response openloop.Histogram `json:"response"`
	Service  openloop.Histogram `json:"service"`
	Late     openloop.Histogram `json:"late"`
	CPU      float64            `json:"cpu"`    // processors kept busy, without the generator's spinning
	Memory   worker.Memory      `json:"memory"` // at the end of the last visit

	launches []*openloop.Histogram
	visits   int
	visit    time.Duration // the duration of one visit
}

// full reports whether requests came faster than they were answered.
func (p *Point) full() bool { return p.Overloaded(p.visits) }

// shares returns the shares of its own capacity at which each codec is measured in addition to the
// common rates.
func shares(d lab.Depth) []float64 {
	if d == lab.Quick {
		return []float64{0.25, 0.6, 0.95}
	}
	return []float64{0.25, 0.5, 0.75, 0.9, 0.95}
}

// weight returns the duration of visits to a point in relation to other points. Low rates need more
// time to make enough requests. The highest common rate gets more, since percentiles are compared
// there.
func (e *Experiment) weight(p *Point) float64 {
	w := 1 + min(4, 400/p.QPS)
	if p.Of == 0 && p.QPS == slices.Max(e.QPS) {
		w += 2
	}
	return w
}

// open measures the capacity of each codec. Then it visits all points of all codecs once in each
// launch, in a new order and in new processes.
func (e *Experiment) open(ctx context.Context, b *experiment.Bench, x *run.Experiment, res *Result) error {
	if b.Run().Host.Procs < 2 {
		x.Absent = append(x.Absent, "open loop: it needs two processors, since its generator holds one")
		return nil
	}
	if err := e.capacities(ctx, b, res); err != nil {
		return err
	}
	var points []*Point
	for _, k := range res.Closed {
		for _, q := range e.QPS {
			points = append(points, &Point{Codec: k.Codec, QPS: q})
		}
		for _, s := range shares(b.Depth) {
			if k.Capacity*s >= 1 {
				points = append(points, &Point{Codec: k.Codec, QPS: k.Capacity * s, Of: s})
			}
		}
	}
	all := 0.0
	for _, p := range points {
		all += e.weight(p)
	}
	unit := time.Duration(float64(b.Budget()) * 0.75 / max(1, float64(b.Launches())*all))
	// The visits of a launch to one codec share a process: starting one and making its values takes
	// time in which nothing is measured.
	running, latest := map[string]*experiment.Process{}, 0 // the processes of the latest launch
	end := func() {
		for _, p := range running {
			p.Close()
		}
		clear(running)
	}
	defer end()
	var turns []experiment.Turn
	for i, p := range points {
		if p.visit = e.For; p.visit <= 0 {
			p.visit = min(max(time.Duration(e.weight(p)*float64(unit)), 100*time.Millisecond), 30*time.Second)
		}
		at := quantity.Count(p.QPS) + " requests a second"
		turns = append(turns, experiment.Turn{Codec: p.Codec, Doing: "open loop of " + p.Codec + " at " + at, Do: func(launch int) (err error) {
			if launch != latest {
				end()
				latest = launch
			}
			proc := running[p.Codec]
			if proc == nil {
				if proc, err = b.Start(ctx, b.Contender(p.Codec).Worker, nil); err == nil {
					running[p.Codec] = proc
				}
			}
			if err == nil {
				err = e.visit(ctx, proc, p, b.Options().Seed+uint64(launch)<<32+uint64(i))
			}
			if err != nil {
				return fmt.Errorf("open loop at %s: %w", at, err)
			}
			return nil
		}})
	}
	_, err := b.Turns(ctx, "open", turns)
	for _, p := range points {
		if p.visits > 0 {
			p.CPU /= float64(p.visits)
			p.Void = experiment.Late(&p.Late, &p.Response)
			res.Open = append(res.Open, p)
		}
	}
	return err
}

// capacities measures how many requests a second each codec can serve while one processor spins, as
// the open loop's generator does. It takes one reading in each launch and uses the median.
func (e *Experiment) capacities(ctx context.Context, b *experiment.Bench, res *Result) error {
	readings := map[string][]float64{}
	var turns []experiment.Turn
	for _, k := range res.Closed {
		turns = append(turns, experiment.Turn{Codec: k.Codec, Doing: "capacity of " + k.Codec, Do: func(int) error {
			got, err := experiment.Once[worker.Load](ctx, b, b.Contender(k.Codec).Worker, worker.CmdClosed, worker.ClosedLoop{
				Task: worker.Task{Op: e.Op}, Goroutines: b.Run().Host.Procs - 1, Rounds: 1 << 30, Most: max(b.Budget()/200,
					100*time.Millisecond), Spin: true}, b.Budget())
			if err == nil {
				readings[k.Codec] = append(readings[k.Codec], float64(got.N)/got.Wall*1e9)
			} else if ctx.Err() == nil {
				b.Warn("capacity of %s: %v", k.Codec, err)
			}
			return nil
		}})
	}
	_, err := b.Turns(ctx, "capacity", turns)
	for _, k := range res.Closed {
		if xs := readings[k.Codec]; len(xs) > 0 {
			k.Capacity = stats.Median(xs)
		}
	}
	return err
}

// visit visits a point once, in the given process.
func (e *Experiment) visit(ctx context.Context, proc *experiment.Process, p *Point, seed uint64) error {
	got, err := experiment.Ask[worker.Load](ctx, proc, worker.CmdOpen, worker.OpenLoop{Task: worker.Task{Op: e.Op},
		Schedule: openloop.Schedule{Rate: p.QPS, For: p.visit, Seed: seed}}, 3*p.visit)
	if err == nil {
		p.add(got)
	}
	return err
}

func (p *Point) add(l *worker.Load) {
	p.Served.Add(l.Served)
	p.visits++
	p.CPU += l.CPU / l.Wall
	p.Response.Add(&l.Response)
	p.Service.Add(&l.Service)
	p.Late.Add(&l.Late)
	p.Memory = l.Memory
	p.launches = append(p.launches, &l.Response)
}

// valid reports whether findings may rest on the point.
func (p *Point) valid() bool { return !p.full() && p.Void == "" }

// percentile returns a percentile of the response times for a table. It returns "late" instead if
// the generator's own lateness is too large a part of the percentile.
func (p *Point) percentile(q float64) run.Item {
	x := item(&p.Response, p.launches, q)
	if x.Value != nil && !openloop.Punctual(&p.Late, &p.Response, q) {
		return experiment.None("late")
	}
	return x
}

// openChart draws a percentile of the open loop by rate.
func openChart(res *Result, q float64) run.Chart {
	return experiment.Lines(run.Chart{Title: "Open loop: " + openloop.Name(q) + " by rate",
		X:    run.Axis{Name: "requests a second", Unit: run.UnitOps, Log: true},
		Y:    run.Axis{Name: "latency from when it was due", Unit: run.UnitNS, Log: true},
		Note: "Hollow points are not valid: the generator was late, or requests came faster than they were answered."},
		res.codecs(), 1, func(codec string, s *run.Series) {
			for _, p := range of(res, codec) {
				if p.Response.Sound(q) {
					void := !p.valid() || !openloop.Punctual(&p.Late, &p.Response, q)
					s.X, s.Y, s.Void = append(s.X, p.QPS), append(s.Y, p.Response.Quantile(q)), append(s.Void, void)
				}
			}
		})
}

// of returns the points of a codec by rising rate.
func of(res *Result, codec string) (out []*Point) {
	for _, p := range res.Open {
		if p.Codec == codec {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *Point) int { return cmp.Compare(a.QPS, b.QPS) })
	return out
}

func capacityTable(res *Result) run.Table {
	t := run.Table{Title: "Capacity beside a generator", Note: "Requests a second that all processors but the generator's do, and the " +
		"highest measured rate at which at most 2% of the requests still waited when the last was due."}
	if len(res.Open) == 0 {
		return t
	}
	for _, k := range res.Closed {
		rate, cpu := run.Text("–"), run.Text("–")
		for _, p := range of(res, k.Codec) {
			if p.valid() {
				rate, cpu = run.Num(p.QPS), run.Num(p.CPU)
			}
		}
		t.Add(run.Text(k.Codec).Under("codec", ""), run.Num(k.Capacity).Under("capacity", run.UnitOps),
			rate.Under("answered up to", run.UnitOps), cpu.Under("CPU there", run.UnitShare))
	}
	return t
}

func pointTable(res *Result) run.Table {
	t := run.Table{Title: "Open loop: latency from when a request was due",
		Note: "Requests come at random times (a Poisson process) at the given mean rate. Own work is the codec's part alone; the " +
			"difference is waiting. Late stands where the generator's own lateness is more than a tenth of the percentile. " + lacking}
	for _, k := range res.Closed {
		for _, p := range of(res, k.Codec) {
			part := run.Text("–")
			if k.Capacity > 0 {
				part = run.Num(p.QPS / k.Capacity)
			}
			row := []run.Figure{run.Text(p.Codec).Under("codec", ""), run.Num(p.QPS).Under("rate", run.UnitOps),
				part.Under("of capacity", run.UnitShare)}
			for _, q := range quantiles {
				row = append(row, p.percentile(q).Under(openloop.Name(q), run.UnitNS))
			}
			t.Add(append(row, item(&p.Service, nil, 0.5).Under("own work P50", run.UnitNS),
				item(&p.Service, nil, 0.99).Under("own work P99", run.UnitNS),
				item(&p.Late, nil, 0.5).Under("late P50", run.UnitNS).Means("by how much the generator itself was late"),
				item(&p.Late, nil, 0.99).Under("late P99", run.UnitNS), doubt(p).Under("doubt", ""))...)
		}
	}
	return t
}

func doubt(p *Point) run.Item {
	var why []string
	if p.full() {
		why = append(why, fmt.Sprintf("overloaded: %s of %s requests not begun by the time the last was due",
			quantity.Count(float64(p.Behind+p.Left)), quantity.Count(float64(p.N+p.Left))))
	}
	if p.Void != "" {
		why = append(why, "not valid: "+p.Void)
	}
	return run.Text(strings.Join(why, "; ")).Marked("bad", why != nil)
}

func memoryTable(res *Result) run.Table {
	t := run.Table{Title: "Memory growth over the sweep",
		Note: "What the process holds after the slowest and after the fastest common rate that it kept up with."}
	for _, k := range res.Closed {
		lo, hi, ok := ends(res, k.Codec, kept)
		if !ok {
			continue
		}
		row := []run.Figure{run.Text(k.Codec).Under("codec", "")}
		for _, p := range []*Point{lo, hi} {
			row = append(row, run.Num(p.QPS).Under("at rate", run.UnitOps), run.Num(p.Memory.Mapped).Under("mapped", run.UnitBytes),
				run.Num(p.Memory.Resident).Under("resident", run.UnitBytes))
		}
		t.Add(append(row, run.Num(hi.Memory.Mapped/lo.Memory.Mapped).Under("growth", run.UnitTimes))...)
	}
	return t
}

// kept reports whether the memory of a valid point is known.
func kept(p *Point) bool { return p.Memory.Mapped > 0 }

// tailed reports whether the P99 of a valid point is known.
func tailed(p *Point) bool {
	return p.Response.Sound(0.99) && openloop.Punctual(&p.Late, &p.Response, 0.99)
}

// ends returns a codec's points at the lowest and at the highest common rate, among the valid
// points p for which has(p) is true. It returns false if there are fewer than two such points.
// Rates that are a share of a codec's own capacity do not count, since other codecs were not
// measured at them.
func ends(res *Result, codec string, has func(*Point) bool) (lo, hi *Point, ok bool) {
	for _, p := range of(res, codec) {
		if p.Of == 0 && p.valid() && has(p) {
			if lo == nil {
				lo = p
			}
			hi = p
		}
	}
	return lo, hi, lo != hi
}
