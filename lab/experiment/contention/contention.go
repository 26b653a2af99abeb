// Package contention measures what goroutines cost each other: a pool of encoders, counters on
// shared cache lines, locks around a published value, and the forms in which one goroutine hands a
// message to another.
//
// NOTE, the map: contention.go is the experiment, forms.go its tables, findings.go writes the
// conclusions, ratio.go compares two ways. The loops themselves run in the worker (contention.go
// and handoff.go there).
package contention

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment measures contention between goroutines. Make one with New.
type Experiment struct {
	Goroutines int
}

// New returns the experiment with its defaults.
func New() *Experiment { return &Experiment{Goroutines: 16} }

// Name returns the name of the subcommand.
func (e *Experiment) Name() string { return "contention" }

// Short returns a description of one line.
func (e *Experiment) Short() string {
	return "what goroutines cost each other: pools, cache lines, locks, hand-off"
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.IntVar(&e.Goroutines, "goroutines", e.Goroutines, "")
	return `  -goroutines 16   how many encode at once
`
}

// Check validates the flags.
func (e *Experiment) Check() error {
	if e.Goroutines < 2 || e.Goroutines > 1<<16 {
		return fmt.Errorf("-goroutines %d: contention needs between 2 and 65536", e.Goroutines)
	}
	return nil
}

// client holds the package that gives a worker encoding/gob, for one form of hand-off. It is
// compiled into the workers of this experiment only.
//
//go:embed client
var client embed.FS

// Adapt adds encoding/gob to a codec's worker.
func (e *Experiment) Adapt(info contender.Info) (contender.Info, error) {
	p, err := contender.ReadBeside(client, "client", "handoff")
	if err != nil {
		return info, err
	}
	return info.With(p)
}

// Alone is the name of the rows that are measured without any codec.
const Alone = "without a codec"

// Result is what run.json keeps of the experiment, with the readings of all launches. Figures with
// the same index in different ways were read together.
type Result struct {
	Goroutines int              `json:"goroutines"`
	Codecs     []string         `json:"codecs"` // in the order of the tables
	Pool       map[string][]Way `json:"pool"`
	Sharing    map[string][]Way `json:"sharing"`
	Publish    map[string][]Way `json:"publish"`
	HandOff    map[string][]Way `json:"hand_off"`
	MiB        []Way            `json:"hand_off_1_mib"`

	apart float64 // the largest p-value at which two ways are called different; see settle
}

// Way is one way to do a task, with its readings.
type Way = worker.Way

// repeats is the number of readings of each way in one process.
const repeats = 5

// Run measures every contender, in a new process for each launch.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	res := &Result{Goroutines: e.Goroutines, Pool: map[string][]Way{}, Sharing: map[string][]Way{}, Publish: map[string][]Way{},
		HandOff: map[string][]Way{}}
	order := b.Rand("contention")
	broken := map[string]bool{}
	var err error
launches:
	for l := range b.Launches() {
		for _, i := range order.Perm(len(b.Contenders)) {
			c := b.Contenders[i]
			if broken[c.Name] {
				continue
			}
			b.Progress(fmt.Sprintf("%s, launch %d of %d", c.Name, l+1, b.Launches()))
			got, err1 := e.one(ctx, b, c)
			if ctx.Err() != nil {
				err = ctx.Err()
				break launches
			}
			if err1 != nil {
				b.Drop(c.Name, err1)
				broken[c.Name] = true
				continue
			}
			res.merge(c.Name, got)
		}
	}
	for _, c := range b.Contenders {
		if res.Pool[c.Name] != nil && !broken[c.Name] {
			res.Codecs = append(res.Codecs, c.Name)
		}
	}
	if len(res.Codecs) == 0 {
		return nil, errors.Join(err, errors.New("no contention was measured"))
	}
	x := &run.Experiment{Title: "Contention", Question: "What do goroutines that encode at once cost each other, and in which form should " +
		"one hand a message to another?"}
	res.settle()
	procs := b.Run().Host.Procs
	x.Tables = tables(res, procs)
	x.Charts = charts(res)
	x.Findings = findings(res, procs)
	if procs < 4 {
		x.Warnings = append(x.Warnings, fmt.Sprintf("%d processors: locks and shared cache lines cost more where more goroutines run at the "+
			"same time", procs))
	}
	data, jerr := json.Marshal(res)
	x.Data = data
	return x, errors.Join(err, jerr)
}

