package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: a run of the default depth stops once its verdict is proven, so the data decide when it is
// judged. These rows simulate such runs on machines whose noise is known. The rule of lab/stats must
// keep its promises for any way to stop, so the rows also stop in the worst way: whenever a false
// claim can be made.

// correlated are machines whose noise has a memory: a disturbance lasts for several rounds.
var correlated = []machine{
	{"drifting", 0.01, 0.02, 0.15, 0.02, 0, 0.9},
	{"sticky", 0.03, 0.05, 0.05, 0.05, 0, 0.8},
}

// The runs that are simulated: the plan of the default depth.
const (
	stopLaunches = 5
	stopRounds   = 6
	stopCopies   = 9 // codecs of a run beside the baseline
)

// speeds are the true speeds of the programs in runs whose verdict can be proven.
var speeds = []float64{6, 4.5, 3, 2, 1.5, 1.2, 1, 0.8, 0.5}

// stopping simulates runs that may stop early. It counts false claims about copies of one program,
// intervals that miss the truth, and launches that are saved.
func stopping(_ context.Context, b *bench) error {
	runs := pick(b, 4, 30) // for each machine; 150 take some minutes
	r := rand.New(rand.NewPCG(b.o.Seed, 0x73746f70))
	all := append(append([]machine{}, machines...), correlated...)
	var rule, worst, claimed int // runs, runs in which the rule's look makes a false claim, runs in which any look does
	var missed, missedAny, intervals int
	var early, wrongTop, can int
	for _, m := range all {
		for i := range runs {
			p := m.programs(r, stopCopies+2, stopLaunches, stopRounds)
			end, looks := stopped(uint64(i), p)
			rule++
			claimed += bit(claims(end) > 0)
			any := false
			for _, x := range looks {
				any = any || claims(x) > 0
			}
			worst += bit(any)

			for k, speed := range speeds {
				slowed(p[k+2], 1/speed)
			}
			end, looks = stopped(uint64(i), p)
			for k, speed := range speeds {
				for _, op := range ops {
					name := fmt.Sprint("other", k)
					intervals++
					missed += bit(misses(end, name, op, speed))
					any := false
					for _, x := range looks {
						any = any || misses(x, name, op, speed)
					}
					missedAny += bit(any)
				}
			}
			if m.gap == 0 {
				can++
				early += bit(end.Look.Early())
			}
			wrongTop += bit(end.Look.Early() && end.Verdict.Pick != "other0")
		}
	}
	most := func(n int) int { return max(1, n/20) }
	b.check("A/A, stopped early", fmt.Sprintf("false claims in at most %d of %d runs of %d copies", most(rule), rule, stopCopies),
		fmt.Sprintf("in %d", claimed), claimed <= most(rule))
	b.check("A/A, stopped in the worst way", fmt.Sprintf("a false claim at any look in at most %d of %d runs", most(rule), rule),
		fmt.Sprintf("in %d", worst), worst <= most(rule))
	b.check("intervals, stopped early", "at least 95% contain the truth when the run stops",
		fmt.Sprintf("%d of %d miss it: %s contain it", missed, intervals, share(intervals-missed, intervals)), missed <= most(intervals))
	b.check("intervals, at all looks", "at least 95% contain the truth at every look of their run",
		fmt.Sprintf("%d of %d miss it at some look: %s contain it", missedAny, intervals, share(intervals-missedAny, intervals)),
		missedAny <= most(intervals))
	b.check("stopping early", "most runs with clear differences stop before the last launch, and none with a wrong pick",
		fmt.Sprintf("%d of %d stopped, %d with a wrong pick", early, can, wrongTop), 2*early > can && wrongTop == 0)
	return nil
}

// stopped judges simulated programs as the lab judges a run of the default depth. It returns the run
// as it stops, and the run at each of its possible looks.
func stopped(seed uint64, p []map[string][]run.Sample) (end *run.Run, looks []*run.Run) {
	for l := stats.EarliestLook; l <= stopLaunches; l++ {
		var launches []int
		for i := range l {
			launches = append(launches, i)
		}
		x := judgedAt(stats.LookAfter(l, stopLaunches), seed, launches, p[0], p[1], p[2:]...)
		looks = append(looks, x)
		if end == nil && (l == stopLaunches || stats.Settled(x)) {
			end = x
		}
	}
	return end, looks
}

// claims counts what a run of copies says that is false: a codec is faster or slower than the
// baseline, or has a place behind another one.
func claims(r *run.Run) int {
	faster, slower, _ := verdicts(r)
	n := faster + slower
	for _, k := range r.Ranking {
		n += bit(k.Place > 1)
	}
	return n
}

// misses reports whether the interval of a cell's ratio does not contain the true speed.
func misses(r *run.Run, codec, op string, speed float64) bool {
	c := stats.Find(r, codec, op, stats.Fresh)
	return c.Ratio.Lo > speed || c.Ratio.Hi < speed
}

// share spells a part of a whole in percent.
func share(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(1, of))) }
