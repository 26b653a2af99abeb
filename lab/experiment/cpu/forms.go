package cpu

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

func tables(res *Result, procs int) []run.Table {
	return []run.Table{scaleTable(res, procs), placeTable(res, procs), nodeTable(res), walkTable(res), schedTable(res), countTable(res)}
}

func scaleTable(res *Result, procs int) run.Table {
	t := run.Table{Title: "Round trips a second by GOMAXPROCS", Note: fmt.Sprintf("Encode and decode again, %d goroutines for each "+
		"processor of GOMAXPROCS; the machine has %d. Speed-up is against one.", perProc, procs)}
	for _, c := range res.Codecs {
		row := []run.Figure{run.Text(c).Under("codec", "")}
		one := res.rateOf(c, 1)
		for _, p := range steps(procs) {
			k, rate, faster := res.rateOf(c, p), run.Text("–"), run.Text("–")
			if k != nil {
				rate = run.Est(k.rate())
			}
			if k != nil && one != nil {
				faster = run.Est(speedUp(k, one))
			}
			row = append(row, rate.Under(fmt.Sprint(p), run.UnitOps))
			if p > 1 {
				row = append(row, faster.Under("speed-up", run.UnitTimes))
			}
		}
		t.Add(row...)
	}
	return t
}

func placeTable(res *Result, procs int) run.Table {
	t := run.Table{Title: "Where it runs",
		Note: "Round trips; own work is the codec's part of one, P99. Context switches per 1000 round trips."}
	add := func(k *Load, name string) {
		p99 := experiment.None("–")
		if k.P99 > 0 {
			p99 = run.Num(k.P99)
		}
		t.Add(run.Text(k.Codec).Under("codec", ""), run.Text(name).Under("on", ""), run.Est(k.rate()).Under("rate", run.UnitOps),
			run.Est(experiment.Estimate(k.CPU)).Under("CPU", run.UnitNS).Means("of the process, per round trip"),
			p99.Under("own work P99", run.UnitNS), run.Num(k.Waited).Under("waited", "").Means("context switches of own accord"),
			run.Num(k.Taken).Under("taken away", "").Means("context switches that the system made"))
	}
	if len(res.Places) == 0 {
		return t
	}
	for _, c := range res.Codecs {
		if k := res.rateOf(c, procs); k != nil {
			add(k, "anywhere")
		}
		for _, k := range res.Places {
			if k.Codec == c {
				add(k, k.Place)
			}
		}
	}
	return t
}

func nodeTable(res *Result) run.Table {
	t := run.Table{Title: "NUMA nodes"}
	if len(res.Nodes) < 2 {
		return t
	}
	for _, n := range res.Nodes {
		t.Add(run.Num(float64(n.ID)).Under("node", run.UnitCount), run.Num(float64(len(n.CPUs))).Under("processors", run.UnitCount),
			run.Num(n.Bytes).Under("memory", run.UnitBytes), run.Text(fmt.Sprint(n.Distance)).Under("distances", ""))
	}
	return t
}

func schedTable(res *Result) run.Table {
	t := run.Table{Title: "The Go scheduler while 16 goroutines encode and decode",
		Note: fmt.Sprintf("Means of GODEBUG=schedtrace every %s.", traceEvery)}
	for _, s := range res.Sched {
		t.Add(run.Text(s.Codec).Under("codec", ""), run.Num(s.Idle).Under("idle", "").Means("processors without work"),
			run.Num(s.Spinning).Under("spinning", "").Means("threads that look for work"),
			run.Num(s.Global+s.Local).Under("queued", "").Means("goroutines that wait in all queues together"),
			run.Num(s.Uneven).Under("unevenness", "").Means("longest minus shortest queue of a processor"),
			run.Num(s.Threads).Under("threads", run.UnitCount).Means("of the system, at most"),
			run.Num(float64(s.Lines)).Under("lines", run.UnitCount))
	}
	return t
}

func countTable(res *Result) run.Table {
	t := run.Table{Title: "Instructions and simulated caches", Note: fmt.Sprintf("By callgrind: (Ir(2N) − Ir(N)) ÷ N for an N of 20 ms "+
		"over %d values, collector off, one processor. The caches are simulated, not measured: sizes are this machine's, "+
		"behaviour is a model's.", res.Counted)}
	for _, c := range res.Counts {
		ratio := run.Text("–")
		if base := res.countOf(run.Baseline, c.Op); base != nil && base.Ir > 0 {
			ratio = run.Num(c.Ir / base.Ir)
		}
		t.Add(run.Text(c.Codec).Under("codec", ""), run.Text(c.Op).Under("op", ""),
			run.Num(c.Ir).Under("Ir/op", run.UnitInstrs).Means("instructions"), ratio.Under("÷ "+run.Baseline, run.UnitShare),
			run.Num(c.Dr).Under("reads", run.UnitInstrs).Means("of data"), run.Num(c.Dw).Under("writes", run.UnitInstrs).Means("of data"),
			run.Num(c.L1).Under("L1 misses, simulated", ""), run.Num(c.LL).Under("last-level misses, simulated", ""))
	}
	return t
}

func (res *Result) countOf(codec, op string) *Count {
	return experiment.First(res.Counts, func(c *Count) bool { return c.Codec == codec && c.Op == op })
}

func charts(res *Result) []run.Chart {
	scaling := experiment.Lines(run.Chart{Title: "Scaling with GOMAXPROCS", X: run.Axis{Name: "GOMAXPROCS", Unit: run.UnitCount},
		Y: run.Axis{Name: "round trips a second", Unit: run.UnitOps}}, res.Codecs, 1, func(codec string, s *run.Series) {
		for _, k := range res.Scale {
			if k.Codec == codec {
				experiment.Plot(s, float64(k.Procs), k.rate())
			}
		}
	})
	counts := experiment.Bars(run.Chart{Title: "Instructions per operation (callgrind)",
		Y: run.Axis{Name: "instructions", Unit: run.UnitInstrs}}, res.Codecs, experiment.Ops, func(codec, op string) (e run.Estimate, ok bool) {
		c := res.countOf(codec, op)
		if c != nil {
			e.Median = c.Ir
		}
		return e, c != nil
	})
	return []run.Chart{scaling, counts}
}
