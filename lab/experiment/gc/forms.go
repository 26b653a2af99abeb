package gc

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// median returns the median of a figure over the readings of a row.
func (r *Row) median(of func(*worker.GCReading) float64) float64 { return r.estimate(of).Median }

func (r *Row) estimate(of func(*worker.GCReading) float64) run.Estimate {
	xs := make([]float64, len(r.Reading))
	for i := range r.Reading {
		xs[i] = of(&r.Reading[i])
	}
	return experiment.Estimate(xs)
}

// The figures of a reading, per operation.
func cpuPer(g *worker.GCReading) float64   { return g.CPU / float64(g.N) }
func allocPer(g *worker.GCReading) float64 { return g.Allocs / float64(g.N) }
func bytesPer(g *worker.GCReading) float64 { return g.Bytes / float64(g.N) }

// cycles returns the number of collections in 100,000 operations. It adds up all readings, since a
// single one may be too short for any collection.
func (r *Row) cycles() float64 {
	n, cycles := 0, 0
	for i := range r.Reading {
		n, cycles = n+r.Reading[i].N, cycles+r.Reading[i].Cycles
	}
	return 1e5 * float64(cycles) / float64(max(n, 1))
}

func (r *Row) bytes() float64 { return r.median(bytesPer) }

// longest returns the longest stop of the world in any reading, in ns.
func (r *Row) longest() (ns float64) {
	for i := range r.Reading {
		ns = max(ns, r.Reading[i].PauseMax)
	}
	return ns
}

// gcShare is the collector's part of the process's CPU time.
func gcShare(g *worker.GCReading) float64 { return min(1, g.GCCPU/max(g.CPU, 1)) }

func assistShare(g *worker.GCReading) float64 { return min(1, g.Assist/max(g.CPU, 1)) }

// row returns the first row r of the codec and operation that has readings and for which is(r) is
// true, or nil.
func (res *Result) row(codec, op string, is func(*Row) bool) *Row {
	return experiment.First(res.Rows, func(r *Row) bool { return r.Codec == codec && r.Op == op && len(r.Reading) > 0 && is(r) })
}

func fresh(r *Row) bool  { return r.Mode == "fresh" && r.Setting == Default }
func reused(r *Row) bool { return r.Mode != "fresh" && r.Setting == Default }

func under(setting string) func(*Row) bool {
	return func(r *Row) bool { return r.Mode == "fresh" && r.Setting == setting }
}

func tables(res *Result) []run.Table {
	return []run.Table{reuseTable(res, "encode"), reuseTable(res, "decode"), settingTable(res), allocTable(res), ageTable(res)}
}

// reuseTable shows modes fresh and reused of each codec, one below the other.
func reuseTable(res *Result, op string) run.Table {
	t := run.Table{Title: op + ": fresh and reused, by the collector's default",
		Note: "Collections per 100,000 operations on one goroutine; the collector's share is the runtime's own estimate."}
	for _, c := range res.Codecs {
		for _, is := range []func(*Row) bool{fresh, reused} {
			r := res.row(c, op, is)
			if r == nil {
				continue
			}
			median := func(of func(*worker.GCReading) float64) run.Item { return run.Num(r.median(of)) }
			t.Add(run.Text(c).Under("codec", ""), run.Text(r.Mode).Under("mode", ""),
				run.Est(r.estimate(cpuPer)).Under("CPU", run.UnitNS).Means("of the process, per operation"),
				median(allocPer).Under("allocs", ""), median(bytesPer).Under("bytes", run.UnitBytes).Means("allocated per operation"),
				run.Num(r.cycles()).Under("GCs", "").Means("per 100,000 operations"),
				median(gcShare).Under("collector", run.UnitShare).Means("its part of the CPU time"),
				median(assistShare).Under("assist", run.UnitShare).Means("the part that the codec's goroutine did itself"),
				run.Num(r.longest()).Under("longest stop", run.UnitNS),
				median(func(g *worker.GCReading) float64 { return g.Live }).Under("live heap", run.UnitBytes).Means("after the last collection"))
		}
	}
	return t
}

