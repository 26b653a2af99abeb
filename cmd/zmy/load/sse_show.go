package load

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment is the report of a measurement, in the lab's form. A comparison of flush policies has
// a name of its own, so that a report can hold both.
func (s *SSE) Experiment(r *SSEResult, host run.Host, command []string, started time.Time) (*run.Experiment, error) {
	x := &run.Experiment{
		Name: "load-sse", Title: "Streams of events under load", Command: command, Started: started,
		Seconds: time.Since(started).Seconds(), Host: host,
		Question: "How long do events take to all connections, and what does that cost the server?",
	}
	if len(s.Targets) > 1 {
		x.Name, x.Title = "load-sse-flush", "Streams of events by flush policy"
		x.Question = "What does it gain to hold events back, and what does it cost?"
	}
	v := &sseView{SSE: s, r: r}
	if len(r.Points) > 0 {
		x.Tables = append(x.Tables, v.latencies(), v.deliveries(), v.costs())
		x.Charts = v.charts()
	}
	if len(r.Groups) > 0 {
		x.Tables = append(x.Tables, v.connections())
	}
	x.Findings, x.Warnings = v.findings(), v.warnings()
	for _, g := range r.Groups {
		if g.Why != "" {
			x.Absent = append(x.Absent, "the server's processor time and memory: "+g.Why)
			break
		}
	}
	data, err := json.Marshal(r)
	x.Data = data
	return x, err
}

// sseView draws a result.
type sseView struct {
	*SSE
	r *SSEResult
}

// key is the columns that tell a point from others: those that differ.
func (v *sseView) key() (columns []run.Column, row func(p *SSEPoint) []run.Item) {
	var parts []func(p *SSEPoint) run.Item
	add := func(c run.Column, part func(p *SSEPoint) run.Item) {
		columns, parts = append(columns, c), append(parts, part)
	}
	add(run.Column{Name: "Codec"}, func(p *SSEPoint) run.Item { return run.Text(p.Codec) })
	if len(v.Targets) > 1 {
		add(run.Column{Name: "Flush", Help: "when the server sends events"}, func(p *SSEPoint) run.Item { return run.Text(p.Flush) })
	}
	if len(v.Sizes) > 1 {
		add(run.Column{Name: "Size", Help: "of an event as JSON"}, func(p *SSEPoint) run.Item { return run.Text(sizeName(p.Size)) })
	}
	if len(v.Rates) > 1 {
		add(run.Column{Name: "Rate", Unit: run.UnitOps, Help: "events that are published, a second"},
			func(p *SSEPoint) run.Item { return run.Num(p.Rate) })
	}
	return columns, func(p *SSEPoint) (row []run.Item) {
		for _, part := range parts {
			row = append(row, part(p))
		}
		return row
	}
}

// name is what the key columns say.
func (v *sseView) name(p *SSEPoint) string {
	name := p.Codec
	if len(v.Targets) > 1 {
		name += ", flush " + p.Flush
	}
	if len(v.Sizes) > 1 {
		name += ", " + sizeName(p.Size)
	}
	if len(v.Rates) > 1 {
		name += fmt.Sprintf(", %g/s", p.Rate)
	}
	return name
}

