package load

import (
	"fmt"
	"slices"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// crowds adds the tables of many connections.
func (v *grpcView) crowds(x *run.Experiment) {
	first := v.Crowds[0]
	title := fmt.Sprintf("%d connections", first.Conns)
	if !slices.ContainsFunc(v.Crowds, func(c grpcload.Crowd) bool { return c.QPS != first.QPS }) {
		title += fmt.Sprintf(", %g calls a second", first.QPS)
	}
	times := run.Table{
		Title: title, Rounds: v.several(), Note: "Unary calls at random times, each over a connection at random; response times " +
			"count from when a call was due. A percentile is shown where 100 times lie beyond it; with ? more than a tenth of it " +
			"is how late calls were made. Where that is so of the median, all times have it." + v.ranges(),
		Columns: []run.Column{
			{Name: "Codec"}, {Name: "Wire", Unit: run.UnitBytes}, {Name: "Good", Unit: run.UnitOps},
			{Name: "P50", Unit: run.UnitNS}, {Name: "P99", Unit: run.UnitNS}, {Name: "P99.9", Unit: run.UnitNS},
			{Name: "Delay, mean", Unit: run.UnitNS, Help: "how long goroutines of the server waited, ready to run, until they ran"},
			{Name: "Delay, P50", Unit: run.UnitNS}, {Name: "Delay, P99", Unit: run.UnitNS},
			{Name: "Switches", Help: "context switches of the server for a call, by waiting"},
			{Name: "Forced", Help: "and by having to"}, {Name: "Failed", Unit: run.UnitCount},
		},
	}
	costs := run.Table{
		Title: "What a call costs, and a connection", Rounds: v.several(),
		Note: "Memory of a connection is the growth of resident memory for each, idle, after one call.",
		Columns: []run.Column{
			{Name: "Codec"}, {Name: "CPU", Unit: run.UnitNS, Help: "of both ends for a call"},
			{Name: "Server CPU", Unit: run.UnitNS}, {Name: "Server allocs", Help: "a call"},
			{Name: "Server memory", Unit: run.UnitBytes, Help: "allocated for a call"},
			{Name: "GCs", Help: "of the server, for a thousand calls"},
			{Name: "Connection, server", Unit: run.UnitBytes}, {Name: "Connection, client", Unit: run.UnitBytes},
		},
	}
	for i, c := range v.Crowds {
		if rs := v.r.Crowds[i]; len(rs) > 0 {
			times.Rows = append(times.Rows, v.crowdTimes(c, rs))
			costs.Rows = append(costs.Rows, v.crowdCosts(c, rs))
			v.crowdSays(x, c, rs)
		}
	}
	if len(times.Rows) > 0 {
		x.Tables = append(x.Tables, times, costs)
	}
	x.Absent = append(x.Absent, "cache misses: this does not count them; where a machine has counters, perf stat -e "+
		"cache-references,cache-misses -p PID does")
}

// crowdParts are what a crowd's name has besides its codec if crowds differ in it.
var crowdParts = []func(c grpcload.Crowd) string{
	func(c grpcload.Crowd) string { return grpcload.SizeText(c.Size) },
	func(c grpcload.Crowd) string { return grpcload.Cell{Blob: c.Blob}.Payload() },
	func(c grpcload.Crowd) string { return fmt.Sprintf("%g/s", c.QPS) },
}

func (v *grpcView) crowdName(c grpcload.Crowd) string {
	name := c.Codec
	for _, part := range crowdParts {
		if slices.ContainsFunc(v.Crowds, func(o grpcload.Crowd) bool { return part(o) != part(c) }) {
			name += ", " + part(c)
		}
	}
	return name
}

// serverOf is the end that is told about, which is that of both where they share a process.
func serverOf(r *grpcload.CrowdResult) *grpcload.Usage {
	if r.Server != nil {
		return r.Server
	}
	if r.Shared {
		return &r.Client
	}
	return new(grpcload.Usage)
}

// wasLate reports whether calls were made later than they were due.
func wasLate(r *grpcload.CrowdResult) bool { return r.Answered > 0 && !r.Valid() }

func (v *grpcView) crowdTimes(c grpcload.Crowd, rs []*grpcload.CrowdResult) []run.Item {
	each := func(of func(r *grpcload.CrowdResult) float64) run.Item { return spread(rs, of) }
	failed := 0
	var responses, lates []grpcload.Latency
	for _, r := range rs {
		failed += r.Failed()
		responses, lates = append(responses, r.Response), append(lates, r.Late)
	}
	all, lateness := grpcload.Merge(responses...), grpcload.Merge(lates...)
	n := run.Num(float64(failed))
	if failed > 0 {
		n.Mark = "bad"
	}
	late := slices.ContainsFunc(rs, wasLate)
	timed := func(it run.Item) run.Item {
		if late && it.Value != nil {
			it.Mark = "doubt" // calls that are late come in bunches, for which the server's goroutines wait too
		}
		return it
	}
	quantile := func(q float64) run.Item {
		it := timed(percentile(all, q))
		if it.Value != nil && !openloop.Punctual(lateness, all, q) {
			it.Mark = "doubt"
		}
		return it
	}
	return []run.Item{
		run.Text(v.crowdName(c)), run.Num(float64(rs[0].Wire)),
		each(func(r *grpcload.CrowdResult) float64 { return float64(r.Answered) / r.Seconds }),
		quantile(0.5), quantile(0.99), quantile(0.999),
		timed(each(func(r *grpcload.CrowdResult) float64 { return told(serverOf(r).Delays.Mean()) })),
		timed(each(func(r *grpcload.CrowdResult) float64 { return told(serverOf(r).Delays.Quantile(0.5)) })),
		timed(each(func(r *grpcload.CrowdResult) float64 { return told(serverOf(r).Delays.Quantile(0.99)) })),
		each(func(r *grpcload.CrowdResult) float64 { return float64(serverOf(r).Voluntary) / float64(r.Sent) }),
		each(func(r *grpcload.CrowdResult) float64 { return float64(serverOf(r).Involuntary) / float64(r.Sent) }), n,
	}
}

func (v *grpcView) crowdCosts(c grpcload.Crowd, rs []*grpcload.CrowdResult) []run.Item {
	each := func(of func(r *grpcload.CrowdResult) float64) run.Item { return spread(rs, of) }
	perCall := func(of func(u *grpcload.Usage) float64) run.Item {
		return each(func(r *grpcload.CrowdResult) float64 { return of(serverOf(r)) / float64(r.Sent) })
	}
	return []run.Item{
		run.Text(v.crowdName(c)),
		each(func(r *grpcload.CrowdResult) float64 {
			sum := told(r.Client.CPU)
			if !r.Shared {
				sum += told(serverOf(r).CPU)
			}
			return sum / float64(r.Sent)
		}),
		perCall(func(u *grpcload.Usage) float64 { return told(u.CPU) }),
		perCall(func(u *grpcload.Usage) float64 { return float64(u.Objects) }),
		perCall(func(u *grpcload.Usage) float64 { return float64(u.Bytes) }),
		perCall(func(u *grpcload.Usage) float64 { return 1000 * float64(u.Collections) }),
		each(func(r *grpcload.CrowdResult) float64 { return told(time.Duration(r.ServerRSS)) }),
		each(func(r *grpcload.CrowdResult) float64 { return told(time.Duration(r.ClientRSS)) }),
	}
}

func (v *grpcView) crowdSays(x *run.Experiment, c grpcload.Crowd, rs []*grpcload.CrowdResult) {
	r := rs[len(rs)/2]
	text := fmt.Sprintf("%s: %s calls a second", v.crowdName(c), threeDigits(float64(r.Answered)/r.Seconds))
	if r.Response.P99 > 0 {
		text += ", P99 " + spellTime(r.Response.P99)
	}
	if d := serverOf(r).Delays; d.N() > 0 {
		text += fmt.Sprintf(", goroutines of the server wait %s to run on average", spellTime(d.Mean()))
	}
	x.Findings = append(x.Findings, text)
	for _, r := range rs {
		if r.Failed() > 0 {
			x.Warnings = once(x.Warnings, fmt.Sprintf("%s: %d of %d calls failed (%s)", v.crowdName(c),
				r.Failed(), r.Sent, spellErrors(r.Errors)))
		}
	}
	if slices.ContainsFunc(rs, wasLate) {
		x.Warnings = once(x.Warnings, "calls were made later than they were due, by more than a tenth of the median response: the "+
			"generator and the server share this machine, or the rate is beyond it")
	}
}
