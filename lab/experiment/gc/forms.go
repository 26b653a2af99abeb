package gc

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// median is that of a figure over the readings of a row.
func (r *Row) median(of func(*worker.GCReading) float64) float64 { return r.estimate(of).Median }

func (r *Row) estimate(of func(*worker.GCReading) float64) run.Estimate {
	xs := make([]float64, len(r.Reading))
	for i := range r.Reading {
		xs[i] = of(&r.Reading[i])
	}
	return experiment.Estimate(xs)
}

// Figures per operation.
func cpuPer(g *worker.GCReading) float64   { return g.CPU / float64(g.N) }
func allocPer(g *worker.GCReading) float64 { return g.Allocs / float64(g.N) }
func bytesPer(g *worker.GCReading) float64 { return g.Bytes / float64(g.N) }

// cycles is collections in 100,000 operations, of all readings together: one reading may
// be too short for any.
func (r *Row) cycles() float64 {
	n, cycles := 0, 0
	for i := range r.Reading {
		n, cycles = n+r.Reading[i].N, cycles+r.Reading[i].Cycles
	}
	return 1e5 * float64(cycles) / float64(max(n, 1))
}

func (r *Row) bytes() float64 { return r.median(bytesPer) }

// gcShare is the collector's part of the process's CPU time.
func gcShare(g *worker.GCReading) float64 { return min(1, g.GCCPU/max(g.CPU, 1)) }

func assistShare(g *worker.GCReading) float64 { return min(1, g.Assist/max(g.CPU, 1)) }

// row finds one.
func (res *Result) row(codec, op string, is func(*Row) bool) *Row {
	for _, r := range res.Rows {
		if r.Codec == codec && r.Op == op && len(r.Reading) > 0 && is(r) {
			return r
		}
	}
	return nil
}

func fresh(r *Row) bool  { return r.Mode == "fresh" && r.Setting == Default }
func reused(r *Row) bool { return r.Mode != "fresh" && r.Setting == Default }

func under(setting string) func(*Row) bool {
	return func(r *Row) bool { return r.Mode == "fresh" && r.Setting == setting }
}

func tables(res *Result) []run.Table {
	out := []run.Table{reuseTable(res, "encode"), reuseTable(res, "decode"), settingTable(res)}
	if len(res.Alloc) > 0 {
		out = append(out, allocTable(res))
	}
	if len(res.Ages) > 0 {
		out = append(out, ageTable(res))
	}
	return out
}

