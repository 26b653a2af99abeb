package lab

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// lane is one program in the rounds: a contender, or the twin of the baseline.
type lane struct {
	name  string
	p     *probed
	proc  *harness.Process
	cells []*lineup
}

// lineup is one cell with what its next batch needs.
type lineup struct {
	lane *lane
	cell *run.Cell
	n    int
	mem  int // batches whose allocations are summed up
}

const (
	launches = 5
	rounds   = 20
)

// rounds runs every cell once a round, in a new random order each time, with
// new processes in each launch.
func (l *lab) rounds(ctx context.Context) error {
	var lanes []*lane
	for _, p := range l.probed {
		lanes = append(lanes, &lane{name: p.worker.Name, p: p})
		if p.worker.Name == run.Baseline {
			lanes = append(lanes, &lane{name: run.Twin, p: p})
		}
	}
	total := 0
	for _, ln := range lanes {
		for _, m := range ln.p.modes {
			if ln.name == run.Twin && m.Mode != "fresh" {
				continue
			}
			c := &run.Cell{Codec: ln.name, Op: m.Op, Mode: m.Mode, Wire: m.Wire, Rank: m.Mode == "fresh"}
			for _, f := range ln.p.first {
				if f.Op == m.Op && m.Mode == "fresh" {
					c.First = f.Ns
				}
			}
			ln.cells = append(ln.cells, &lineup{lane: ln, cell: c})
			l.run.Cells = append(l.run.Cells, c)
			total++
		}
	}
	target := l.o.Budget / time.Duration(launches*rounds*total)
	begin := time.Now()
	r := rand.New(rand.NewPCG(l.o.Seed, 7))
	for launch := range launches {
		if err := l.launch(ctx, lanes, launch, target, r, begin); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) launch(ctx context.Context, lanes []*lane, launch int, target time.Duration, r *rand.Rand, begin time.Time) error {
	var all []*lineup
	for _, ln := range lanes {
		p, err := ln.p.worker.Start(ctx)
		if err != nil {
			return err
		}
		defer p.Close()
		ln.proc = p
		a := &asker{ctx: ctx, p: p}
		a.do(l.values())
		for _, c := range ln.cells {
			if k := a.do(worker.Request{Cmd: worker.CmdCalibrate, Op: c.cell.Op, Mode: c.cell.Mode, Target: target}).Calibrate; k != nil {
				c.n = k.N
			}
		}
		if a.err != nil {
			return a.err
		}
		all = append(all, ln.cells...)
	}
	for round := range rounds {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, c := range all {
			a, err := c.lane.proc.Do(ctx, worker.Request{Cmd: worker.CmdRun, Op: c.cell.Op, Mode: c.cell.Mode, N: c.n}, 10*target)
			if err != nil {
				return err
			}
			b, n := a.Run, float64(a.Run.N)
			c.cell.Samples = append(c.cell.Samples, run.Sample{Launch: launch, Round: round, N: b.N, Wall: b.Wall / n, CPU: b.CPU / n, At: time.Since(l.start).Seconds()})
			c.mem++
			c.cell.Allocs += (b.Allocs/n - c.cell.Allocs) / float64(c.mem)
			c.cell.Bytes += (b.Bytes/n - c.cell.Bytes) / float64(c.mem)
		}
		l.ui.Rounds(launch*rounds+round+1, launches*rounds, l.o.Budget-time.Since(begin))
	}
	return nil
}
