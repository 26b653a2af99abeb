package profile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// result is everything that was found.
type result struct {
	subject string
	dir     string // folder of the raw profiles; "" if they are not kept
	codecs  []*codecProfile
}

// mostSpots is the largest number of hot spots that are described in words; the tables mark all.
const mostSpots = 10

// experiment makes the report of what was found.
func (r *result) experiment() *run.Experiment {
	e := &run.Experiment{
		Title:    "Where time and memory go",
		Question: "What does each codec do while it encodes and decodes " + r.subject + ", and what would help?",
	}
	var spots []hotSpot
	for _, c := range r.codecs {
		for _, o := range c.ops {
			spots = append(spots, o.hotSpots(c.name)...)
			if o.samples < fewSamples {
				e.Warnings = append(e.Warnings, fmt.Sprintf("%s, %s: the profile has %d samples only; a larger -budget makes its shares steadier",
					c.name, o.op, o.samples))
			}
		}
	}
	slices.SortStableFunc(spots, func(a, b hotSpot) int { return cmp.Compare(b.share, a.share) })
	for _, s := range spots[:min(len(spots), mostSpots)] {
		e.Findings = append(e.Findings, s.sentence())
	}
	if len(spots) == 0 && len(r.codecs) > 0 {
		e.Findings = append(e.Findings, "No kind of work stands out in any codec: what is left is the codecs' own work.")
	}
	e.Tables = []run.Table{r.kindTable("encode"), r.kindTable("decode"), r.slowTable()}
	for _, c := range r.codecs {
		e.Findings = append(e.Findings, c.slowestText())
		e.Charts = append(e.Charts, c.flames(r.find(run.Baseline))...)
	}
	if r.dir != "" {
		e.Warnings = append(e.Warnings, "profiles are kept in "+filepath.Base(r.dir)+": go tool pprof -http=: "+filepath.Join(r.dir,
			"NAME.cpu.pb.gz")+
			" (-tagfocus op=decode for one op), go tool trace "+filepath.Join(r.dir, "NAME.trace"))
	}
	return e
}

func (r *result) find(name string) *codecProfile {
	return experiment.First(r.codecs, func(c *codecProfile) bool { return c.name == name })
}

func (c *codecProfile) op(name string) *opProfile {
	return experiment.First(c.ops, func(o *opProfile) bool { return o.op == name })
}

// kindTable has a row per kind of work and a column per codec, for one op.
func (r *result) kindTable(op string) run.Table {
	t := run.Table{Title: "CPU time of " + op + " by kind of work",
		Note: "Nanoseconds per operation, of the profiler's samples. What is allocated is counted to allocating whoever asks for it."}
	add := func(name string, of func(*opProfile) run.Item) {
		row, any := []run.Figure{run.Text(name).Under("kind of work", "")}, false
		for _, c := range r.codecs {
			if o := c.op(op); o != nil {
				x := of(o)
				row, any = append(row, x.Under(c.name, run.UnitNS)), any || *x.Value > 0
			}
		}
		if any {
			t.Add(row...)
		}
	}
	for _, k := range kinds {
		add(k, func(o *opProfile) run.Item {
			hot := slices.ContainsFunc(o.hotSpots(""), func(h hotSpot) bool { return h.kind == k })
			return run.Num(o.kinds[k]).Marked("bad", hot)
		})
	}
	add("all", func(o *opProfile) run.Item { return run.Num(o.total) })
	return t
}

