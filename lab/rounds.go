package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Lane is one program in the rounds: a contender, or the twin of the baseline, a second process of
// the same program. It is a measure.Relauncher.
type Lane struct {
	lab    *Opened
	name   string
	p      *probed
	values worker.Request // request with which a new process makes its values
	cells  []measure.Cell
	life   context.Context      // context of its processes
	first  map[string][]float64 // ns of the first call of each op, one entry per launch
	proc   *harness.Session

	proves   bool               // whether its calls are judged and its processes verified
	faults   []fault            // findings of the checks on its calls and processes
	proofs   []string           // files with messages of timed calls, one per process
	verified []*worker.Verified // one per process
}

// lane returns the lane of a contender or of the twin. The twin runs mode fresh only, which is
// enough for the noise floor. Modes other than fresh have fewer rounds, but for those that the user
// asked for.
func (l *Opened) lane(ctx context.Context, name string, p *probed) *Lane {
	c := stats.Contender(l.run, p.worker.Name)
	ln := &Lane{lab: l, name: name, p: p, values: l.Values(), life: ctx, first: map[string][]float64{}, proves: true}
	for _, m := range p.modes {
		fresh, stream := m.Mode == "fresh", m.Mode == worker.ModeWriter || m.Mode == worker.ModeReader
		if fresh || name != run.Twin {
			ln.cells = append(ln.cells, measure.Cell{Op: m.Op, Mode: m.Mode, Rank: fresh && c.Rankless == "", Seldom: !fresh && !stream})
		}
	}
	return ln
}

// Name and Cells implement measure.Worker.
func (ln *Lane) Name() string          { return ln.name }
func (ln *Lane) Cells() []measure.Cell { return ln.cells }

// Relaunch verifies and ends the process, if there is one, and starts a new one, which makes its
// values again.
func (ln *Lane) Relaunch(ctx context.Context) error {
	if err := ln.verify(ctx); err != nil {
		return err
	}
	ln.Close()
	q := ln.values
	q.First = true
	p, err := ln.p.worker.Open(ln.life, harness.Opening{Values: q, Note: ln.lab.warn})
	if err != nil {
		return err
	}
	ln.proc = p
	for _, f := range p.Made.First {
		ln.first[f.Op] = append(ln.first[f.Op], f.Ns)
	}
	return nil
}

// Close ends the lane's process.
func (ln *Lane) Close() {
	if ln.proc != nil {
		ln.proc.Close()
		ln.proc = nil
	}
}

// Run times one batch. It starts a process if none runs.
func (ln *Lane) Run(ctx context.Context, q measure.Batch) (measure.Reading, error) {
	if ln.proc == nil {
		if err := ln.Relaunch(ctx); err != nil {
			return measure.Reading{}, err
		}
	}
	ask := worker.Request{Cmd: worker.CmdRun, Op: q.Op, Mode: q.Mode, N: q.N, Block: q.Block, From: q.From, Warm: q.Warm}
	if ln.proves && !q.Warm { // nothing else may run while allocations are counted
		ask.Looks = looks
	}
	a, err := ln.proc.Do(ctx, ask, 0)
	if err != nil {
		return measure.Reading{}, err
	}
	b := a.Run
	if err := ln.take(b.Odd); err != nil {
		return measure.Reading{}, err
	}
	return measure.Reading{N: b.N, WallNS: b.Wall, CPUNS: b.CPU, Allocs: b.Allocs, Bytes: b.Bytes, Wire: b.Wire}, nil
}

// Schedule returns the plan of the depth's rounds, for a gate that measures as the codec table does.
// Its callbacks show the progress in the run's UI, with the time since Schedule was called.
func (l *Opened) Schedule() measure.Config { return l.lead(l.o.Depth.schedule(l.o.Budget)) }

// tableSchedule is [Opened.Schedule] for the codec table.
func (l *Opened) tableSchedule(lanes int) measure.Config {
	cfg := l.o.Depth.schedule(l.o.Budget)
	if l.o.brief() {
		cfg.Budget, cfg.Reserve = min(max(briefBudget, time.Duration(lanes)*briefLane), briefReserve), briefReserve
		cfg.Settled = l.settled
	}
	return l.lead(cfg)
}

