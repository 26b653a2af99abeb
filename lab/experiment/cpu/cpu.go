// Package cpu measures how codecs use processors: how they scale with the number of processors,
// what pinning changes, what the Go scheduler does meanwhile, how many instructions an operation
// takes and how it uses simulated caches.
//
// NOTE, the map: cpu.go is the experiment, scale.go runs loads on chosen processors, numa.go reads
// the machine's nodes, sched.go the scheduler's trace, walk.go measures what reflection costs,
// forms.go makes tables, findings.go writes the conclusions.
package cpu

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment measures the use of processors. Make one with New.
type Experiment struct {
	NUMA  bool // also pin to each node
	Count bool // count instructions with callgrind
}

// New returns the experiment with its defaults.
func New() *Experiment { return &Experiment{Count: true} }

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "cpu", Short: "processors: scaling, pinning, NUMA nodes, scheduler, instruction counts"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.BoolVar(&e.NUMA, "numa", false, "")
	fs.BoolVar(&e.Count, "callgrind", true, "")
	return `  -numa            also run on the processors of one NUMA node, and across all nodes
  -callgrind=false no instruction counts (they need valgrind, and some seconds a codec)
`
}

// nodes is the folder in which Linux describes NUMA nodes.
const nodes = "/sys/devices/system/node"

// Result is what run.json keeps of the experiment.
type Result struct {
	Nodes   []Node   `json:"nodes,omitempty"`
	Scale   []*Load  `json:"scale"`
	Places  []*Load  `json:"places,omitempty"`
	Sched   []Traced `json:"sched,omitempty"`
	Counts  []*Count `json:"counts,omitempty"`
	Walks   []Way    `json:"walks,omitempty"` // readings of all launches
	Codecs  []string `json:"codecs"`
	Counted int      `json:"counted_values"`
}

// Way is one way to reach every field of a value.
type Way = worker.Way

// Count is what one operation of a codec takes.
type Count struct {
	Codec string `json:"codec"`
	Op    string `json:"op"`
	callgrind.Counts
}

// Traced is the scheduler's trace of one codec.
type Traced struct {
	Codec string `json:"codec"`
	Sched
}

// Run measures all contenders and returns the tables, charts and findings.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	res := &Result{Counted: callgrind.Values}
	x := &run.Experiment{Title: "Processors", Question: "How does each codec use the processors: how does it scale, what does " +
		"pinning change, how many instructions does it take, and what does reflection cost?"}
	places := e.places(b, x, res)
	err := e.scale(ctx, b, res, places)
	if err == nil {
		err = e.walk(ctx, b, res)
	}
	if err == nil {
		err = e.trace(ctx, b, res)
	}
	if err == nil {
		err = e.count(ctx, b, x, res)
	}
	if len(res.Scale) == 0 {
		return nil, errors.Join(err, errors.New("nothing was measured"))
	}
	x.Absent = append(x.Absent, "cycles, branch misses and cache misses of the real processor: they are not read; zmy lab doctor says "+
		"whether this machine has the counters, and perf stat -p shows them")
	x.Tables, x.Charts, x.Findings = tables(res, b.Run().Host.Procs), charts(res), findings(res, b.Run().Host.Procs)
	return experiment.With(x, res, err)
}

// places returns the sets of processors to run on. With NUMA they include the machine's nodes.
func (e *Experiment) places(b *experiment.Bench, x *run.Experiment, res *Result) []place {
	have, err := harness.CPUs()
	if err != nil {
		x.Absent = append(x.Absent, "pinning: "+err.Error())
		return nil
	}
	if o := b.Options(); len(o.CPUs) > 0 {
		have = o.CPUs
	}
	var out []place
	if len(have) > 1 {
		out = append(out, place{"one processor", have[len(have)-1:]}, place{fmt.Sprintf("pinned to %d", len(have)), have})
	} else {
		x.Absent = append(x.Absent, "pinning: there is one processor only")
	}
	found, err := topology(nodes)
	if err != nil {
		x.Absent = append(x.Absent, "NUMA: "+err.Error())
		return out
	}
	res.Nodes = usable(found, have)
	switch {
	case len(res.Nodes) < 2:
		x.Absent = append(x.Absent, "NUMA: "+describe(found))
	case e.NUMA:
		var across []int
		for _, n := range res.Nodes {
			out = append(out, place{fmt.Sprintf("node %d", n.ID), n.CPUs})
			across = append(across, n.CPUs[0])
		}
		out = append(out, place{"one of each node", across})
	default:
		x.Absent = append(x.Absent, "NUMA: "+describe(found)+"; -numa measures on each")
	}
	return out
}

// trace runs every codec once under the scheduler's trace.
func (e *Experiment) trace(ctx context.Context, b *experiment.Bench, res *Result) error {
	for _, c := range b.Contenders {
		b.Progress("scheduler trace of " + c.Name)
		s, err := traced(ctx, b, c.Worker)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			b.Warn("no scheduler trace of %s: %v", c.Name, err)
			continue
		}
		res.Sched = append(res.Sched, Traced{c.Name, *s})
	}
	return nil
}

// count counts the instructions of encode and decode, if valgrind is installed. Unlike times,
// counts do not depend on the load of the machine, so one run of each is enough.
func (e *Experiment) count(ctx context.Context, b *experiment.Bench, x *run.Experiment, res *Result) error {
	if !e.Count {
		return nil
	}
	g, err := callgrind.Find()
	if err != nil {
		x.Absent = append(x.Absent, "instruction counts: "+err.Error())
		return nil
	}
	g.Caches = true
	for _, c := range b.Contenders {
		for _, op := range experiment.Ops {
			b.Progress(fmt.Sprintf("instructions of %s %s", c.Name, op))
			n, err := g.Count(ctx, c.Worker, b.Values(), op)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				b.Warn("no instruction count of %s %s: %v", c.Name, op, err)
				continue
			}
			res.Counts = append(res.Counts, &Count{c.Name, op, *n})
		}
	}
	return nil
}
