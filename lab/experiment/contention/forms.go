package contention

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// per describes the times, for the notes of the tables.
const per = "wall time per operation, all goroutines together, median of the readings"

func item(w Way) run.Item {
	if w.None != "" || len(w.NS) == 0 {
		return experiment.None(cmp.Or(w.None, "–"))
	}
	return run.Est(experiment.Located(stats.Locate(experiment.Logs(&w, nil, wall), 1)))
}

func ratioItem(res *Result, w, base Way) run.Item {
	if len(w.NS) == 0 || len(base.NS) == 0 {
		return run.Text("–")
	}
	e, decided := res.ratio(w, base)
	return run.Est(e).Marked("doubt", !decided)
}

func tables(res *Result, procs int) []run.Table {
	return []run.Table{poolTable(res, procs),
		compared(res, res.Sharing, "False sharing: a counter per goroutine",
			"One counter each, side by side on shared cache lines, or on lines of their own; "+per+"."),
		compared(res, res.Publish, "Publication: which codec to use, read before each operation",
			"A goroutine replaces it every millisecond; "+per+"."),
		handOffTable(res), mibTable(res)}
}

func poolTable(res *Result, procs int) run.Table {
	t := run.Table{Title: fmt.Sprintf("Encoder and buffer: %d goroutines on %d processors", res.Goroutines, procs),
		Note: "Hits are calls of sync.Pool.Get that found something; each collection empties a pool by halves. " + per + "."}
	for _, c := range res.Codecs {
		w, dash := res.Pool[c], run.Text("–")
		fresh, pool, hit, each, ratio, freshBytes, poolBytes := dash, item(w[0]), dash, dash, dash, dash, dash
		if len(w) > 2 {
			fresh, pool, hit, each, ratio = item(w[0]), item(w[1]), run.Num(hits(w[1])), item(w[2]), ratioItem(res, w[1], w[0])
			freshBytes, poolBytes = run.Num(w[0].Bytes), run.Num(w[1].Bytes)
		}
		t.Add(run.Text(c).Under("codec", ""), fresh.Under("fresh", run.UnitNS), pool.Under("sync.Pool", run.UnitNS),
			hit.Under("hits", run.UnitShare), each.Under("one each", run.UnitNS).Means("an encoder and buffer per goroutine, kept"),
			ratio.Under("pool ÷ fresh", run.UnitTimes), freshBytes.Under("fresh", run.UnitBytes).Means("allocated per operation"),
			poolBytes.Under("pool", run.UnitBytes).Means("allocated per operation"))
	}
	return t
}

func hits(w Way) float64 { return float64(w.Hits) / max(1, float64(w.Gets)) }

// rows returns the names of the rows: Alone first, if it was measured, then the codecs.
func rows(res *Result, m map[string][]Way) (out []string) {
	if m[Alone] != nil {
		out = append(out, Alone)
	}
	for _, c := range res.Codecs {
		if m[c] != nil {
			out = append(out, c)
		}
	}
	return out
}

// compared makes a table of ways. The column after each way but the reference has the way's ratio
// to the reference.
func compared(res *Result, m map[string][]Way, title, note string) run.Table {
	t := run.Table{Title: title, Note: note}
	for _, r := range rows(res, m) {
		ways, base := m[r], reference(m[r])
		row := []run.Figure{run.Text(r).Under("codec", "")}
		for k, w := range ways {
			row = append(row, item(w).Under(w.Name, run.UnitNS))
			if k != base {
				row = append(row, ratioItem(res, w, ways[base]).Under("÷", run.UnitTimes).Means("how many times longer than "+ways[base].Name))
			}
		}
		t.Add(row...)
	}
	return t
}

// reference returns the index of the way with which the others are compared: the second of two, or
// the first of more. For counters that is the way without false sharing, for locks the atomic
// pointer.
func reference(ways []Way) int {
	if len(ways) == 2 {
		return 1
	}
	return 0
}

func handOffTable(res *Result) run.Table {
	t := run.Table{Title: "Hand-off of the subject's values between two goroutines",
		Note: "Time per message, channels of 8. By value copies in and out; gob encodes each message by itself; encoded bytes are " +
			"encoded by the sender and decoded by the receiver; of a view the receiver reads one string, and the sender had the bytes."}
	var names []string
	for _, c := range res.Codecs {
		for _, w := range res.HandOff[c] {
			if !slices.Contains(names, w.Name) {
				names = append(names, w.Name)
			}
		}
	}
	for _, c := range res.Codecs {
		row := []run.Figure{run.Text(c).Under("codec", "")}
		for _, n := range names {
			x := run.Text("–")
			if w := named(res.HandOff[c], n); w.Name != "" {
				x = item(w)
			}
			row = append(row, x.Under(n, run.UnitNS))
		}
		t.Add(row...)
	}
	return t
}

func mibTable(res *Result) run.Table {
	t := run.Table{Title: "Hand-off of 1 MiB between two goroutines", Note: "[1<<20]byte. A Go channel takes elements of at most 64 KiB, " +
		"so by value means through slots that it is copied into and out of; encoded bytes are copied once."}
	for _, w := range res.MiB {
		ratio := run.Text("–")
		if len(res.MiB) > 1 && w.Name != res.MiB[1].Name {
			ratio = ratioItem(res, w, res.MiB[1])
		}
		t.Add(run.Text(w.Name).Under("form", ""), item(w).Under("time", run.UnitNS), ratio.Under("÷ pointer", run.UnitTimes),
			run.Num(w.Bytes).Under("allocated", run.UnitBytes))
	}
	return t
}

func charts(res *Result) []run.Chart {
	names := []string{"fresh memory", "sync.Pool", "one per goroutine"}
	return []run.Chart{experiment.Bars(run.Chart{Title: "Encoding by many goroutines: fresh memory, a pool, one each",
		Y: run.Axis{Name: "time per operation", Unit: run.UnitNS}}, res.Codecs, names, func(codec, name string) (run.Estimate, bool) {
		w := named(res.Pool[codec], name)
		return run.Estimate{Median: stats.Median(w.NS)}, len(w.NS) > 0
	})}
}

// named returns the way with this name, or the zero Way.
func named(ways []Way, name string) Way {
	return experiment.First(ways, func(w Way) bool { return w.Name == name })
}
