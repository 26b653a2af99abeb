package load

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// quantiles are the percentiles in the report.
var quantiles = []float64{0.5, 0.9, 0.99, 0.999}

// Experiment returns the report of a measurement, in the lab's form.
func (h *HTTP) Experiment(points []*Point, host run.Host, command []string, started time.Time) (*run.Experiment, error) {
	x := experiment("load-http", "Latency under load",
		fmt.Sprintf("How long do requests to %s take when they come at random and wait for nobody?", h.URL), host, command, started)
	x.Tables = run.Filled(table(points))
	x.Charts = charts(points)
	x.Findings, x.Warnings = says(points)
	if len(points) > 0 && points[0].CPU == 0 {
		x.Absent = append(x.Absent, "the server's processor time: known of the demo service (-self) on Linux only")
	}
	return with(x, points)
}

func table(points []*Point) run.Table {
	t := run.Table{Title: "Response times", Note: "Since a request was due. A percentile is shown where 100 requests lie beyond it; ? marks " +
		"one of which the generator's lateness is more than a tenth."}
	for _, p := range points {
		t.Add(slices.Concat([]run.Figure{run.Text(cmp.Or(p.Accept, "any")).Under("Accept", ""),
			run.Num(float64(p.Latency)).Under("Mocked", run.UnitNS).Means("latency asked for by X-Latency-Ms"),
			run.Num(p.QPS).Under("Rate", run.UnitOps).Means("requests a second, at random times"),
			run.Num(float64(p.OK)/p.Seconds).Under("Good", run.UnitOps).Means("answers of 2xx a second"),
		}, percentiles(p.quantile, quantiles...), []run.Figure{
			run.Num(p.Response.Max()).Under("Max", run.UnitNS), faults(p.Failed()).Under("Failed", run.UnitCount),
			over(float64(p.Bytes), float64(p.OK)).Under("Body", run.UnitBytes).Means("mean of an answer"),
			over(float64(p.CPU), float64(p.OK)).Under("Server CPU", run.UnitNS).Means("of all its work, per good answer")})...)
	}
	return t
}

func (p *Point) quantile(q float64) run.Item {
	i := percentile(p.Response, q)
	return i.Marked("doubt", i.Value != nil && !(p.Valid() && p.punctual(q)))
}

// charts returns P99 over the rate, and if there are several rates and mocked latencies, heat maps
// of both.
func charts(points []*Point) []run.Chart {
	lines := run.Chart{Kind: run.ChartLines, Title: "P99 by rate", X: run.Axis{Name: "requests a second", Unit: run.UnitOps, Log: true},
		Y: run.Axis{Name: "P99", Unit: run.UnitNS, Log: true}}
	for _, name := range series(points) {
		s := run.Series{Name: name}
		for _, p := range points {
			if p.name() == name && p.Response.Sound(0.99) {
				s.X, s.Y, s.Void = append(s.X, p.QPS), append(s.Y, p.Response.Quantile(0.99)),
					append(s.Void, !(p.Valid() && p.punctual(0.99)))
			}
		}
		if len(s.X) > 1 {
			lines.Series = append(lines.Series, s)
		}
	}
	var out []run.Chart
	if len(lines.Series) > 0 {
		out = append(out, lines)
	}
	return append(out, surfaces(points)...)
}

// surfaces returns a heat map for each Accept: rows are mocked latencies, columns are rates.
func surfaces(points []*Point) []run.Chart {
	var accepts []string
	var latencies []time.Duration
	var rates []float64
	at := map[string]float64{}
	for _, p := range points {
		if !p.Response.Sound(0.99) {
			continue
		}
		accepts, latencies, rates = once(accepts, p.Accept), once(latencies, p.Latency), once(rates, p.QPS)
		at[fmt.Sprint(p.Accept, p.Latency, p.QPS)] = p.Response.Quantile(0.99)
	}
	slices.Sort(latencies)
	slices.Sort(rates)
	if len(latencies) < 2 || len(rates) < 2 {
		return nil
	}
	var out []run.Chart
	for _, a := range accepts {
		c := run.Chart{Kind: run.ChartHeatmap, Title: "P99 by rate and mocked latency, " + cmp.Or(a, "any Accept"),
			X: run.Axis{Name: "requests a second"}, Y: run.Axis{Name: "P99", Unit: run.UnitNS}}
		for _, q := range rates {
			c.Categories = append(c.Categories, fmt.Sprintf("%g/s", q))
		}
		for _, l := range latencies {
			s := run.Series{Name: l.String()}
			for _, q := range rates {
				y, ok := at[fmt.Sprint(a, l, q)]
				s.Y, s.Void = append(s.Y, y), append(s.Void, !ok)
			}
			c.Series = append(c.Series, s)
		}
		out = append(out, c)
	}
	return out
}

// name returns the name of the series to which the point belongs.
func (p *Point) name() string {
	name := cmp.Or(p.Accept, "any Accept")
	if p.Latency > 0 {
		name += ", mocked " + p.Latency.String()
	}
	return name
}

func series(points []*Point) (names []string) {
	for _, p := range points {
		names = once(names, p.name())
	}
	return names
}

// says returns the findings and the warnings.
func says(points []*Point) (findings, warnings []string) {
	for _, name := range series(points) {
		var kept, first *Point
		for _, p := range points {
			switch {
			case p.name() != name:
			case p.keptUp() && first == nil:
				kept = p
			case first == nil:
				first = p
			}
		}
		findings = append(findings, finding(name, kept, first))
	}
	bad := 0
	for _, p := range points {
		if !p.Valid() {
			bad++
		}
		if p.Failed() > 0 {
			warnings = append(warnings, fmt.Sprintf("%s at %g/s: %d of %d requests failed (%s)", p.name(),
				p.QPS, p.Failed(), p.Sent, failures(p.Errors)))
		}
	}
	if bad > 0 {
		warnings = append(warnings, fmt.Sprintf("at %d of %d points the generator was late by more than a tenth of the median "+
			"response: it and the server share this machine, or the rate is beyond it", bad, len(points)))
	}
	return findings, warnings
}

// keptUp reports whether the service answered nearly all requests at the rate at which they came:
// 99.9% of the answers are good, P99 is below 1 s, and the last answer came after at most 1.1 times
// the point's time.
func (p *Point) keptUp() bool {
	return p.Sent > 0 && float64(p.OK) >= 0.999*float64(p.Sent) && p.Seconds <= 1.1*p.For.Seconds() &&
		p.Response.Quantile(0.99) < float64(time.Second)
}

func finding(name string, kept, first *Point) string {
	text := name + ": "
	if kept == nil {
		return text + "it did not keep up with the lowest rate"
	}
	text += fmt.Sprintf("it kept up with %g requests a second", kept.QPS)
	if !kept.Valid() {
		text += ", as far as the generator did"
	}
	if kept.Response.Sound(0.99) {
		text += ", P99 " + quantity.Time(kept.Response.Quantile(0.99))
	}
	if first != nil {
		text += fmt.Sprintf(", and not with %g", first.QPS)
	}
	return text
}
