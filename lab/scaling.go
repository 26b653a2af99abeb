package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// A cell's scaling is the median over scalingPairs pairs of batches. With one goroutine a batch
// takes about scalingTarget.
const (
	scalingPairs  = 60
	scalingTarget = 10 * time.Millisecond
)

// scaling measures how much throughput a second goroutine adds to the cells of Options.Scaling. It
// runs after the rounds, while nothing else does.
func (l *Opened) scaling(ctx context.Context) error {
	for _, name := range l.o.Scaling {
		parts := strings.Split(name, "/")
		if len(parts) != 3 {
			return fmt.Errorf("%q is not codec/op/mode", name)
		}
		c := stats.Find(l.run, parts[0], parts[1], parts[2])
		for _, p := range l.probed {
			if c == nil || p.worker.Name != c.Codec {
				continue
			}
			l.ui.Doing("measuring how " + name + " scales")
			e, err := l.scale(ctx, p, c)
			if err != nil {
				return err
			}
			c.Scaling = e
		}
	}
	return nil
}

// scale measures pairs of batches: one with a single goroutine, and right after or before it one
// with two. So a change of the machine's speed between pairs does not count. The result is the
// throughput of two goroutines divided by that of one, or nil if the worker has only one processor.
func (l *Opened) scale(ctx context.Context, p *probed, c *run.Cell) (*run.Estimate, error) {
	proc, err := p.worker.Anywhere().Open(ctx, harness.Opening{Values: l.Values(), Note: l.warn})
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	a := &asker{ctx: ctx, p: proc}
	if v := proc.Made.Values; v.Procs < 2 {
		l.warn(fmt.Sprintf("%s %s: scaling needs two processors, there is %d", c.Codec, c.Op, v.Procs))
		return nil, nil
	}
	n := 0
	if k := a.do(worker.Request{Cmd: worker.CmdCalibrate, Op: c.Op, Mode: c.Mode, Target: scalingTarget}).Calibrate; k != nil {
		n = k.N
	}
	var ratios []float64
	for i := range scalingPairs + 2 {
		s := a.do(worker.Request{Cmd: worker.CmdScaling, Op: c.Op, Mode: c.Mode, N: n, From: i}).Scaling
		if s == nil {
			return nil, a.err
		}
		if i >= 2 { // the first pair of each order warms up
			ratios = append(ratios, 2*s.One/s.Two)
		}
	}
	lo, hi, _ := stats.MedianInterval(ratios, 0.95)
	return &run.Estimate{Median: stats.Median(ratios), Lo: lo, Hi: hi, N: len(ratios)}, nil
}
