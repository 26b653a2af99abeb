package stores

import (
	"cmp"
	"fmt"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

func (res *Result) tables(views []*view) []run.Table {
	out := []run.Table{res.glance(views)}
	for _, v := range views {
		out = append(out, v.latency(), res.client(v))
	}
	return out
}

func (res *Result) charts(views []*view) []run.Chart {
	out := []run.Chart{timeChart(views), res.cpuChart(views)}
	for _, v := range views {
		for _, op := range ops {
			out = append(out, v.chart(op))
		}
	}
	return out
}

// alone returns what a codec takes without a store.
func (res *Result) alone(codec string) *Alone {
	return cmp.Or(experiment.First(res.Alone, func(a *Alone) bool { return a.Codec == codec }), &Alone{Codec: codec})
}

// glance has one row for each codec and store.
func (res *Result) glance(views []*view) run.Table {
	t := run.Table{Title: "Stores at a glance",
		Note: fmt.Sprintf("Latency, CPU and shares are those at the highest rate that all codecs keep up with at that store. "+
			"Half of the requests write, half read; %d connections, %s messages. In time a store's share is that of its client, "+
			"the network and waiting too.", res.Conns, quantity.Count(float64(res.Keys)))}
	for _, v := range views {
		for _, c := range v.codecs {
			reach, lack := run.Num(v.reach(c)), experiment.None("–")
			if v.reach(c) == 0 {
				reach = run.Item{Text: "no rate", Mark: "bad"}
			}
			rate, write, read, part, cpu, codec := lack, lack, lack, lack, lack, lack
			if p := v.at(c, v.top); p != nil {
				rate, write, read = run.Num(v.top), percentile(p, opWrite, 0.99), percentile(p, opRead, 0.99)
				part, cpu, codec = run.Num(p.codecShare("")), run.Num(p.CPU), run.Num(min(1, share(res.alone(c).CPU(), p.CPU)))
			}
			t.Add(run.Text(v.name()).Under("store", ""), run.Text(c).Under("codec", ""),
				reach.Under("up to", run.UnitOps).Means("the highest rate that it keeps up with: in every launch at most 2% of the requests "+
					"still waited when the last was due, and P50 was at most 5 times that of the rate below"),
				rate.Under("at", run.UnitOps).Means("the highest rate that all codecs keep up with"),
				write.Under("write P99", run.UnitNS).Means("encode and write, from when the request was due"),
				read.Under("read P99", run.UnitNS).Means("read and decode, from when the request was due"),
				part.Under("codec's part", run.UnitShare).Means("of the time of all requests"),
				cpu.Under("CPU", run.UnitNS).Means("a request, of the client's process"),
				codec.Under("of it codec", run.UnitShare).Means("the mean of encode and decode, measured by themselves"),
				none(v.Shelves[c].Bytes).Under("message", run.UnitBytes).Means("mean size"),
				none(v.Shelves[c].Kept).Under("kept", run.UnitBytes).
					Means("what the store takes for a message by its own account, its overhead included"))
		}
	}
	return t
}

// none formats a number, or a dash for 0.
func none(x float64) run.Item {
	if x == 0 {
		return experiment.None("–")
	}
	return run.Num(x)
}

// latency has a row for each rate and codec.
func (v *view) latency() run.Table {
	t := run.Table{Title: v.name() + ": latency by rate",
		Note: "Time from when a request was due to its end: encoding and writing, or reading and decoding, with all waiting. Each launch " +
			"has its percentile: shown are their geometric mean and its 95% interval over launches. A dash stands where fewer than 100 " +
			"requests of all launches lie beyond the percentile, a doubt where there are fewer than three launches or the generator was " +
			"late by more than a tenth of it. Drift is P99 over that of the lowest rate which has one."}
	for _, r := range v.rates {
		for _, c := range v.codecs {
			p := v.at(c, r)
			if p == nil {
				continue
			}
			row := []run.Figure{run.Num(r).Under("rate", run.UnitOps), run.Text(c).Under("codec", "")}
			for _, op := range ops {
				for _, q := range quantiles {
					row = append(row, percentile(p, op, q).Under(op+" "+openloop.Name(q), run.UnitNS))
				}
				row = append(row, v.drift(p, op).Under(op+" drift", run.UnitTimes))
			}
			t.Add(append(row, v.trouble(p).Under("", ""))...)
		}
	}
	return t
}

// trouble says why a point is not valid, or returns an empty item if it is.
func (v *view) trouble(p *Point) run.Item {
	why := ""
	switch {
	case p.full():
		why = fmt.Sprintf("saturated: %s a second were answered", quantity.Count(p.done()))
	case p.Void != "":
		why = p.Void
	case p.Missed > 0:
		why = fmt.Sprintf("in %d of %d launches it had stopped at a lower rate", p.Missed, p.Missed+p.Visits)
	case v.stop[p.Codec] == p:
		why = fmt.Sprintf("requests pile up: P50 is up to %s that of the rate below", quantity.Times(p.climbs(v.highest(p.Codec))))
	}
	return run.Text(why).Marked("bad", why != "")
}

// client shows what requests cost the process that makes them.
func (res *Result) client(v *view) run.Table {
	t := run.Table{Title: v.name() + ": the client by rate",
		Note: "Of the process that encodes, sends, receives and decodes, garbage collection included and the generator of the load left " +
			"out. The codec's part is measured by itself, without a store. Growth is what the process holds over what it held at its lowest rate."}
	for _, r := range v.rates {
		for _, c := range v.codecs {
			p, a := v.at(c, r), res.alone(c)
			if p == nil {
				continue
			}
			t.Add(run.Num(r).Under("rate", run.UnitOps), run.Text(c).Under("codec", ""), run.Num(p.CPU).Under("CPU/request", run.UnitNS),
				run.Num(min(1, share(a.CPU(), p.CPU))).Under("of it codec", run.UnitShare),
				run.Num(p.Alloc).Under("allocated", run.UnitBytes).Means("bytes a request"),
				run.Num(min(1, share((a.EncodeAlloc+a.DecodeAlloc)/2, p.Alloc))).Under("of it codec", run.UnitShare),
				run.Num(p.Mapped).Under("holds", run.UnitBytes).Means("memory that the Go runtime has of the system, after a visit"),
				v.growth(p).Under("growth", run.UnitTimes), none(p.Resident).Under("resident", run.UnitBytes).Means("memory of the process"))
		}
	}
	return t
}

// chart draws P99 of an operation by rate.
func (v *view) chart(op string) run.Chart {
	c := run.Chart{Title: fmt.Sprintf("%s: P99 of %s by rate", v.name(), op),
		X:    run.Axis{Name: "requests a second", Unit: run.UnitOps, Log: true},
		Y:    run.Axis{Name: "latency from when it was due", Unit: run.UnitNS, Log: true},
		Note: "Hollow points are not valid or in doubt. Bars are 95% intervals over launches."}
	return experiment.Lines(c, v.codecs, 1, func(codec string, s *run.Series) {
		for _, p := range v.points[codec] {
			if x := percentile(p, op, 0.99); x.Value != nil {
				lo, hi := cmp.Or(x.Lo, x.Value), cmp.Or(x.Hi, x.Value)
				experiment.Plot(s, p.Rate, run.Estimate{Median: *x.Value, Lo: *lo, Hi: *hi})
				s.Void = append(s.Void, !v.kept[p] || x.Mark != "")
			}
		}
	})
}

// timeChart draws the codec's part of a request's time.
func timeChart(views []*view) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: "The codec's part of a request's time", Y: run.Axis{Name: "of the mean response",
		Unit: run.UnitShare},
		Note: "At the highest rate that all codecs keep up with at that store. The rest is the store, its client, the network and waiting."}
	return bars(c, views, ops, (*Point).codecShare)
}