// reuseTable sets fresh and reused beside one another.
func reuseTable(res *Result, op string) run.Table {
	t := run.Table{Title: op + ": fresh and reused, by the collector's default", Note: "Collections per 100,000 operations on one goroutine; the collector's share is the runtime's own estimate.",
		Columns: []run.Column{{Name: "codec"}, {Name: "mode"}, {Name: "CPU", Unit: run.UnitNS, Help: "of the process, per operation"}, {Name: "allocs", Unit: run.UnitNone}, {Name: "bytes", Unit: run.UnitBytes, Help: "allocated per operation"},
			{Name: "GCs", Unit: run.UnitNone, Help: "per 100,000 operations"}, {Name: "collector", Unit: run.UnitShare, Help: "its part of the CPU time"}, {Name: "assist", Unit: run.UnitShare, Help: "the part that the codec's goroutine did itself"},
			{Name: "longest stop", Unit: run.UnitNS}, {Name: "live heap", Unit: run.UnitBytes, Help: "after the last collection"}}}
	for _, c := range res.Codecs {
		for _, is := range []func(*Row) bool{fresh, reused} {
			r := res.row(c, op, is)
			if r == nil {
				continue
			}
			longest := 0.0
			for i := range r.Reading {
				longest = max(longest, r.Reading[i].PauseMax)
			}
			row := []run.Item{run.Text(c), run.Text(r.Mode), run.Est(r.estimate(cpuPer)), run.Num(r.median(allocPer)), run.Num(r.median(bytesPer)), run.Num(r.cycles()),
				run.Num(r.median(gcShare)), run.Num(r.median(assistShare)), run.Num(longest), run.Num(r.median(func(g *worker.GCReading) float64 { return g.Live }))}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// settingTable sets the collector's settings beside one another.
func settingTable(res *Result) run.Table {
	t := run.Table{Title: "Fresh memory under three settings of the collector",
		Note:    fmt.Sprintf("CPU time of the process per operation. A large heap holds %d MiB of small linked objects, as a cache would: collections are rarer then and each costs more.", res.Retain),
		Columns: []run.Column{{Name: "codec"}, {Name: "op"}}}
	for _, s := range []string{Default, Off, Heavy} {
		t.Columns = append(t.Columns, run.Column{Name: s, Unit: run.UnitNS})
	}
	t.Columns = append(t.Columns, run.Column{Name: "garbage costs", Unit: run.UnitShare, Help: "of the time by default, what turning the collector off saves"},
		run.Column{Name: "stopped", Unit: run.UnitNS, Help: "the world, by all collections per 100,000 operations, default"},
		run.Column{Name: "stopped, large heap", Unit: run.UnitNS, Help: "the same with a large heap"})
	for _, c := range res.Codecs {
		for _, op := range []string{"encode", "decode"} {
			d, off, heavy := res.row(c, op, fresh), res.row(c, op, under(Off)), res.row(c, op, under(Heavy))
			if d == nil || off == nil || heavy == nil {
				continue
			}
			stop := func(r *Row) run.Item {
				return run.Num(r.median(func(g *worker.GCReading) float64 { return 1e5 * g.Pause / float64(g.N) }))
			}
			t.Rows = append(t.Rows, []run.Item{run.Text(c), run.Text(op), run.Est(d.estimate(cpuPer)), run.Est(off.estimate(cpuPer)), run.Est(heavy.estimate(cpuPer)),
				run.Num(max(0, 1-off.median(cpuPer)/d.median(cpuPer))), stop(d), stop(heavy)})
		}
	}
	return t
}

func allocTable(res *Result) run.Table {
	t := run.Table{Title: "Share of CPU time that goes into memory", Note: "By a CPU profile of mode fresh: samples with runtime.mallocgc on the stack, and with the collector on it; an assist is both.",
		Columns: []run.Column{{Name: "codec"}, {Name: "op"}, {Name: "allocating", Unit: run.UnitShare}, {Name: "collecting", Unit: run.UnitShare}, {Name: "samples", Unit: run.UnitCount}}}
	for _, a := range res.Alloc {
		m, c := run.Num(a.Malloc), run.Num(a.Collect)
		switch {
		case a.Samples < few:
			m.Mark, c.Mark = "doubt", "doubt"
		case a.Malloc > alarm:
			m.Mark = "bad"
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(a.Codec), run.Text(a.Op), m, c, run.Num(float64(a.Samples))})
	}
	return t
}

func ageTable(res *Result) run.Table {
	t := run.Table{Title: "Lifetime of decoded values that are dropped at once", Note: "From the decode until the collector found the memory dead, one value in 64 watched; longer where less is allocated, since collections are then rarer.",
		Columns: []run.Column{{Name: "codec"}, {Name: "mean", Unit: run.UnitNS}, {Name: "P50", Unit: run.UnitNS}, {Name: "P95", Unit: run.UnitNS}, {Name: "collections", Help: "that began meanwhile, mean"}, {Name: "watched", Unit: run.UnitCount}, {Name: "found dead", Unit: run.UnitCount}}}
	for i := range res.Ages {
		a := &res.Ages[i].Life
		row := []run.Item{run.Text(res.Ages[i].Codec)}
		if a.Age.N() < few {
			row = append(row, experiment.None("too few collections"), run.Text("–"), run.Text("–"), run.Text("–"))
		} else {
			row = append(row, run.Num(a.Age.Mean()), run.Num(a.Age.Quantile(0.5)), run.Num(a.Age.Quantile(0.95)), run.Num(a.Cycles.Mean()))
		}
		t.Rows = append(t.Rows, append(row, run.Num(float64(a.Watched)), run.Num(float64(a.Age.N()))))
	}
	return t
}

func charts(res *Result) []run.Chart {
	var out []run.Chart
	for _, f := range []struct {
		title string
		axis  run.Axis
		of    func(*Row) float64
	}{
		{"Collections per 100,000 operations", run.Axis{Name: "collections"}, (*Row).cycles},
		{"Bytes allocated per operation", run.Axis{Name: "allocated", Unit: run.UnitBytes}, (*Row).bytes},
	} {
		c := run.Chart{Kind: run.ChartBars, Title: f.title, Y: f.axis, Categories: res.Codecs}
		for _, s := range []struct {
			name, op string
			is       func(*Row) bool
		}{{"encode fresh", "encode", fresh}, {"encode reused", "encode", reused}, {"decode fresh", "decode", fresh}, {"decode reused", "decode", reused}} {
			y := run.Series{Name: s.name}
			for _, codec := range res.Codecs {
				v, void := 0.0, true
				if r := res.row(codec, s.op, s.is); r != nil {
					v, void = f.of(r), false
				}
				y.Y, y.Void = append(y.Y, v), append(y.Void, void)
			}
			c.Series = append(c.Series, y)
		}
		out = append(out, c)
	}
	return out
}

func doubts(res *Result) (out []string) {
	least := 0
	for i, a := range res.Alloc {
		if i == 0 || a.Samples < least {
			least = a.Samples
		}
	}
	if len(res.Alloc) > 0 && least < few {
		out = append(out, fmt.Sprintf("profiles rest on as few as %d samples: shares of memory are rough; a longer -budget makes more", least))
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