func sizeName(n int) string {
	switch {
	case n == 0:
		return "as drawn"
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// what is measured in a table's note.
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

// ranges says what stands behind ±.
func (v *sseView) ranges() string {
	if v.Rounds < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d rounds, ± half of their range; percentiles are of all rounds together.", v.Rounds)
}

// several is how many rounds stand behind ranges.
func (v *sseView) several() int {
	if v.Rounds < 2 {
		return 0
	}
	return v.Rounds
}

func (v *sseView) latencies() run.Table {
	t := run.Table{Title: "Delivery", Rounds: v.several(), Note: v.note() + ". Since an event was due until a connection had read " +
		"it, what held the server up before it was published included. A percentile is shown where 100 published events lie " +
		"beyond it; of one with ? more than a tenth is how late events were published, or processors were all busy." + v.ranges()}
	columns, key := v.key()
	t.Columns = append(columns, run.Column{Name: "First byte", Unit: run.UnitNS, Help: "median time until an event's first byte came"})
	for _, q := range percentiles {
		t.Columns = append(t.Columns, run.Column{Name: openloop.Name(q), Unit: run.UnitNS})
	}
	t.Columns = append(t.Columns, run.Column{Name: "Max", Unit: run.UnitNS})
	for _, c := range v.cells() {
		row := append(key(c.SSEPoint), c.quantile(firstOf, 0.5))
		for _, q := range percentiles {
			row = append(row, c.quantile(latencyOf, q))
		}
		t.Rows = append(t.Rows, append(row, c.most()))
	}
	return t
}

func (v *sseView) deliveries() run.Table {
	t := run.Table{Title: "What came", Rounds: v.several(), Note: "Judged by the number in each event, for each connection. Lost " +
		"is what had not come when nothing had for " + v.Timeout.String() + ". All rounds together."}
	columns, key := v.key()
	t.Columns = append(columns,
		run.Column{Name: "Published", Unit: run.UnitCount, Help: "events"},
		run.Column{Name: "Delivered", Unit: run.UnitCount, Help: "events, each once for each connection"},
		run.Column{Name: "a second", Unit: run.UnitOps},
		run.Column{Name: "Lost", Unit: run.UnitCount}, run.Column{Name: "Twice", Unit: run.UnitCount},
		run.Column{Name: "Disordered", Unit: run.UnitCount},
		run.Column{Name: "Damaged", Unit: run.UnitCount, Help: "not what others were sent under the same ID, or unreadable"},
		run.Column{Name: "Reconnects", Unit: run.UnitCount})
	for _, c := range v.cells() {
		row := append(key(c.SSEPoint), run.Num(float64(c.published)),
			run.Num(float64(c.sum(func(p *SSEPoint) int64 { return p.Delivered }))),
			c.per(delivered, func(p *SSEPoint) float64 { return p.Seconds }))
		for _, of := range []func(p *SSEPoint) int64{
			func(p *SSEPoint) int64 { return p.Lost }, func(p *SSEPoint) int64 { return p.Duplicated },
			func(p *SSEPoint) int64 { return p.Disordered }, func(p *SSEPoint) int64 { return p.Damaged },
		} {
			n := c.sum(of)
			i := run.Num(float64(n))
			if n > 0 {
				i.Mark = "bad"
			}
			row = append(row, i)
		}
		t.Rows = append(t.Rows, append(row, run.Num(float64(c.sum(func(p *SSEPoint) int64 { return int64(p.Reconnects) })))))
	}
	return t
}

func over(sum, n float64) run.Item {
	if sum == 0 || n == 0 {
		return run.Text("–")
	}
	return run.Num(sum / n)
}

func (v *sseView) costs() run.Table {
	t := run.Table{Title: "What it costs", Rounds: v.several(), Note: "Processor time of the server's whole process, in steps of " +
		"10 ms on Linux: encoding once for each event, base64 of what is no text, and writing to each connection." + v.ranges()}
	columns, key := v.key()
	t.Columns = append(columns,
		run.Column{Name: "CPU a delivery", Unit: run.UnitNS},
		run.Column{Name: "CPU an event", Unit: run.UnitNS, Help: "published, to all connections"},
		run.Column{Name: "Data", Unit: run.UnitBytes, Help: "of an event, as the codec made it"},
		run.Column{Name: "In stream", Unit: run.UnitBytes, Help: "the same as it is sent: base64 if it is binary"},
		run.Column{Name: "Decode", Unit: run.UnitNS, Help: "median of base64 and codec at the client, wall time, once for each event"},
		run.Column{Name: "RSS", Unit: run.UnitBytes,
			Help: "of the server at the end, for each connection, garbage included, without what it takes alone"})
	for _, c := range v.cells() {
		t.Rows = append(t.Rows, append(key(c.SSEPoint), c.per(serverCPU, delivered), c.per(serverCPU, published),
			c.per(func(p *SSEPoint) float64 { return float64(p.Bytes) }, published),
			c.per(func(p *SSEPoint) float64 { return float64(p.Sent) }, delivered),
			c.per(func(p *SSEPoint) float64 { return p.Decode.Quantile(0.5) }, func(*SSEPoint) float64 { return 1 }),
			c.spread(func(p *SSEPoint) float64 {
				if bytes, known := v.r.Groups[p.Group].PerConn(p.Server); known {
					return bytes
				}
				return math.NaN()
			})))
	}
	return t
}

func (v *sseView) connections() run.Table {
	t := run.Table{
		Title: "Connections", Note: "Memory is the server's, resident, after garbage was collected; for each of at least " +
			strconv.Itoa(enough) + " connections without what the server takes alone; after the load with the events that its log " +
			"keeps. A percentile is shown where 100 connections took longer.",
		Columns: []run.Column{{Name: "Flush"}, {Name: "Open", Unit: run.UnitCount}, {Name: "Asked for", Unit: run.UnitCount},
			{Name: "Opened P50", Unit: run.UnitNS, Help: "from the request to the first byte, 64 at a time"},
			{Name: "P99", Unit: run.UnitNS},
			{Name: "Server alone", Unit: run.UnitBytes}, {Name: "A connection", Unit: run.UnitBytes},
			{Name: "after load", Unit: run.UnitBytes}},
	}
	for i, g := range v.r.Groups {
		open := run.Num(float64(g.Open))
		if g.Open < g.Wanted {
			open.Mark = "doubt"
		}
		memory := []run.Item{over(float64(g.Alone.RSS), 1), perConn(g, g.With.RSS), perConn(g, v.after(i))}
		t.Rows = append(t.Rows, append([]run.Item{run.Text(g.Flush), open, run.Num(float64(g.Wanted)),
			percentile(g.Opened, 0.5), percentile(g.Opened, 0.99)}, memory...))
	}
	return t
}

// perConn is what a connection adds to the server's memory where that can be told.
func perConn(g *SSEGroup, rss int64) run.Item {
	if bytes, known := g.PerConn(Usage{RSS: rss}); known {
		return run.Num(bytes)
	}
	return run.Text("–")
}

// after is the memory of a group's server after its last point, garbage collected.
func (v *sseView) after(group int) (rss int64) {
	for _, p := range v.r.Points {
		if p.Group == group && p.Collected > 0 {
			rss = p.Collected
		}
	}
	return rss
}

// busy reports whether server and client together took nearly all that the machine has: times are
// then those of waiting for a processor.
func (p *SSEPoint) busy() bool {
	return p.Client > 0 && (p.Server.CPU+p.Client).Seconds() > 0.85*p.Seconds*float64(runtime.NumCPU())
}

// charts are bars: the processor time of a delivery, and the first byte where it is beyond doubt.
func (v *sseView) charts() []run.Chart {
	cells := v.cells()
	bars := func(title, y string, value func(c *sseCell) run.Item) run.Chart {
		c := run.Chart{Kind: run.ChartBars, Title: title, Y: run.Axis{Name: y, Unit: run.UnitNS}}
		by := func(p *sseCell) string { return p.Codec }
		if len(v.Targets) > 1 {
			by = func(p *sseCell) string { return p.Flush }
		}
		for _, p := range cells {
			c.Categories = once(c.Categories, by(p))
		}
		for _, p := range cells {
			y := value(p)
			if y.Value == nil || y.Mark != "" {
				continue
			}
			name := v.rest(p.SSEPoint)
			i := slices.IndexFunc(c.Series, func(s run.Series) bool { return s.Name == name })
			if i < 0 {
				i = len(c.Series)
				c.Series = append(c.Series, run.Series{Name: name, Y: make([]float64, len(c.Categories)),
					Void: slices.Repeat([]bool{true}, len(c.Categories))})
			}
			at := slices.Index(c.Categories, by(p))
			c.Series[i].Y[at], c.Series[i].Void[at] = *y.Value, false
		}
		return c
	}
	all := []run.Chart{
		bars("The server's processor time for a delivery", "CPU", func(c *sseCell) run.Item { return c.per(serverCPU, delivered) }),
		bars("First byte of an event, median", "since it was due", func(c *sseCell) run.Item { return c.quantile(firstOf, 0.5) }),
	}
	return slices.DeleteFunc(all, func(c run.Chart) bool { return len(c.Series) == 0 || len(c.Categories) < 2 })
}

// rest is what tells points apart whose bars stand under one category.
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
