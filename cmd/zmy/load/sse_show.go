package load

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment returns the report of a measurement, in the lab's form. A comparison of flush policies
// has a name of its own, so that one folder can have both reports.
func (s *SSE) Experiment(r *SSEResult, host run.Host, command []string, started time.Time) (*run.Experiment, error) {
	x := experiment("load-sse", "Streams of events under load",
		"How long do events take to all connections, and what does that cost the server?", host, command, started)
	if len(s.Targets) > 1 {
		x.Name, x.Title = "load-sse-flush", "Streams of events by flush policy"
		x.Question = "What does it gain to hold events back, and what does it cost?"
	}
	v := &sseView{SSE: s, r: r}
	if len(r.Points) > 0 {
		x.Tables = append(x.Tables, v.latencies(), v.deliveries(), v.costs())
		x.Charts = v.charts()
	}
	x.Tables = run.Filled(append(x.Tables, v.connections())...)
	x.Findings, x.Warnings = v.findings(), v.warnings()
	if i := slices.IndexFunc(r.Groups, func(g *SSEGroup) bool { return g.Why != "" }); i >= 0 {
		x.Absent = append(x.Absent, "the server's processor time and memory: "+r.Groups[i].Why)
	}
	return with(x, r)
}

// sseView makes the report of a result.
type sseView struct {
	*SSE
	r *SSEResult
}

// axes returns the settings in which points differ. The codec is always one of them.
func (v *sseView) axes() []axis[*SSEPoint] {
	axes := []axis[*SSEPoint]{{name: "Codec", text: func(p *SSEPoint) string { return p.Codec }}}
	if len(v.Targets) > 1 {
		axes = append(axes, axis[*SSEPoint]{text: func(p *SSEPoint) string { return "flush " + p.Flush },
			figure: func(p *SSEPoint) run.Figure {
				return run.Text(p.Flush).Under("Flush", "").Means("when the server sends events")
			}})
	}
	if len(v.Sizes) > 1 {
		axes = append(axes, axis[*SSEPoint]{text: func(p *SSEPoint) string { return sizeName(p.Size) },
			figure: func(p *SSEPoint) run.Figure {
				return run.Text(sizeName(p.Size)).Under("Size", "").Means("of an event as JSON")
			}})
	}
	if len(v.Rates) > 1 {
		axes = append(axes, axis[*SSEPoint]{text: func(p *SSEPoint) string { return fmt.Sprintf("%g/s", p.Rate) },
			figure: func(p *SSEPoint) run.Figure {
				return run.Num(p.Rate).Under("Rate", run.UnitOps).Means("events that are published, a second")
			}})
	}
	return axes
}

// name returns the name of a point in a sentence.
func (v *sseView) name(p *SSEPoint) string { return nameOf(v.axes(), p) }

func sizeName(n int) string {
	if n == 0 {
		return "as drawn"
	}
	return quantity.Bytes(float64(n))
}

// note returns the settings that all points share, for a table's note.
func (v *sseView) note() string {
	text := fmt.Sprintf("%d connections", v.r.Groups[0].Open)
	if len(v.Rates) == 1 {
		text += fmt.Sprintf(", %g events a second", v.Rates[0])
	}
	if v.Burst > 1 {
		text += fmt.Sprintf(" by %d at random times", v.Burst)
	} else {
		text += " at random times"
	}
	if len(v.Sizes) == 1 && v.Sizes[0] > 0 {
		text += ", " + sizeName(v.Sizes[0]) + " as JSON"
	}
	if len(v.Targets) == 1 {
		text += ", flush " + v.r.Groups[0].Flush
	}
	return text
}

// ranges explains ± in a table's note.
func (v *sseView) ranges() string {
	return ranges(v.Rounds, "; percentiles are of all rounds together")
}

// table returns a table with a row for each cell: the settings that differ, then figures.
func (v *sseView) table(title, note string, figures func(c *sseCell) []run.Figure) run.Table {
	t := run.Table{Title: title, Rounds: several(v.Rounds), Note: note}
	axes := v.axes()
	for _, c := range v.cells() {
		t.Add(append(key(axes, c.SSEPoint), figures(c)...)...)
	}
	return t
}

func (v *sseView) latencies() run.Table {
	return v.table("Delivery", v.note()+". Since an event was due until a connection had read it, what held the server up before it was "+
		"published included. A percentile is shown where 100 published events lie beyond it; of one with ? more than a tenth is how late "+
		"events were published, or processors were all busy."+v.ranges(), func(c *sseCell) []run.Figure {
		return slices.Concat([]run.Figure{
			c.quantile(firstOf, 0.5).Under("First byte", run.UnitNS).Means("median time until an event's first byte came"),
		}, percentiles(func(q float64) run.Item { return c.quantile(latencyOf, q) }, quantiles...), []run.Figure{
			c.most().Under("Max", run.UnitNS)})
	})
}

func (v *sseView) deliveries() run.Table {
	return v.table("What came", "Judged by the number in each event, for each connection. Lost is what had not come when nothing had for "+
		v.Timeout.String()+". All rounds together.", func(c *sseCell) []run.Figure {
		return []run.Figure{count(c.published).Under("Published", run.UnitCount).Means("events"),
			count(c.sum(func(p *SSEPoint) int64 { return p.Delivered })).Under("Delivered", run.UnitCount).
				Means("events, each once for each connection"),
			c.per(delivered, func(p *SSEPoint) float64 { return p.Seconds }).Under("a second", run.UnitOps),
			faults(c.sum(func(p *SSEPoint) int64 { return p.Lost })).Under("Lost", run.UnitCount),
			faults(c.sum(func(p *SSEPoint) int64 { return p.Duplicated })).Under("Twice", run.UnitCount),
			faults(c.sum(func(p *SSEPoint) int64 { return p.Disordered })).Under("Disordered", run.UnitCount),
			faults(c.sum(func(p *SSEPoint) int64 { return p.Damaged })).Under("Damaged", run.UnitCount).
				Means("not what others were sent under the same ID, or unreadable"),
			count(c.sum(func(p *SSEPoint) int64 { return int64(p.Reconnects) })).Under("Reconnects", run.UnitCount)}
	})
}

