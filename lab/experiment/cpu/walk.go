package cpu

import (
	"context"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// walkRepeats is the number of readings of each way in one process.
const walkRepeats = 5

// walk times three ways through the values: the baseline's encoder, which uses package reflect; a
// walk that only visits the fields by reflection; and a walk that visits them by offsets.
func (e *Experiment) walk(ctx context.Context, b *experiment.Bench, res *Result) error {
	base := b.Contender(run.Baseline)
	if base == nil {
		return nil
	}
	for l := range b.Launches() {
		b.Progress(fmt.Sprintf("reflection and offsets, launch %d of %d", l+1, b.Launches()))
		each := b.Budget() / 20 / time.Duration(b.Launches()*3*(walkRepeats+1))
		got, err := experiment.Once[worker.Readings](ctx, b, base.Worker, worker.CmdWalk,
			worker.Walk{For: min(max(each, 2*time.Millisecond), 200*time.Millisecond), Repeats: walkRepeats}, b.Budget())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			b.Warn("walks over the values: %v", err)
			return nil
		}
		res.Walks = experiment.Join(res.Walks, got.Ways)
	}
	return nil
}

// cost estimates the CPU time of a way. If than is not nil, it estimates the CPU time of way ÷ that
// of than, from pairs of readings.
func cost(way, than *Way) run.Estimate {
	return experiment.Located(stats.Locate(experiment.Logs(way, than, func(w *Way) []float64 { return w.CPU }), 1))
}

func walkTable(res *Result) run.Table {
	t := run.Table{Title: "Coming by every field", Note: "CPU time per value of the process: " + run.Baseline + " encodes it, package " +
		"reflect walks over it and adds up what it finds, and the same walk by offsets that were computed once. " +
		"What maps and interfaces hold has no offsets: both walks reflect upon that."}
	for i := range res.Walks {
		w, last := &res.Walks[i], &res.Walks[len(res.Walks)-1]
		t.Add(run.Text(w.Name).Under("how", ""), run.Est(cost(w, nil)).Under("time", run.UnitNS),
			run.Est(cost(w, last)).Under("÷ by offsets", run.UnitTimes))
	}
	return t
}

// ratio formats a quotient. If the interval includes 1, it says that no difference was proven.
func ratio(e run.Estimate) string {
	if e.Lo <= 1 && e.Hi >= 1 {
		return "no difference that this run can prove"
	}
	return quantity.Times(e.Median)
}

// reflecting compares the times of the baseline's encoder, of a walk by reflection and of a walk by
// offsets.
func reflecting(res *Result) string {
	if len(res.Walks) == 0 {
		return ""
	}
	encode, reflected, offsets := &res.Walks[0], &res.Walks[1], &res.Walks[2]
	return fmt.Sprintf("%s encodes a value in %s; to come by its fields takes %s by package reflect and %s by offsets: %s.", run.Baseline,
		quantity.Time(cost(encode, nil).Median), quantity.Time(cost(reflected, nil).Median), quantity.Time(cost(offsets, nil).Median),
		ratio(cost(reflected, offsets)))
}
