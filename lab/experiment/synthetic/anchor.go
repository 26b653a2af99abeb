package synthetic

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
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

// first stores the anchor's time if these are its first samples. It returns the samples.
func (a *anchor) first(samples []run.Sample) []run.Sample {
	if a.ns == 0 {
		a.ns = experiment.Estimate(CPU(samples)).Median
	}
	return samples
}

// CPU returns the CPU times of samples, in ns.
func CPU(samples []run.Sample) []float64 {
	var out []float64
	for _, s := range samples {
		out = append(out, s.CPU)
	}
	return out
}

// Against estimates the CPU time of list, in ns, relative to the samples of base in the same
// rounds, which count as ns each. Launches are clusters of rounds. With ns = 1 the result is the
// ratio.
func Against(list, base []run.Sample, ns float64) run.Estimate {
	launches := map[int][]float64{}
	for _, s := range list {
		for _, b := range base {
			if b.Launch == s.Launch && b.Round == s.Round && b.CPU > 0 && s.CPU > 0 {
				launches[s.Launch] = append(launches[s.Launch], math.Log(s.CPU/b.CPU*ns))
			}
		}
	}
	var clusters stats.Clusters
	for _, l := range slices.Sorted(maps.Keys(launches)) {
		clusters = append(clusters, launches[l])
	}
	x := stats.Locate(clusters, 1)
	return run.Estimate{Median: x.Point, Lo: x.Lo, Hi: x.Hi, N: x.N}
}