// one returns the readings of one process.
func (e *Experiment) one(ctx context.Context, b *experiment.Bench, c *lab.Built) (*Result, error) {
	p, err := b.Start(ctx, c.Worker, nil)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	first := slices.IndexFunc(c.Modes, func(m worker.Mode) bool { return m.Op == "encode" })
	if first < 0 {
		return nil, errors.New("it has no way to encode")
	}
	a, err := p.Do(ctx, worker.Request{Cmd: worker.CmdCalibrate, Op: "encode", Mode: c.Modes[first].Mode, Target: 5 * time.Millisecond}, 0)
	if err != nil {
		return nil, err
	}
	const ways = 3 + 2 + 3 + 2*5 // of encoding; a hand-off by gob takes several times as long
	target := b.Budget() / time.Duration(b.Launches()*len(b.Contenders)*ways*(repeats+1))
	target = min(max(target, 2*time.Millisecond), 100*time.Millisecond)
	n := max(1, int(float64(target)*float64(p.Values.Procs)/max(a.Calibrate.Ns, 1)/float64(e.Goroutines)))
	out := &Result{Pool: map[string][]Way{}, Sharing: map[string][]Way{}, Publish: map[string][]Way{}, HandOff: map[string][]Way{}}
	work := worker.Contended{Goroutines: e.Goroutines, N: n, Repeats: repeats}
	bare := work
	bare.Bare, bare.N = true, max(n, int(target.Nanoseconds()/50)/e.Goroutines)
	ask := func(to *[]Way, cmd string, args any) {
		if err != nil {
			return
		}
		var r *worker.Readings
		if r, err = experiment.Ask[worker.Readings](ctx, p, cmd, args, b.Budget()); err == nil {
			*to = r.Ways
		}
	}
	var pool, sharing, publish, handOff, aloneSharing, alonePublish []Way
	ask(&pool, worker.CmdPool, work)
	ask(&sharing, worker.CmdSharing, work)
	ask(&publish, worker.CmdPublish, work)
	ask(&handOff, worker.CmdHandOff, worker.HandOff{N: max(8, n*e.Goroutines/8), Repeats: repeats})
	if c.Name == run.Baseline { // these do not depend on the codec
		ask(&aloneSharing, worker.CmdSharing, bare)
		ask(&alonePublish, worker.CmdPublish, bare)
		ask(&out.MiB, worker.CmdHandOff, worker.HandOff{N: max(8, int(target/time.Millisecond)), Repeats: repeats, MiB: true})
		out.Sharing[Alone], out.Publish[Alone] = aloneSharing, alonePublish
	}
	out.Pool[c.Name], out.Sharing[c.Name], out.Publish[c.Name], out.HandOff[c.Name] = pool, sharing, publish, handOff
	return out, err
}

// merge adds the readings of another launch.
func (r *Result) merge(codec string, o *Result) {
	for _, m := range []struct{ to, from map[string][]Way }{{r.Pool, o.Pool}, {r.Sharing, o.Sharing}, {r.Publish, o.Publish},
		{r.HandOff, o.HandOff}} {
		for name, ways := range m.from {
			m.to[name] = join(m.to[name], ways)
		}
	}
	r.MiB = join(r.MiB, o.MiB)
}

// join appends the readings of one process in b to the ways of a. A process that could not measure
// a way is one without readings.
func join(a, b []Way) []Way {
	if len(b) == 0 {
		return a
	}
	if a == nil {
		a = make([]Way, len(b))
		for i := range b {
			a[i] = Way{Name: b[i].Name}
		}
	}
	for i := range b {
		a[i].Bytes, a[i].None = b[i].Bytes, cmp.Or(b[i].None, a[i].None)
		a[i].Each = append(a[i].Each, len(b[i].NS))
		a[i].NS, a[i].CPU = append(a[i].NS, b[i].NS...), append(a[i].CPU, b[i].CPU...)
		a[i].Gets, a[i].Hits = a[i].Gets+b[i].Gets, a[i].Hits+b[i].Hits
	}
	return a
}
