// Package gc measures what a codec's garbage costs: collections, pauses, the collector's CPU time,
// and the work that the collector makes the codec's goroutine do (assists). It measures fresh and
// reused encoders and buffers, with the collector's default settings, with the collector off, and
// with a large heap.
//
// NOTE, the map: gc.go is the experiment, alloc.go measures the share of time that allocation
// takes, forms.go makes tables and charts, findings.go writes the conclusions.
package gc

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment measures garbage collection. Make one with New.
type Experiment struct {
	Retain int // MiB of linked objects that stay in memory, as a cache would, in the setting Heavy
}

// New returns the experiment with its defaults.
func New() *Experiment { return &Experiment{Retain: 128} }

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "gc", Short: "what a codec's garbage costs: collections, pauses, lifetimes, reuse"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.IntVar(&e.Retain, "retain", e.Retain, "")
	return `  -retain 128      MiB of linked objects that live beside the codec in one of the settings
`
}

// Check validates the flags.
func (e *Experiment) Check() error {
	if e.Retain < 1 || e.Retain > 1<<20 {
		return fmt.Errorf("-retain %d: give MiB, at least 1", e.Retain)
	}
	return nil
}

// The settings of the collector.
const (
	Default = "default"
	Off     = "GC off"
	Heavy   = "large heap"
)

// Row is one operation of a codec in one mode under one setting, with the readings of all launches.
type Row struct {
	Codec   string             `json:"codec"`
	Op      string             `json:"op"`
	Mode    string             `json:"mode"`
	Setting string             `json:"setting"`
	N       int                `json:"n"` // operations per reading
	Reading []worker.GCReading `json:"readings"`
}

// Result is what run.json keeps of the experiment.
type Result struct {
	Retain int      `json:"retain_mib"`
	Rows   []*Row   `json:"rows"`
	Alloc  []Alloc  `json:"alloc,omitempty"`
	Ages   []Age    `json:"ages,omitempty"`
	Codecs []string `json:"codecs"`
}

// Age says how long dropped values of one codec stayed in memory.
type Age struct {
	Codec string           `json:"codec"`
	Life  worker.Lifetimes `json:"life"`
}

// mostGarbage bounds the bytes of garbage that one reading with the collector off may leave.
// Nothing frees them before the reading ends.
const mostGarbage = 256 << 20

// Run measures launch by launch. In a launch all rows of a codec run in one process, in a new
// order, so that modes and settings are compared within a process.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	res := &Result{Retain: e.Retain}
	by := map[string][]*Row{}
	var turns []experiment.Turn
	for _, c := range b.Contenders {
		by[c.Name] = rowsOf(c)
		turns = append(turns, experiment.Turn{Codec: c.Name, Doing: c.Name, Do: func(l int) error {
			return e.launch(ctx, b, c, by[c.Name], res, l)
		}})
	}
	broken, err := b.Turns(ctx, "gc", turns)
	for _, c := range b.Contenders {
		if !broken[c.Name] && len(by[c.Name]) > 0 && len(by[c.Name][0].Reading) > 0 {
			res.Codecs = append(res.Codecs, c.Name)
			res.Rows = append(res.Rows, by[c.Name]...)
		}
	}
	if len(res.Codecs) == 0 {
		return nil, errors.Join(err, errors.New("nothing was measured"))
	}
	x := &run.Experiment{Title: "Garbage collection", Question: "What does the garbage of each codec cost, and what does reuse save?"}
	x.Tables, x.Charts, x.Findings = tables(res), charts(res), findings(res)
	x.Warnings = doubts(res)
	return experiment.With(x, res, err)
}