func (r *result) slowTable() run.Table {
	t := run.Table{Title: "The slowest call", Note: "Calls one by one under a flight recorder, which makes each a little slower. The trace " +
		"shows what the process did in the milliseconds around it."}
	for _, c := range r.codecs {
		w := c.worst
		if w == nil {
			continue
		}
		p99, trace := run.Num(w.P99), run.Text(c.trace)
		if w.N < 10_000 {
			p99 = experiment.None("too few calls")
		}
		if c.trace == "" {
			trace = experiment.None("none: " + cmp.Or(w.Trace, "it came among the first calls"))
		}
		t.Add(run.Text(c.name).Under("codec", ""), run.Text(c.slow().op).Under("op", ""), run.Num(float64(w.N)).Under("calls", run.UnitCount),
			run.Num(w.Median).Under("median", run.UnitNS), p99.Under("P99", run.UnitNS), run.Num(w.Ns).Under("slowest", run.UnitNS),
			run.Num(w.Usual).Under("same value usually", run.UnitNS), run.Num(float64(w.Bytes)).Under("its size", run.UnitBytes),
			run.Num(float64(w.GCs)).Under("collections", run.UnitCount).Means("garbage collections that ended during the call"),
			run.Num(float64(w.Taken)).Under("preempted", run.UnitCount).
				Means("times that the system took a processor from the process during the call"),
			trace.Under("trace", ""))
	}
	return t
}

// slowestText says what happened during the slowest call.
func (c *codecProfile) slowestText() string {
	w := c.worst
	if w == nil || w.Median <= 0 {
		return ""
	}
	usual := cmp.Or(w.Usual, w.Median)
	s := fmt.Sprintf("%s: the slowest of %s calls of %s took %s, %s what the same value takes otherwise", c.name,
		quantity.Count(float64(w.N)), c.slow().op,
		quantity.Time(w.Ns), quantity.Times(w.Ns/usual))
	switch {
	case w.Ns < 2*usual:
		return s + ": nothing unusual happened, the value is large."
	case w.GCs > 0 && w.Stopped > 0.5*w.Ns:
		return s + fmt.Sprintf(": the garbage collector had stopped the process for %s of it.", quantity.Time(w.Stopped))
	case w.Taken > 0:
		return s + fmt.Sprintf(": the system took the processor away %s meanwhile, so it tells of the machine more than of the codec.",
			times(w.Taken))
	case w.GCs > 0:
		return s + ": a garbage collection ended meanwhile, whose work runs beside and inside of the calls."
	}
	return s + ": no garbage collection ended in it; the machine ran something else meanwhile, or a collection was under way, and the trace " +
		"shows which."
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// flames draws the codec's flame graphs: time, memory, and time against the baseline.
func (c *codecProfile) flames(base *codecProfile) []run.Chart {
	cpu, heap := &run.Frame{Name: c.name}, &run.Frame{Name: c.name}
	for _, o := range c.ops {
		add(cpu, tree(o.op, o.cpu))
		add(heap, tree(o.op, o.heap))
	}
	prune(cpu, cut*cpu.Value)
	prune(heap, cut*heap.Value)
	out := []run.Chart{
		{Kind: run.ChartFlame, Title: c.name + ": CPU time", Note: "Width is ns per operation.",
			Y: run.Axis{Name: "CPU time per op", Unit: run.UnitNS}, Flame: cpu},
		{Kind: run.ChartFlame, Title: c.name + ": memory allocated", Note: "Width is bytes per operation.",
			Y: run.Axis{Name: "allocated per op", Unit: run.UnitBytes}, Flame: heap},
	}
	if heap.Value == 0 {
		out = out[:1]
	}
	if base == nil || base == c {
		return out
	}
	diff := &run.Frame{Name: c.name}
	for _, o := range c.ops {
		b := base.op(o.op)
		if b == nil {
			continue
		}
		f := tree(o.op, byKind(o.cpu))
		difference(f, tree(o.op, byKind(b.cpu)))
		add(diff, f)
		diff.Delta += f.Delta
	}
	prune(diff, cut*max(diff.Value, diff.Value-diff.Delta))
	return append(out, run.Chart{Kind: run.ChartFlame, Title: c.name + " against " + base.name + ": CPU time by kind of work",
		Note: "Two codecs share few functions, so their samples are put together by kind of work first. Colour is the difference in ns per " +
			"operation.",
		Y: run.Axis{Name: "CPU time per op", Unit: run.UnitNS}, Flame: diff})
}

func add(root, op *run.Frame) {
	root.Value += op.Value
	root.Calls = append(root.Calls, op)
}