// lead completes a plan by what the run knows, and by callbacks to its UI.
func (l *Opened) lead(cfg measure.Config) measure.Config {
	cfg.Seed, cfg.Values, cfg.Started = l.o.Seed, l.run.Subject.Values, l.start
	cfg.Timeout = 2*harness.MostStarved*l.o.Limits.Answer + 10*time.Second // a session has its own limit and may try twice
	begin, phase, last := time.Now(), "", time.Time{}
	say := func() {
		if now := time.Now(); now.Sub(last) > 100*time.Millisecond {
			last = now
			l.ui.Rounds(phase, now.Sub(begin), cfg.Budget)
		}
	}
	cfg.OnPhase = func(text string) { phase, last = text, time.Time{}; say() }
	cfg.OnRow = func(*run.Cell) { say() }
	return cfg
}

// rounds leads the interleaved rounds of all contenders that are still in the run, and then proves
// them.
func (l *Opened) rounds(ctx context.Context) error {
	var lanes []measure.Worker
	var mine []*Lane
	add := func(ln *Lane) { lanes, mine = append(lanes, ln), append(mine, ln) }
	defer func() {
		for _, ln := range mine {
			ln.Close()
		}
	}()
	for _, p := range l.probed {
		add(l.lane(ctx, p.worker.Name, p))
		if p.worker.Name == run.Baseline {
			add(l.lane(ctx, run.Twin, p))
		}
	}
	begin, cfg := time.Now(), l.tableSchedule(len(lanes))
	l.run.Budget = cfg.Budget.Seconds()
	cells, had, err := measure.Measure(ctx, lanes, cfg)
	if cfg.Settled != nil { // a run that was interrupted has the part of its last look, which is none of the earlier ones'
		l.run.Look = cmp.Or(l.run.Look, stats.LookAfter(had.Planned, had.Planned))
	}
	l.run.Measured = time.Since(begin).Seconds()
	for _, c := range cells {
		for _, ln := range mine {
			if ln.name != c.Codec {
				continue
			}
			for _, m := range ln.p.modes {
				c.Alias = c.Alias || m.Op == c.Op && m.Mode == c.Mode && m.Alias
			}
			if c.Mode == "fresh" && len(ln.first[c.Op]) > 0 {
				c.First = worker.Quantile(ln.first[c.Op], 0.5)
			}
		}
		if len(c.Samples) > 0 {
			l.run.Cells = append(l.run.Cells, c)
		}
	}
	l.run.Noise.Launch, l.run.Noise.Rounds = had.Launches, had.PerLaunch
	for _, w := range had.Warnings {
		l.warn(stats.Schedule + w)
	}
	for _, d := range had.Dropped {
		l.dropped(d)
	}
	if err == nil && had.Partial {
		err = errors.New(had.PartialWhy)
	}
	if ctx.Err() != nil {
		l.warn("the run was stopped before the timed processes were verified: what they did in their timed calls was looked at, " +
			"what other processes make of their messages was not")
		return ctx.Err()
	}
	cfg.OnPhase("verify")
	return errors.Join(err, l.prove(ctx, mine))
}

// settled judges a copy of the run with the rows so far, and reports whether the rounds can stop.
// If so, it notes the look.
func (l *Opened) settled(launch, planned int, rows []*run.Cell) bool {
	look := stats.LookAfter(launch, planned)
	if look == nil {
		return false
	}
	r := *l.run
	r.Look, r.Contenders, r.Cells, r.Warnings = look, copies(r.Contenders), copies(rows), slices.Clone(r.Warnings)
	stats.Fill(&r)
	if !stats.Settled(&r) {
		return false
	}
	l.run.Look = look
	return true
}

// copies returns copies of what the pointers point to.
func copies[T any](all []*T) []*T {
	out := make([]*T, len(all))
	for i, x := range all {
		c := *x
		out[i] = &c
	}
	return out
}

// dropped takes a contender that failed during the rounds out of the run.
func (l *Opened) dropped(d measure.Dropped) {
	if d.Name == run.Twin {
		l.warn(fmt.Sprintf("the twin of the baseline broke (%s: %v): the noise floor is unknown", d.When, d.Err))
		return
	}
	why := failure(d.Err)
	if errors.As(d.Err, new(*notDone)) {
		why = brokeProof(stats.Contender(l.run, d.Name), d.Err)
	}
	why.Where = strings.TrimPrefix(strings.TrimSpace(d.Cell.Op+" "+d.Cell.Mode)+", "+d.When, ", ")
	l.drop(stats.Contender(l.run, d.Name), run.StatusFailed, why)
}
