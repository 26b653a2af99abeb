package synthetic

import (
	"context"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// anchor is the program that runs beside every set of values: the baseline on the first type. The
// machine's speed changes between two sets. So the time of a set is taken relative to the anchor's
// time in the same rounds, and converted to nanoseconds by the anchor's first time.
type anchor struct {
	opened *lab.Opened
	worker *harness.Worker
	values worker.Request
	ns     float64 // the anchor's first time; 0 before the first rounds
}

const anchorName = "anchor"

func (a *anchor) lane(ctx context.Context) *lab.Lane {
	return a.opened.Lane(ctx, &lab.Built{Contender: &run.Contender{Name: anchorName}, Worker: a.worker}, a.values,
		[]measure.Cell{{Op: "encode", Mode: "fresh"}})
}

// Against estimates the CPU time of list, in ns, relative to the samples of base in the same
// rounds, which count as ns each. Launches are clusters of rounds. With ns = 1 the result is the
// ratio.
func Against(list, base []run.Sample, ns float64) run.Estimate {
	x := stats.Ratio(list, base, "cpu", 1)
	return run.Estimate{Median: ns * x.Point, Lo: ns * x.Lo, Hi: ns * x.Hi, N: x.N}
}
