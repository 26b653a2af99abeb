package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// NOTE: two processes judge a contender. The first one (probe) grades fidelity, measures sizes
// and takes provisional figures. The second one (check) reads what the first one wrote, and is then
// given damaged input: it may die of that without any loss of figures. Later, prove.go checks the
// timed processes.

// probed is what the lab learned from the first process of a contender.
type probed struct {
	worker *harness.Worker
	modes  []worker.Mode
	info   *worker.Values
	desc   *worker.Describe
	quick  []*run.Cell // provisional figures of mode fresh

	novel string          // file of encoded values that are never timed; "" if there is none
	kinds map[string]bool // kinds of changes that judged values showed; timed calls may show no others
}

// asker sends commands to a process until one fails; later commands return an empty reply.
type asker struct {
	ctx context.Context
	p   process
	err error
}

// process is a running worker. harness.Session implements it.
type process interface {
	Do(ctx context.Context, q worker.Request, extra time.Duration) (*worker.Reply, error)
}

// do returns the reply to q, or an empty one after the first failure. So callers send their
// commands one after another, and look at err once.
func (a *asker) do(q worker.Request) *worker.Reply {
	if a.err != nil {
		return &worker.Reply{}
	}
	r, err := a.p.Do(a.ctx, q, 0)
	if err != nil {
		a.err = err
		return &worker.Reply{}
	}
	return r
}

// A provisional figure is the median of provisionalBatches batches, each of about
// provisionalTarget.
const (
	provisionalBatches = 5
	provisionalTarget  = 5 * time.Millisecond
)