// rowsOf lists the rows of a contender. Under the default setting these are mode fresh and the
// first mode that reuses something; under the other settings only mode fresh.
func rowsOf(c *lab.Built) (out []*Row) {
	for _, op := range experiment.Ops {
		fresh, reused := "", ""
		for _, m := range c.Modes {
			switch {
			case m.Op != op || m.Alias:
			case m.Mode == "fresh":
				fresh = m.Mode
			case reused == "" && (m.Mode == "append" || m.Mode == "pooled" || m.Mode == "reused"):
				reused = m.Mode
			}
		}
		if fresh == "" {
			continue
		}
		for _, s := range []string{Default, Off, Heavy} {
			out = append(out, &Row{Codec: c.Name, Op: op, Mode: fresh, Setting: s})
		}
		if reused != "" {
			out = append(out, &Row{Codec: c.Name, Op: op, Mode: reused, Setting: Default})
		}
	}
	return out
}

// launch starts a process of the contender and runs each row once in it. In the first launch it
// also takes a profile and measures lifetimes.
func (e *Experiment) launch(ctx context.Context, b *experiment.Bench, c *lab.Built, rows []*Row, res *Result, l int) error {
	p, err := b.Start(ctx, c.Worker, nil)
	if err != nil {
		return err
	}
	defer p.Close()
	share := b.Budget() / time.Duration(b.Launches()*len(b.Contenders))
	each := min(max(share*2/3/time.Duration(max(1, len(rows))), 20*time.Millisecond), 5*time.Second)
	for _, i := range b.Rand(fmt.Sprint(c.Name, l)).Perm(len(rows)) {
		r := rows[i]
		if r.N == 0 {
			if err := size(ctx, p, rows, r.Op, each); err != nil {
				return err
			}
		}
		got, err := experiment.Ask[worker.GCReading](ctx, p, worker.CmdGC, e.args(r), b.Budget())
		if err != nil {
			return fmt.Errorf("%s %s, %s: %w", r.Op, r.Mode, r.Setting, err)
		}
		r.Reading = append(r.Reading, *got)
	}
	if l > 0 {
		return nil
	}
	for _, op := range experiment.Ops {
		a, err := measureAlloc(ctx, p, c.Name, op, max(share/6, 100*time.Millisecond), b.Budget())
		if err != nil {
			return fmt.Errorf("profile of %s: %w", op, err)
		}
		res.Alloc = append(res.Alloc, *a)
	}
	life, err := experiment.Ask[worker.Lifetimes](ctx, p, worker.CmdLifetime,
		worker.Lifetime{For: max(share/6, 100*time.Millisecond), Every: 64}, b.Budget())
	if err != nil {
		return fmt.Errorf("lifetimes: %w", err)
	}
	res.Ages = append(res.Ages, Age{c.Name, *life})
	return nil
}

func (e *Experiment) args(r *Row) worker.GC {
	q := worker.GC{Task: worker.Task{Op: r.Op}, N: r.N, GOGC: 100}
	if r.Op == "encode" {
		q.Task.Encode = r.Mode
	} else {
		q.Task.Decode = r.Mode
	}
	switch r.Setting {
	case Off:
		q.GOGC = -1
	case Heavy:
		q.Retain = int64(e.Retain) << 20
	}
	return q
}

// size chooses the number of operations for the rows of op. It is the same for all of them, so that
// their collections can be compared. With the collector off it is lower if the garbage would exceed
// mostGarbage.
func size(ctx context.Context, p *experiment.Process, rows []*Row, op string, each time.Duration) error {
	a, err := p.Do(ctx, worker.Request{Cmd: worker.CmdCalibrate, Op: op, Mode: "fresh", Target: 5 * time.Millisecond}, 0)
	if err != nil {
		return err
	}
	one, err := p.Do(ctx, worker.Request{Cmd: worker.CmdRun, Op: op, Mode: "fresh", N: a.Calibrate.N}, 0)
	if err != nil {
		return err
	}
	n := max(16, int(float64(each)/max(a.Calibrate.Ns, 1)))
	perOp := one.Run.Bytes / float64(one.Run.N)
	for _, r := range rows {
		if r.Op != op {
			continue
		}
		if r.N = n; r.Setting == Off && perOp > 0 {
			r.N = max(1, min(n, int(mostGarbage/perOp)))
		}
	}
	return nil
}
