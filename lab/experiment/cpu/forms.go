package cpu

import (
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

type built = lab.Built

func tables(res *Result, procs int) []run.Table {
	out := []run.Table{scaleTable(res, procs)}
	if len(res.Places) > 0 {
		out = append(out, placeTable(res, procs))
	}
	if len(res.Nodes) > 1 {
		out = append(out, nodeTable(res))
	}
	if len(res.Walks) > 0 {
		out = append(out, walkTable(res))
	}
	if len(res.Sched) > 0 {
		out = append(out, schedTable(res))
	}
	if len(res.Counts) > 0 {
		out = append(out, countTable(res))
	}
	return out
}

func scaleTable(res *Result, procs int) run.Table {
	t := run.Table{Title: "Round trips a second by GOMAXPROCS", Note: fmt.Sprintf("Encode and decode again, %d goroutines for each processor of GOMAXPROCS; the machine has %d. Speed-up is against one.", perProc, procs),
		Columns: []run.Column{{Name: "codec"}}}
	all := steps(procs)
	for _, p := range all {
		t.Columns = append(t.Columns, run.Column{Name: fmt.Sprintf("%d", p), Unit: run.UnitOps})
		if p > 1 {
			t.Columns = append(t.Columns, run.Column{Name: "speed-up", Unit: run.UnitTimes})
		}
	}
	for _, c := range res.Codecs {
		row := []run.Item{run.Text(c)}
		one := res.rateOf(c, 1)
		for _, p := range all {
			k := res.rateOf(c, p)
			if k == nil {
				row = append(row, run.Text("–"))
			} else {
				row = append(row, run.Est(k.rate()))
			}
			if p > 1 {
				if k == nil || one == nil {
					row = append(row, run.Text("–"))
				} else {
					row = append(row, run.Est(speedUp(k, one)))
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func placeTable(res *Result, procs int) run.Table {
	t := run.Table{Title: "Where it runs", Note: "Round trips; own work is the codec's part of one, P99. Context switches per 1000 round trips.",
		Columns: []run.Column{{Name: "codec"}, {Name: "on"}, {Name: "rate", Unit: run.UnitOps}, {Name: "CPU", Unit: run.UnitNS, Help: "of the process, per round trip"},
			{Name: "own work P99", Unit: run.UnitNS}, {Name: "waited", Help: "context switches of own accord"}, {Name: "taken away", Help: "context switches that the system made"}}}
	row := func(k *Load, name string) {
		r := []run.Item{run.Text(k.Codec), run.Text(name), run.Est(k.rate()), run.Est(experiment.Estimate(k.CPU))}
		if k.P99 > 0 {
			r = append(r, run.Num(k.P99))
		} else {
			r = append(r, experiment.None("–"))
		}
		t.Rows = append(t.Rows, append(r, run.Num(k.Waited), run.Num(k.Taken)))
	}
	for _, c := range res.Codecs {
		if k := res.rateOf(c, procs); k != nil {
			row(k, "anywhere")
		}
		for _, k := range res.Places {
			if k.Codec == c {
				row(k, k.Place)
			}
		}
	}
	return t
}

func nodeTable(res *Result) run.Table {
	t := run.Table{Title: "NUMA nodes", Columns: []run.Column{{Name: "node", Unit: run.UnitCount}, {Name: "processors", Unit: run.UnitCount}, {Name: "memory", Unit: run.UnitBytes}, {Name: "distances"}}}
	for _, n := range res.Nodes {
		t.Rows = append(t.Rows, []run.Item{run.Num(float64(n.ID)), run.Num(float64(len(n.CPUs))), run.Num(n.Bytes), run.Text(fmt.Sprint(n.Distance))})
	}
	return t
}

func schedTable(res *Result) run.Table {
	t := run.Table{Title: "The Go scheduler while 16 goroutines encode and decode", Note: fmt.Sprintf("Means of GODEBUG=schedtrace every %s.", traceEvery),
		Columns: []run.Column{{Name: "codec"}, {Name: "idle", Help: "processors without work"}, {Name: "spinning", Help: "threads that look for work"}, {Name: "queued", Help: "goroutines that wait in all queues together"},
			{Name: "unevenness", Help: "longest minus shortest queue of a processor"}, {Name: "threads", Unit: run.UnitCount, Help: "of the system, at most"}, {Name: "lines", Unit: run.UnitCount}}}
	for _, s := range res.Sched {
		t.Rows = append(t.Rows, []run.Item{run.Text(s.Codec), run.Num(s.Idle), run.Num(s.Spinning), run.Num(s.Global + s.Local), run.Num(s.Uneven), run.Num(s.Threads), run.Num(float64(s.Lines))})
	}
	return t
}

func countTable(res *Result) run.Table {
	t := run.Table{Title: "Instructions and simulated caches", Note: fmt.Sprintf("By callgrind: (Ir(2N) − Ir(N)) ÷ N for an N of 20 ms over %d values, collector off, one processor. The caches are simulated, not measured: sizes are this machine's, behaviour is a model's.", res.Counted),
		Columns: []run.Column{{Name: "codec"}, {Name: "op"}, {Name: "Ir/op", Unit: run.UnitInstrs, Help: "instructions"}, {Name: "÷ " + run.Baseline, Unit: run.UnitShare},
			{Name: "reads", Unit: run.UnitInstrs, Help: "of data"}, {Name: "writes", Unit: run.UnitInstrs, Help: "of data"}, {Name: "L1 misses, simulated", Unit: run.UnitNone}, {Name: "last-level misses, simulated", Unit: run.UnitNone}}}
	for _, c := range res.Counts {
		ratio := run.Text("–")
		if base := res.countOf(run.Baseline, c.Op); base != nil && base.Ir > 0 {
			ratio = run.Num(c.Ir / base.Ir)
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(c.Codec), run.Text(c.Op), run.Num(c.Ir), ratio, run.Num(c.Dr), run.Num(c.Dw), run.Num(c.L1), run.Num(c.LL)})
	}
	return t
}

func (res *Result) countOf(codec, op string) *Counts {
	i := slices.IndexFunc(res.Counts, func(c Counts) bool { return c.Codec == codec && c.Op == op })
	if i < 0 {
		return nil
	}
	return &res.Counts[i]
}

func charts(res *Result) (out []run.Chart) {
	c := run.Chart{Kind: run.ChartLines, Title: "Scaling with GOMAXPROCS", X: run.Axis{Name: "GOMAXPROCS", Unit: run.UnitCount}, Y: run.Axis{Name: "round trips a second", Unit: run.UnitOps}}
	for _, codec := range res.Codecs {
		s := run.Series{Name: codec}
		for _, k := range res.Scale {
			if k.Codec == codec {
				e := k.rate()
				s.X, s.Y, s.Lo, s.Hi = append(s.X, float64(k.Procs)), append(s.Y, e.Median), append(s.Lo, e.Lo), append(s.Hi, e.Hi)
			}
		}
		c.Series = append(c.Series, s)
	}
	out = append(out, c)
	if len(res.Counts) == 0 {
		return out
	}
	bars := run.Chart{Kind: run.ChartBars, Title: "Instructions per operation (callgrind)", Y: run.Axis{Name: "instructions", Unit: run.UnitInstrs}}
	enc, dec := run.Series{Name: "encode"}, run.Series{Name: "decode"}
	for _, codec := range res.Codecs {
		e, d := res.countOf(codec, "encode"), res.countOf(codec, "decode")
		if e != nil && d != nil {
			bars.Categories = append(bars.Categories, codec)
			enc.Y, dec.Y = append(enc.Y, e.Ir), append(dec.Y, d.Ir)
		}
	}
	bars.Series = []run.Series{enc, dec}
	return append(out, bars)
}