// cpuChart draws the CPU time of the client per request.
func (res *Result) cpuChart(views []*view) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: "CPU time of the client a request", Y: run.Axis{Name: "CPU time", Unit: run.UnitNS},
		Note: "At the highest rate that all codecs keep up with at that store, and the codec by itself."}
	c = bars(c, views, []string{""}, func(p *Point, _ string) float64 { return p.CPU })
	if len(c.Series) == 0 {
		return c
	}
	c.Categories = append(c.Categories, "the codec by itself")
	for i, s := range c.Series {
		c.Series[i].Y = append(s.Y, res.alone(s.Name).CPU())
	}
	return c
}

// bars has a category for each store and operation, and a series for each codec that was measured
// in all categories.
func bars(c run.Chart, views []*view, of []string, value func(p *Point, op string) float64) run.Chart {
	at := map[string][]float64{}
	var codecs []string
	for _, v := range views {
		if v.top == 0 {
			continue
		}
		for _, op := range of {
			c.Categories = append(c.Categories, v.name()+map[bool]string{true: ", " + op}[op != ""])
			for _, codec := range v.codecs {
				if at[codec] == nil {
					codecs = append(codecs, codec)
				}
				at[codec] = append(at[codec], value(v.at(codec, v.top), op))
			}
		}
	}
	for _, codec := range codecs {
		if len(at[codec]) == len(c.Categories) {
			c.Series = append(c.Series, run.Series{Name: codec, Y: at[codec]})
		}
	}
	return c
}