// settingTable shows each codec with the three settings of the collector side by side.
func settingTable(res *Result) run.Table {
	t := run.Table{Title: "Fresh memory under three settings of the collector",
		Note: fmt.Sprintf("CPU time of the process per operation. A large heap holds %d MiB of small linked objects, as a cache would: "+
			"collections are rarer then and each costs more.", res.Retain)}
	for _, c := range res.Codecs {
		for _, op := range experiment.Ops {
			d, off, heavy := res.row(c, op, fresh), res.row(c, op, under(Off)), res.row(c, op, under(Heavy))
			if d == nil || off == nil || heavy == nil {
				continue
			}
			stop := func(r *Row) run.Item {
				return run.Num(r.median(func(g *worker.GCReading) float64 { return 1e5 * g.Pause / float64(g.N) }))
			}
			t.Add(run.Text(c).Under("codec", ""), run.Text(op).Under("op", ""), run.Est(d.estimate(cpuPer)).Under(Default, run.UnitNS),
				run.Est(off.estimate(cpuPer)).Under(Off, run.UnitNS), run.Est(heavy.estimate(cpuPer)).Under(Heavy, run.UnitNS),
				run.Num(max(0, 1-off.median(cpuPer)/d.median(cpuPer))).Under("garbage costs", run.UnitShare).
					Means("of the time by default, what turning the collector off saves"),
				stop(d).Under("stopped", run.UnitNS).Means("the world, by all collections per 100,000 operations, default"),
				stop(heavy).Under("stopped, large heap", run.UnitNS).Means("the same with a large heap"))
		}
	}
	return t
}

func allocTable(res *Result) run.Table {
	t := run.Table{Title: "Share of CPU time that goes into memory", Note: "By a CPU profile of mode fresh: samples with " +
		"runtime.mallocgc on the stack, and with the collector on it; an assist is both."}
	for _, a := range res.Alloc {
		t.Add(run.Text(a.Codec).Under("codec", ""), run.Text(a.Op).Under("op", ""),
			run.Num(a.Malloc).Marked("bad", a.Malloc > alarm).Marked("doubt", a.Samples < few).Under("allocating", run.UnitShare),
			run.Num(a.Collect).Marked("doubt", a.Samples < few).Under("collecting", run.UnitShare),
			run.Num(float64(a.Samples)).Under("samples", run.UnitCount))
	}
	return t
}

func ageTable(res *Result) run.Table {
	t := run.Table{Title: "Lifetime of decoded values that are dropped at once", Note: "From the decode until the collector found the " +
		"memory dead, one value in 64 watched; longer where less is allocated, since collections are then rarer."}
	for _, age := range res.Ages {
		a := age.Life
		mean, p50, p95, cycles := experiment.None("too few collections"), run.Text("–"), run.Text("–"), run.Text("–")
		if a.Age.N() >= few {
			mean, cycles = run.Num(a.Age.Mean()), run.Num(a.Cycles.Mean())
			p50, p95 = run.Num(a.Age.Quantile(0.5)), run.Num(a.Age.Quantile(0.95))
		}
		t.Add(run.Text(age.Codec).Under("codec", ""), mean.Under("mean", run.UnitNS), p50.Under("P50", run.UnitNS),
			p95.Under("P95", run.UnitNS), cycles.Under("collections", "").Means("that began meanwhile, mean"),
			run.Num(float64(a.Watched)).Under("watched", run.UnitCount), run.Num(float64(a.Age.N())).Under("found dead", run.UnitCount))
	}
	return t
}

func charts(res *Result) []run.Chart {
	return []run.Chart{
		bars(res, "Collections per 100,000 operations", run.Axis{Name: "collections"}, (*Row).cycles),
		bars(res, "Bytes allocated per operation", run.Axis{Name: "allocated", Unit: run.UnitBytes}, (*Row).bytes),
	}
}

// bars draws a figure of every codec, fresh and reused. Unlike [experiment.Bars] it keeps a codec
// that lacks one of the figures, since many codecs reuse nothing.
func bars(res *Result, title string, y run.Axis, of func(*Row) float64) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: title, Y: y, Categories: res.Codecs}
	for _, op := range experiment.Ops {
		for k, is := range []func(*Row) bool{fresh, reused} {
			s := run.Series{Name: op + []string{" fresh", " reused"}[k]}
			for _, codec := range res.Codecs {
				v, r := 0.0, res.row(codec, op, is)
				if r != nil {
					v = of(r)
				}
				s.Y, s.Void = append(s.Y, v), append(s.Void, r == nil)
			}
			c.Series = append(c.Series, s)
		}
	}
	return c
}

func doubts(res *Result) (out []string) {
	least := few
	for _, a := range res.Alloc {
		least = min(least, a.Samples)
	}
	if least < few {
		out = append(out, fmt.Sprintf("profiles rest on as few as %d samples: shares of memory are rough; a longer -budget makes more",
			least))
	}
	var launches []float64
	for _, r := range res.Rows {
		launches = append(launches, float64(len(r.Reading)))
	}
	if n := stats.Median(launches); n < 6 {
		out = append(out, fmt.Sprintf("%.0f launches: intervals are the extremes seen, not 95%%", n))
	}
	return out
}