// probe runs a contender's first process. It judges the codec, and takes the first, provisional
// figures.
func (l *Opened) probe(ctx context.Context, w *harness.Worker, c *run.Contender) (*probed, error) {
	p, err := w.Open(ctx, harness.Opening{Values: l.Values(), Note: l.warn})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	a := &asker{ctx: ctx, p: p}
	out := &probed{worker: w, info: p.Made.Values}
	f := a.do(worker.Request{Cmd: worker.CmdFidelity}).Fidelity
	if a.err != nil {
		return nil, a.err
	}
	c.Contract, c.Value = grade(f.Contract), grade(f.Value)
	if c.Family == contender.FamilyFloor && f.Value.Grade != run.Fails {
		c.Value = run.Grade{} // a floor knows the values beforehand
	}
	out.kinds = map[string]bool{}
	for _, k := range f.Kinds {
		out.kinds[k] = true
	}
	gradeExtremes(c, f)
	if c.Family != contender.FamilyFloor { // a floor is no codec
		c.Dashed = f.Dashed
	}
	if f.Changed != "" {
		blame(c, worker.CheckValues, f.Changed)
	}
	if f.Spoilt != "" {
		blame(c, worker.CheckAfter, f.Spoilt)
	}
	if f.Value.Grade == run.Fails {
		d := f.Value.Diffs[0]
		return nil, fmt.Errorf("%s of %s: %s", d.Before, d.Path, d.After)
	}
	dump := w.Scratch(dumpName)
	if s := a.do(worker.Request{Cmd: worker.CmdSizes, Dump: dump}).Sizes; s != nil {
		c.Sizes = run.Sizes{Raw: s.Raw, Gzip: s.Gzip, P95: s.P95, Total: s.Total, GzipNs: s.GzipNs,
			Mean: s.Mean, MeanGzip: s.MeanGzip, Max: s.Max}
		if c.Sizes.Zstd, err = zstdMedian(dump); err != nil {
			return nil, err
		}
	}
	for _, m := range a.do(worker.Request{Cmd: worker.CmdModes}).Modes {
		if m.Wrong == "" {
			out.modes = append(out.modes, m)
			if m.Note != "" {
				c.Notes = append(c.Notes, fmt.Sprintf("%s in mode %s: %s", m.Op, m.Mode, m.Note))
			}
			continue
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s in mode %s is not measured: %s", m.Op, m.Mode, m.Wrong))
	}
	out.quick = provisional(a, c.Name, out.modes)
	if out.desc = a.do(worker.Request{Cmd: worker.CmdDescribe}).Describe; out.desc != nil {
		c.Value.Except = out.desc.Untested
		if c.LeavesOut = out.desc.LeavesOut; len(c.LeavesOut) > 0 {
			c.Notes = append(c.Notes, "its messages have no "+run.Some(c.LeavesOut)+", as its generator notes")
		}
	}
	return out, a.err
}

// gradeExtremes notes what became of the extreme values. A codec that loses one without an error is
// not graded lossless.
func gradeExtremes(c *run.Contender, f *worker.Fidelity) {
	for _, e := range f.Edges {
		c.Value.Edges = append(c.Value.Edges, run.Edge(e))
	}
	lost, refused := c.Value.Lost(), c.Value.Refused()
	if len(lost) > 0 && (c.Value.Grade == run.Lossless || c.Value.Grade == run.Normalised) {
		c.Value.Grade = run.Ordinary
	}
	if f.Tried == 0 {
		return
	}
	k := run.Check{Name: checkExtremes, Result: "yes"}
	var parts []string
	if len(lost) > 0 {
		k.Result, parts = "no", append(parts, "loses "+strings.Join(lost, ", "))
	}
	if len(refused) > 0 {
		parts = append(parts, "refuses "+strings.Join(refused, ", "))
	}
	k.Detail = strings.Join(parts, "; ")
	c.Checks = append(c.Checks, k)
}

// checkExtremes is the name of the check that sums up the extreme values.
const checkExtremes = "extreme values come back"

// provisional times a few batches of each operation in mode fresh.
func provisional(a *asker, name string, modes []worker.Mode) []*run.Cell {
	var cells []*run.Cell
	for _, m := range modes {
		if m.Mode != "fresh" {
			continue
		}
		c := a.do(worker.Request{Cmd: worker.CmdCalibrate, Op: m.Op, Mode: m.Mode, Target: provisionalTarget}).Calibrate
		if c == nil {
			break
		}
		var ns []float64
		var last *worker.Batch
		for range provisionalBatches {
			if last = a.do(worker.Request{Cmd: worker.CmdRun, Op: m.Op, Mode: m.Mode, N: c.N}).Run; last == nil {
				return cells
			}
			ns = append(ns, last.Wall/float64(last.N))
		}
		slices.Sort(ns)
		cells = append(cells, &run.Cell{Codec: name, Op: m.Op, Mode: m.Mode, Wire: m.Wire,
			Wall:   run.Estimate{Median: ns[len(ns)/2], N: len(ns)},
			Allocs: last.Allocs / float64(last.N), Bytes: last.Bytes / float64(last.N)})
	}
	return cells
}

// check runs the checks in a second process, because damaged input may crash a codec, and the
// figures of the first process must survive that. Results from before a crash are kept. A codec is
// not ranked if its mode fresh does not copy safely, or if it crashed before that was known.
func (l *Opened) check(ctx context.Context, probed *probed, c *run.Contender) error {
	w := probed.worker
	w2, err := w.Elsewhere("reader")
	if err != nil {
		return err
	}
	p, err := w2.Open(ctx, harness.Opening{Values: l.Values(), Note: l.warn})
	if err == nil {
		defer p.Close()
	}
	dump := w.Scratch(dumpName)
	err = errors.Join(judge(&asker{ctx: ctx, p: p, err: err}, c, probed.kinds, dump, w.Scratch(novelName)), os.Remove(dump))
	ofType(c, stats.Contender(l.run, run.Baseline))
	if _, none := os.Stat(w.Scratch(novelName)); none == nil {
		probed.novel = w.Scratch(novelName)
	}
	return err
}

// dumpName is the file with all values, encoded. novelName is the file with values that no timed
// process has seen.
const (
	dumpName  = "wire"
	novelName = "novel"
)

// judge asks a process for all checks. First the process reads what another process wrote, before
// it encodes anything itself. Then come the checks on sound input, concurrent calls, and damaged
// input, in this order, since a codec may not survive the last ones.
func judge(a *asker, c *run.Contender, kinds map[string]bool, dump, novel string) error {
	if r := a.do(worker.Request{Cmd: worker.CmdRead, Args: dump}).Read; r != nil {
		for _, o := range r.Odd {
			if text, wrong := wrongOf(kinds, o); wrong && o.Check != worker.CheckDocument { // the contract has a grade of its own
				blame(c, worker.CheckReader, fmt.Sprintf("value %d: %s", o.Value, text))
				break
			}
		}
	}
	note := func(cmd string, counts func(k worker.Check) bool) {
		for _, k := range a.do(worker.Request{Cmd: cmd}).Checks {
			if counts(k) {
				blame(c, k.Name, k.Detail)
			} else {
				c.Checks = append(c.Checks, run.Check(k))
			}
		}
	}
	note(worker.CmdChecks, func(k worker.Check) bool { return k.Result == "bad" && k.Name != worker.CheckAccess })
	var dead *harness.Dead
	if errors.As(a.err, &dead) {
		unrank(c, "not judged: "+dead.Error())
		return nil
	}
	a.do(worker.Request{Cmd: worker.CmdNovel, Dump: novel})
	note(worker.CmdTogether, func(k worker.Check) bool { return k.Result == "bad" })
	if errors.As(a.err, &dead) && strings.HasPrefix(dead.Cmd, worker.CmdTogether) {
		blame(c, worker.CheckTogether, dead.Error())
		return nil
	}
	note(worker.CmdDamage, func(k worker.Check) bool { return k.Name == worker.CheckAfter })
	if errors.As(a.err, &dead) {
		c.Checks = append(c.Checks, run.Check{Name: worker.CheckFlips, Result: "bad", Detail: dead.Error()})
		return nil
	}
	return a.err
}

func grade(g worker.Grade) run.Grade {
	out := run.Grade{Grade: g.Grade}
	for _, d := range g.Diffs {
		out.Diffs = append(out.Diffs, run.Diff(d))
	}
	return out
}
