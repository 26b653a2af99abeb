// Package contention measures what goroutines cost each other: a pool of encoders, counters on
// shared cache lines, locks around a published value, and the forms in which one goroutine hands a
// message to another.
//
// NOTE, the map: contention.go is the experiment, forms.go its tables, findings.go writes the
// conclusions, ratio.go compares two ways. The loops themselves run in the worker (contention.go
// and handoff.go there).
package contention

import (
	"context"
	"embed"
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

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "contention", Short: "what goroutines cost each other: pools, cache lines, locks, hand-off"}
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

// client holds the package that gives a worker encoding/gob, for one form of hand-off.
//
//go:embed client
var client embed.FS

// Beside returns the package of encoding/gob.
func (e *Experiment) Beside() (*contender.Beside, error) {
	return contender.ReadBeside(client, "client", "handoff")
}

// Alone is the name of the rows that are measured without any codec.
const Alone = "without a codec"

// Result is what run.json keeps of the experiment, with the readings of all launches. Figures of
// different ways with the same index were read one after the other in one process.
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
type Way = experiment.Way

// repeats is the number of readings of each way in one process.
const repeats = 5

// Run measures every contender, in a new process for each launch.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	res := &Result{Goroutines: e.Goroutines, Pool: map[string][]Way{}, Sharing: map[string][]Way{}, Publish: map[string][]Way{},
		HandOff: map[string][]Way{}}
	var turns []experiment.Turn
	for _, c := range b.Contenders {
		turns = append(turns, experiment.Turn{Codec: c.Name, Doing: c.Name, Do: func(int) error { return e.one(ctx, b, c, res) }})
	}
	broken, err := b.Turns(ctx, "contention", turns)
	for _, c := range b.Contenders {
		if res.HandOff[c.Name] != nil && !broken[c.Name] {
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
	x.Tables, x.Charts, x.Findings = tables(res, procs), charts(res), findings(res, procs)
	if procs < 4 {
		x.Warnings = append(x.Warnings, fmt.Sprintf("%d processors: locks and shared cache lines cost more where more goroutines run at the "+
			"same time", procs))
	}
	return experiment.With(x, res, err)
}

// one adds the readings of one process to res. Ways that are compared with each other do the same
// number of operations. one chooses the number so that a reading takes about the time target. The
// loops without a codec take only some ns per operation, so they do more operations.
func (e *Experiment) one(ctx context.Context, b *experiment.Bench, c *lab.Built, res *Result) error {
	p, err := b.Start(ctx, c.Worker, nil)
	if err != nil {
		return err
	}
	defer p.Close()
	first := slices.IndexFunc(c.Modes, func(m worker.Mode) bool { return m.Op == "encode" })
	if first < 0 {
		return errors.New("it has no way to encode")
	}
	a, err := p.Do(ctx, worker.Request{Cmd: worker.CmdCalibrate, Op: "encode", Mode: c.Modes[first].Mode, Target: 5 * time.Millisecond}, 0)
	if err != nil {
		return err
	}
	const ways = 3 + 2 + 3 + 2*5 // pool, sharing, publish, hand-off; a hand-off counts twice, since gob is slow
	target := b.Budget() / time.Duration(b.Launches()*len(b.Contenders)*ways*(repeats+1))
	target = min(max(target, 2*time.Millisecond), 100*time.Millisecond)
	n := max(1, int(float64(target)*float64(p.Made.Values.Procs)/max(a.Calibrate.Ns, 1)/float64(e.Goroutines)))
	ask := func(ways []Way, cmd string, args any) []Way {
		if err != nil {
			return ways
		}
		var r *worker.Readings
		if r, err = experiment.Ask[worker.Readings](ctx, p, cmd, args, b.Budget()); err != nil {
			return ways
		}
		return experiment.Join(ways, r.Ways)
	}
	work := worker.Contended{Goroutines: e.Goroutines, N: n, Repeats: repeats}
	if c.Name == run.Baseline { // these loops run without a codec, so once is enough
		bare := work
		bare.Bare, bare.N = true, max(n, int(target.Nanoseconds()/50)/e.Goroutines)
		res.Sharing[Alone] = ask(res.Sharing[Alone], worker.CmdSharing, bare)
		res.Publish[Alone] = ask(res.Publish[Alone], worker.CmdPublish, bare)
		res.MiB = ask(res.MiB, worker.CmdHandOff, worker.HandOff{N: max(8, int(target/time.Millisecond)), Repeats: repeats, MiB: true})
	}
	res.Pool[c.Name] = ask(res.Pool[c.Name], worker.CmdPool, work)
	res.Sharing[c.Name] = ask(res.Sharing[c.Name], worker.CmdSharing, work)
	res.Publish[c.Name] = ask(res.Publish[c.Name], worker.CmdPublish, work)
	res.HandOff[c.Name] = ask(res.HandOff[c.Name], worker.CmdHandOff, worker.HandOff{N: max(8, n*e.Goroutines/8), Repeats: repeats})
	return err
}
