package load

import (
	"fmt"
	"slices"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// crowds adds the tables for many connections.
func (v *grpcView) crowds(x *run.Experiment) {
	first := v.Crowds[0]
	title := fmt.Sprintf("%d connections", first.Conns)
	if !slices.ContainsFunc(v.Crowds, func(c grpcload.Crowd) bool { return c.QPS != first.QPS }) {
		title += fmt.Sprintf(", %g calls a second", first.QPS)
	}
	times := run.Table{
		Title: title, Rounds: several(v.Rounds), Note: "Unary calls at random times, each over a connection at random; response times " +
			"count from when a call was due. A percentile is shown where 100 times lie beyond it; with ? more than a tenth of it " +
			"is how late calls were made. Where that is so of the median, all times have it." + ranges(v.Rounds, ""),
	}
	costs := run.Table{
		Title: "What a call costs, and a connection", Rounds: several(v.Rounds),
		Note: "Memory of a connection is the growth of resident memory for each, idle, after one call.",
	}
	axes, _ := vary(crowdAxes, v.Crowds)
	for i, c := range v.Crowds {
		if rs := v.r.Crowds[i]; len(rs) > 0 {
			name := nameOf(axes, c)
			times.Add(append([]run.Figure{run.Text(name).Under("Codec", "")}, crowdTimes(rs)...)...)
			costs.Add(append([]run.Figure{run.Text(name).Under("Codec", "")}, crowdCosts(rs)...)...)
			crowdSays(x, name, rs)
		}
	}
	x.Tables = append(x.Tables, run.Filled(times, costs)...)
	x.Absent = append(x.Absent, "cache misses: this does not count them; where a machine has counters, perf stat -e "+
		"cache-references,cache-misses -p PID does")
}

// crowdAxes are the settings in which crowds can differ.
var crowdAxes = []axis[grpcload.Crowd]{
	{text: func(c grpcload.Crowd) string { return c.Codec }},
	{text: func(c grpcload.Crowd) string { return grpcload.SizeText(c.Size) }},
	{text: func(c grpcload.Crowd) string { return grpcload.Cell{Blob: c.Blob}.Payload() }},
	{text: func(c grpcload.Crowd) string { return fmt.Sprintf("%g/s", c.QPS) }},
}

// serverOf returns the usage of the server. If both ends share a process, it returns the usage of
// the process; if the usage is unknown, an empty one.
func serverOf(r *grpcload.CrowdResult) *grpcload.Usage {
	if r.Server != nil {
		return r.Server
	}
	if r.Shared {
		return &r.Client
	}
	return new(grpcload.Usage)
}

// wasLate reports whether calls were sent too late for the result to be valid.
func wasLate(r *grpcload.CrowdResult) bool { return r.Answered > 0 && !r.Valid() }

func crowdTimes(rs []*grpcload.CrowdResult) []run.Figure {
	each := eachOf(rs)
	failed := 0
	var responses, lates []grpcload.Latency
	for _, r := range rs {
		failed += r.Failed()
		responses, lates = append(responses, r.Response), append(lates, r.Late)
	}
	all, lateness := grpcload.Merge(responses...), grpcload.Merge(lates...)
	late := slices.ContainsFunc(rs, wasLate)
	quantile := func(q float64) run.Item {
		it := percentile(all, q)
		return it.Marked("doubt", it.Value != nil && (late || !openloop.Punctual(lateness, all, q)))
	}
	delay := func(name string, of func(d *grpcload.Delays) time.Duration) run.Figure {
		f := each(name, run.UnitNS, func(r *grpcload.CrowdResult) float64 { return told(of(serverOf(r).Delays)) })
		f.Item = f.Marked("doubt", late && f.Value != nil) // late calls come in bunches, so goroutines of the server wait, too
		return f
	}
	return slices.Concat([]run.Figure{run.Num(float64(rs[0].Wire)).Under("Wire", run.UnitBytes),
		each("Good", run.UnitOps, func(r *grpcload.CrowdResult) float64 { return float64(r.Answered) / r.Seconds }),
	}, percentiles(quantile, 0.5, 0.99, 0.999), []run.Figure{
		delay("Delay, mean", (*grpcload.Delays).Mean).Means("how long goroutines of the server waited, ready to run, until they ran"),
		delay("Delay, P50", func(d *grpcload.Delays) time.Duration { return d.Quantile(0.5) }),
		delay("Delay, P99", func(d *grpcload.Delays) time.Duration { return d.Quantile(0.99) }),
		perCall(rs, "Switches", "", func(u *grpcload.Usage) float64 { return float64(u.Voluntary) }).
			Means("context switches of the server for a call, by waiting"),
		perCall(rs, "Forced", "", func(u *grpcload.Usage) float64 { return float64(u.Involuntary) }).Means("and by having to"),
		faults(failed).Under("Failed", run.UnitCount)})
}

// perCall returns what the server spends on one call.
func perCall(rs []*grpcload.CrowdResult, name, unit string, of func(u *grpcload.Usage) float64) run.Figure {
	return eachOf(rs)(name, unit, func(r *grpcload.CrowdResult) float64 { return of(serverOf(r)) / float64(r.Sent) })
}

func crowdCosts(rs []*grpcload.CrowdResult) []run.Figure {
	each := eachOf(rs)
	return []run.Figure{
		each("CPU", run.UnitNS, func(r *grpcload.CrowdResult) float64 {
			sum := told(r.Client.CPU)
			if !r.Shared {
				sum += told(serverOf(r).CPU)
			}
			return sum / float64(r.Sent)
		}).Means("of both ends for a call"),
		perCall(rs, "Server CPU", run.UnitNS, func(u *grpcload.Usage) float64 { return told(u.CPU) }),
		perCall(rs, "Server allocs", "", func(u *grpcload.Usage) float64 { return float64(u.Objects) }).Means("a call"),
		perCall(rs, "Server memory", run.UnitBytes, func(u *grpcload.Usage) float64 { return float64(u.Bytes) }).Means("allocated for a call"),
		perCall(rs, "GCs", "", func(u *grpcload.Usage) float64 { return 1000 * float64(u.Collections) }).
			Means("of the server, for a thousand calls"),
		each("Connection, server", run.UnitBytes, func(r *grpcload.CrowdResult) float64 { return told(time.Duration(r.ServerRSS)) }),
		each("Connection, client", run.UnitBytes, func(r *grpcload.CrowdResult) float64 { return told(time.Duration(r.ClientRSS)) }),
	}
}

func crowdSays(x *run.Experiment, name string, rs []*grpcload.CrowdResult) {
	r := rs[len(rs)/2]
	text := fmt.Sprintf("%s: %s calls a second", name, quantity.Figure(float64(r.Answered)/r.Seconds))
	if r.Response.P99 > 0 {
		text += ", P99 " + quantity.Time(float64(r.Response.P99))
	}
	if d := serverOf(r).Delays; d.N() > 0 {
		text += fmt.Sprintf(", goroutines of the server wait %s to run on average", quantity.Time(float64(d.Mean())))
	}
	x.Findings = append(x.Findings, text)
	for _, r := range rs {
		if r.Failed() > 0 {
			x.Warnings = once(x.Warnings, fmt.Sprintf("%s: %d of %d calls failed (%s)", name,
				r.Failed(), r.Sent, failures(r.Errors)))
		}
	}
	if slices.ContainsFunc(rs, wasLate) {
		x.Warnings = once(x.Warnings, "calls were made later than they were due, by more than a tenth of the median response: the "+
			"generator and the server share this machine, or the rate is beyond it")
	}
}