func (v *sseView) costs() run.Table {
	return v.table("What it costs", "Processor time of the server's whole process, in steps of 10 ms on Linux: encoding once for each event, "+
		"base64 of what is no text, and writing to each connection."+v.ranges(), func(c *sseCell) []run.Figure {
		rss := c.spread(func(p *SSEPoint) float64 {
			if bytes, known := v.r.Groups[p.Group].PerConn(p.Server); known {
				return bytes
			}
			return math.NaN()
		})
		return []run.Figure{c.per(serverCPU, delivered).Under("CPU a delivery", run.UnitNS),
			c.per(serverCPU, published).Under("CPU an event", run.UnitNS).Means("published, to all connections"),
			c.per(func(p *SSEPoint) float64 { return float64(p.Bytes) }, published).Under("Data", run.UnitBytes).
				Means("of an event, as the codec made it"),
			c.per(func(p *SSEPoint) float64 { return float64(p.Sent) }, delivered).Under("In stream", run.UnitBytes).
				Means("the same as it is sent: base64 if it is binary"),
			c.per(func(p *SSEPoint) float64 { return p.Decode.Quantile(0.5) }, func(*SSEPoint) float64 { return 1 }).Under("Decode", run.UnitNS).
				Means("median of base64 and codec at the client, wall time, once for each event"),
			rss.Under("RSS", run.UnitBytes).
				Means("of the server at the end, for each connection, garbage included, without what it takes alone")}
	})
}

func (v *sseView) connections() run.Table {
	t := run.Table{
		Title: "Connections", Note: "Memory is the server's, resident, after garbage was collected; for each of at least " +
			strconv.Itoa(enough) + " connections without what the server takes alone; after the load with the events that its log " +
			"keeps. A percentile is shown where 100 connections took longer.",
	}
	for i, g := range v.r.Groups {
		t.Add(run.Text(g.Flush).Under("Flush", ""), count(g.Open).Marked("doubt", g.Open < g.Wanted).Under("Open", run.UnitCount),
			count(g.Wanted).Under("Asked for", run.UnitCount),
			percentile(g.Opened, 0.5).Under("Opened P50", run.UnitNS).Means("from the request to the first byte, 64 at a time"),
			percentile(g.Opened, 0.99).Under("P99", run.UnitNS), over(float64(g.Alone.RSS), 1).Under("Server alone", run.UnitBytes),
			perConn(g, g.With.RSS).Under("A connection", run.UnitBytes), perConn(g, v.after(i)).Under("after load", run.UnitBytes))
	}
	return t
}

// perConn returns the server's memory for one connection, or a dash if it is unknown.
func perConn(g *SSEGroup, rss int64) run.Item {
	if bytes, known := g.PerConn(Usage{RSS: rss}); known {
		return run.Num(bytes)
	}
	return run.Text("–")
}

// after returns the memory of a group's server after its last point and garbage collection.
func (v *sseView) after(group int) (rss int64) {
	for _, p := range v.r.Points {
		if p.Group == group && p.Collected > 0 {
			rss = p.Collected
		}
	}
	return rss
}

// busy reports whether server and client together used more than 85% of all processors. Then
// latencies are mostly the time of waiting for a processor.
func (p *SSEPoint) busy() bool {
	return p.Client > 0 && (p.Server.CPU+p.Client).Seconds() > 0.85*p.Seconds*float64(runtime.NumCPU())
}

// charts returns bar charts: processor time of a delivery, and time until the first byte. Doubtful
// values are left out.
func (v *sseView) charts() []run.Chart {
	chart := func(title, y string, value func(c *sseCell) run.Item) run.Chart {
		var bars []bar
		for _, c := range v.cells() {
			b := bar{c.Codec, v.rest(c.SSEPoint), value(c)}
			if len(v.Targets) > 1 {
				b.category = c.Flush
			}
			if b.Mark != "" {
				b.Value = nil
			}
			bars = append(bars, b)
		}
		return draw(run.Chart{Kind: run.ChartBars, Title: title, Y: run.Axis{Name: y, Unit: run.UnitNS}}, bars)
	}
	all := []run.Chart{
		chart("The server's processor time for a delivery", "CPU", func(c *sseCell) run.Item { return c.per(serverCPU, delivered) }),
		chart("First byte of an event, median", "since it was due", func(c *sseCell) run.Item { return c.quantile(firstOf, 0.5) }),
	}
	return slices.DeleteFunc(all, func(c run.Chart) bool { return len(c.Series) == 0 || len(c.Categories) < 2 })
}

// rest returns the name of the series of a point's bar.
func (v *sseView) rest(p *SSEPoint) string {
	name := sizeName(p.Size)
	if len(v.Targets) > 1 && len(v.Codecs) > 1 {
		name = p.Codec + ", " + name
	}
	if len(v.Rates) > 1 {
		name += fmt.Sprintf(", %g/s", p.Rate)
	}
	return name
}
