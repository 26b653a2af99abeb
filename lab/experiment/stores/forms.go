package stores

import (
	"fmt"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// forms are the tables and charts.
func (m *measuring) forms(x *run.Experiment) {
	views := m.res.views()
	x.Tables = append(x.Tables, m.res.glance(views))
	for _, v := range views {
		x.Tables = append(x.Tables, v.latency(), m.res.client(v))
	}
	x.Charts = append(x.Charts, timeChart(views), m.res.cpuChart(views))
	for _, v := range views {
		for _, op := range ops {
			x.Charts = append(x.Charts, v.chart(op))
		}
	}
	charts := x.Charts[:0]
	for _, c := range x.Charts {
		if len(c.Series) > 0 {
			charts = append(charts, c)
		}
	}
	x.Charts = charts
}

// alone is what a codec takes without a store.
func (res *Result) alone(codec string) *Alone {
	for i := range res.Alone {
		if res.Alone[i].Codec == codec {
			return &res.Alone[i]
		}
	}
	return &Alone{Codec: codec}
}

// glance is one row for each codec and store.
func (res *Result) glance(views []*view) run.Table {
	t := run.Table{Title: "Stores at a glance",
		Note: fmt.Sprintf("Latency, CPU and shares are those at the highest rate that all codecs keep up with at that store. Half of the requests write, half read; %d connections, %s messages. In time a store's share is that of its client, the network and waiting too.",
			res.Conns, experiment.Count(float64(res.Keys))),
		Columns: []run.Column{{Name: "store"}, {Name: "codec"},
			{Name: "up to", Unit: run.UnitOps, Help: "the highest rate that it keeps up with: in every launch at most 2% of the requests still waited when the last was due, and P50 was at most 5 times that of the rate below"},
			{Name: "at", Unit: run.UnitOps, Help: "the highest rate that all codecs keep up with"},
			{Name: "write P99", Unit: run.UnitNS, Help: "encode and write, from when the request was due"},
			{Name: "read P99", Unit: run.UnitNS, Help: "read and decode, from when the request was due"},
			{Name: "codec's part", Unit: run.UnitShare, Help: "of the time of all requests"},
			{Name: "CPU", Unit: run.UnitNS, Help: "a request, of the client's process"},
			{Name: "of it codec", Unit: run.UnitShare, Help: "the mean of encode and decode, measured by themselves"},
			{Name: "message", Unit: run.UnitBytes, Help: "mean size"},
			{Name: "kept", Unit: run.UnitBytes, Help: "what the store takes for a message by its own account, its overhead included"}}}
	for _, v := range views {
		for _, c := range v.codecs {
			row := []run.Item{run.Text(v.name()), run.Text(c), run.Num(v.reach(c))}
			if v.reach(c) == 0 {
				row[2] = run.Item{Text: "no rate", Mark: "bad"}
			}
			if p := v.at(c, v.top); p != nil {
				row = append(row, run.Num(v.top), percentile(p, opWrite, 0.99), percentile(p, opRead, 0.99),
					run.Num(p.codecOf()), run.Num(p.CPU), run.Num(min(1, share(res.alone(c).CPU(), p.CPU))))
			} else {
				for range 6 {
					row = append(row, experiment.None("–"))
				}
			}
			t.Rows = append(t.Rows, append(row, none(v.Shelves[c].Bytes), none(v.Shelves[c].Kept)))
		}
	}
	return t
}

// none is a number, or a dash for 0.
func none(x float64) run.Item {
	if x == 0 {
		return experiment.None("–")
	}
	return run.Num(x)
}

// latency is a row for each rate and codec.
func (v *view) latency() run.Table {
	t := run.Table{Title: v.name() + ": latency by rate",
		Note:    "Time from when a request was due to its end: encoding and writing, or reading and decoding, with all waiting. Each launch has its percentile: shown are their geometric mean and its 95% interval over launches. A dash stands where fewer than 100 requests of all launches lie beyond the percentile, a doubt where there are fewer than three launches or the generator was late by more than a tenth of it. Drift is P99 over that of the lowest rate which has one.",
		Columns: []run.Column{{Name: "rate", Unit: run.UnitOps}, {Name: "codec"}}}
	for _, op := range ops {
		for _, q := range quantiles {
			t.Columns = append(t.Columns, run.Column{Name: op + " " + openloop.Name(q), Unit: run.UnitNS})
		}
		t.Columns = append(t.Columns, run.Column{Name: op + " drift", Unit: run.UnitTimes})
	}
	t.Columns = append(t.Columns, run.Column{Name: ""})
	for _, r := range v.rates {
		for _, c := range v.codecs {
			p := v.at(c, r)
			if p == nil {
				continue
			}
			row := []run.Item{run.Num(r), run.Text(c)}
			for _, op := range ops {
				for _, q := range quantiles {
					row = append(row, percentile(p, op, q))
				}
				row = append(row, v.drift(p, op))
			}
			t.Rows = append(t.Rows, append(row, v.trouble(p)))
		}
	}
	return t
}

// trouble says why a point is not valid.
func (v *view) trouble(p *Point) run.Item {
	switch {
	case p.full():
		return run.Item{Text: fmt.Sprintf("saturated: %s a second were answered", experiment.Count(p.done())), Mark: "bad"}
	case p.Void != "":
		return run.Item{Text: p.Void, Mark: "bad"}
	case p.Missed > 0:
		return run.Item{Text: fmt.Sprintf("in %d of %d launches it had stopped at a lower rate", p.Missed, p.Missed+p.Visits), Mark: "bad"}
	case v.stop[p.Codec] == p:
		return run.Item{Text: fmt.Sprintf("requests pile up: P50 is up to %s that of the rate below", experiment.Times(p.climbs(v.below(p)))), Mark: "bad"}
	}
	return run.Text("")
}

// client is what requests cost the process that makes them.
func (res *Result) client(v *view) run.Table {
	t := run.Table{Title: v.name() + ": the client by rate",
		Note: "Of the process that encodes, sends, receives and decodes, garbage collection included and the generator of the load left out. The codec's part is measured by itself, without a store. Growth is what the process holds over what it held at its lowest rate.",
		Columns: []run.Column{{Name: "rate", Unit: run.UnitOps}, {Name: "codec"},
			{Name: "CPU/request", Unit: run.UnitNS}, {Name: "of it codec", Unit: run.UnitShare},
			{Name: "allocated", Unit: run.UnitBytes, Help: "bytes a request"}, {Name: "of it codec", Unit: run.UnitShare},
			{Name: "holds", Unit: run.UnitBytes, Help: "memory that the Go runtime has of the system, after a visit"},
			{Name: "growth", Unit: run.UnitTimes}, {Name: "resident", Unit: run.UnitBytes, Help: "memory of the process"}}}
	for _, r := range v.rates {
		for _, c := range v.codecs {
			p, a := v.at(c, r), res.alone(c)
			if p == nil {
				continue
			}
			t.Rows = append(t.Rows, []run.Item{run.Num(r), run.Text(c), run.Num(p.CPU), run.Num(min(1, share(a.CPU(), p.CPU))),
				run.Num(p.Alloc), run.Num(min(1, share((a.EncodeAlloc+a.DecodeAlloc)/2, p.Alloc))),
				run.Num(p.Mapped), v.growth(p), none(p.Resident)})
		}
	}
	return t
}

// chart is P99 of an op by rate.
func (v *view) chart(op string) run.Chart {
	c := run.Chart{Kind: run.ChartLines, Title: fmt.Sprintf("%s: P99 of %s by rate", v.name(), op), X: run.Axis{Name: "requests a second", Unit: run.UnitOps, Log: true},
		Y:    run.Axis{Name: "latency from when it was due", Unit: run.UnitNS, Log: true},
		Note: "Hollow points are not valid or in doubt. Bars are 95% intervals over launches."}
	for _, codec := range v.codecs {
		s := run.Series{Name: codec}
		for _, r := range v.rates {
			p := v.at(codec, r)
			if p == nil {
				continue
			}
			if x := percentile(p, op, 0.99); x.Value != nil {
				s.X, s.Y, s.Void = append(s.X, r), append(s.Y, *x.Value), append(s.Void, !v.kept[p] || x.Mark != "")
				lo, hi := x.Value, x.Value
				if x.Lo != nil {
					lo, hi = x.Lo, x.Hi
				}
				s.Lo, s.Hi = append(s.Lo, *lo), append(s.Hi, *hi)
			}
		}
		if len(s.X) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// timeChart is the codec's part of the time of a request.
func timeChart(views []*view) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: "The codec's part of a request's time", Y: run.Axis{Name: "of the mean response", Unit: run.UnitShare},
		Note: "At the highest rate that all codecs keep up with at that store. The rest is the store, its client, the network and waiting."}
	return bars(c, views, ops, func(p *Point, op string) float64 { return p.codecShare(op) })
}

// cpuChart is what a request takes of the client's processors.
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

// bars has a category for each store and op, a series for each codec that was measured at
// all of them.
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
