package load

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment returns the report of a measurement, in the lab's form.
func (g *GRPC) Experiment(r *GRPCResult, host run.Host, command []string, started time.Time) (*run.Experiment, error) {
	x := experiment("load-grpc", "gRPC under load", "How much goes through gRPC, how evenly, and what does it cost at both ends?",
		host, command, started)
	if len(g.Crowds) > 0 {
		x.Name, x.Title = "load-grpc-conns", "gRPC with many connections"
		x.Question = "What do codecs cost a server with many connections, and how long do its goroutines wait to run?"
	}
	v := &grpcView{g, r}
	for _, group := range g.Groups {
		v.group(x, group)
	}
	if len(g.Crowds) > 0 {
		v.crowds(x)
	}
	v.absent(x)
	return with(x, v.data())
}

// grpcView makes the report of a result.
type grpcView struct {
	*GRPC
	r *GRPCResult
}

// data returns all results: cells in the order of the groups, then crowds.
func (v *grpcView) data() any {
	var all struct {
		Cells  []*grpcload.Result      `json:"cells,omitempty"`
		Crowds []*grpcload.CrowdResult `json:"crowds,omitempty"`
	}
	for _, c := range grpcload.Distinct(v.Groups) {
		for _, r := range v.r.Cells[c] {
			all.Cells = append(all.Cells, withoutBuckets(r))
		}
	}
	for _, crowd := range v.r.Crowds {
		all.Crowds = append(all.Crowds, crowd...)
	}
	return all
}

// withoutBuckets returns r without the histograms of scheduling delays, which would be most of the
// data.
func withoutBuckets(r *grpcload.Result) *grpcload.Result {
	c := *r
	c.Client.Delays = nil
	if c.Server != nil {
		s := *c.Server
		s.Delays = nil
		c.Server = &s
	}
	return &c
}

// grpcAxes are the settings in which cells can differ.
var grpcAxes = []axis[grpcload.Cell]{
	{"Kind", func(c grpcload.Cell) string { return c.Kind.String() }, nil},
	{"Codec", func(c grpcload.Cell) string { return c.Codec }, nil},
	{"Payload", grpcload.Cell.Payload, nil},
	{"Size", func(c grpcload.Cell) string { return grpcload.SizeText(c.Size) }, nil},
	{"Streams", func(c grpcload.Cell) string { return fmt.Sprint(c.Streams) }, nil},
	{"Window", func(c grpcload.Cell) string { return grpcload.WindowText(c.Window) }, nil},
	{"RTT", func(c grpcload.Cell) string { return grpcload.RTTText(c.RTT) }, nil},
	{"Gzip", func(c grpcload.Cell) string { return grpcload.OnOff(c.Gzip) }, nil},
}

// group adds the tables and the chart of a group.
func (v *grpcView) group(x *run.Experiment, group grpcload.Group) {
	cells := slices.DeleteFunc(slices.Clone(group.Cells), func(c grpcload.Cell) bool { return len(v.r.Cells[c]) == 0 })
	if len(cells) == 0 {
		return
	}
	differ, same := vary(grpcAxes, group.Cells)
	var rest []string
	for _, a := range same {
		rest = append(rest, strings.ToLower(a.name)+" "+a.text(cells[0]))
	}
	rates := run.Table{Title: group.Title, Rounds: several(v.Rounds), Note: strings.Join(rest, ", ") +
		". A percentile is shown where 100 times lie beyond it." + ranges(v.Rounds, "")}
	costs := run.Table{Title: group.Title + ": costs", Rounds: several(v.Rounds),
		Note: "For a message. Where a round trip is put in, the client's processor time has the carrying in it."}
	apart := slices.ContainsFunc(cells, func(c grpcload.Cell) bool { return v.r.Cells[c][0].Server != nil })
	for _, c := range cells {
		rates.Add(append(key(differ, c), grpcRates(v.r.Cells[c])...)...)
		costs.Add(append(key(differ, c), grpcCosts(v.r.Cells[c], apart)...)...)
	}
	x.Tables = append(x.Tables, rates, costs)
	if len(differ) == 2 {
		x.Charts = append(x.Charts, v.bars(group, cells, differ[1]))
	}
	v.says(x, group, cells, differ[1:])
}

// grpcRates returns the columns for throughput and latency.
func grpcRates(rs []*grpcload.Result) []run.Figure {
	each := eachOf(rs)
	var all []grpcload.Latency
	failed := 0
	for _, r := range rs {
		all, failed = append(all, r.Latency), failed+r.Failed()
	}
	times := percentiles(func(q float64) run.Item { return percentile(grpcload.Merge(all...), q) }, 0.5, 0.99, 0.999)
	times[0].Help = "unary: of a call; bidi: from sending to the answer, several under way; server: between two messages; client: of " +
		"sending one"
	return slices.Concat([]run.Figure{
		each("MB/s", "", (*grpcload.Result).MBps).Means("10⁶ bytes a second in one direction, counted by the size of a message as protobuf: " +
			"the same content is as many bytes in every codec"),
		each("Messages", run.UnitOps, func(r *grpcload.Result) float64 { return r.Rate }),
	}, times, []run.Figure{
		each("Ping", run.UnitNS, func(r *grpcload.Result) float64 { return float64(r.Ping) }).
			Means("median of calls without content, one at a time: the round trip as it is"),
		bothCPU(rs), faults(failed).Under("Failed", run.UnitCount)})
}

// bothCPU returns the processor time of both ends for a message.
func bothCPU(rs []*grpcload.Result) run.Figure {
	return eachOf(rs)("CPU", run.UnitNS, func(r *grpcload.Result) float64 {
		cpu, _ := r.CPU()
		return told(cpu) / float64(r.Messages)
	}).Means("processor time of both ends for a message")
}

// grpcCosts returns the columns for the costs of a message. If apart is set, client and server have
// columns of their own.
func grpcCosts(rs []*grpcload.Result, apart bool) (row []run.Figure) {
	cpu := func(u *grpcload.Usage) float64 { return told(u.CPU) }
	objects := func(u *grpcload.Usage) float64 { return float64(u.Objects) }
	memory := func(u *grpcload.Usage) float64 { return float64(u.Bytes) }
	each := eachOf(rs)
	client := func(name, unit string, of func(u *grpcload.Usage) float64) run.Figure {
		return each(name, unit, func(r *grpcload.Result) float64 { return of(&r.Client) / float64(r.Messages) })
	}
	server := func(name, unit string, of func(u *grpcload.Usage) float64) run.Figure {
		return each(name, unit, func(r *grpcload.Result) float64 {
			if r.Server == nil {
				return math.NaN()
			}
			return of(r.Server) / float64(r.Messages)
		})
	}
	if apart {
		row = append(row, client("Client CPU", run.UnitNS, cpu), server("Server CPU", run.UnitNS, cpu),
			client("Client allocs", "", objects), server("Server allocs", "", objects),
			client("Client memory", run.UnitBytes, memory), server("Server memory", run.UnitBytes, memory))
	} else {
		row = append(row, bothCPU(rs), client("Allocs", "", objects), client("Memory", run.UnitBytes, memory))
	}
	return append(row, each("Wire", run.UnitBytes, func(r *grpcload.Result) float64 { return float64(r.Wire) }).
		Means("of a message in this codec, before compression"))
}

// told returns d, or NaN if d is 0, which means unknown.
func told(d time.Duration) float64 {
	if d == 0 {
		return math.NaN()
	}
	return float64(d)
}

// bars returns a bar chart of MB/s along an axis, with a series for each kind.
func (v *grpcView) bars(group grpcload.Group, cells []grpcload.Cell, along axis[grpcload.Cell]) run.Chart {
	var bars []bar
	for _, k := range grpcload.Kinds {
		for _, c := range cells {
			b := bar{category: along.text(c), series: k.String()}
			if c.Kind == k {
				b.Item = spread(v.r.Cells[c], (*grpcload.Result).MBps)
			}
			bars = append(bars, b)
		}
	}
	return draw(run.Chart{Kind: run.ChartBars, Title: group.Title, X: run.Axis{Name: along.name}, Y: run.Axis{Name: "MB/s", Log: true}}, bars)
}

// says adds a finding with the slowest and the fastest cell of each kind, and warnings for failed
// calls.
func (v *grpcView) says(x *run.Experiment, group grpcload.Group, cells []grpcload.Cell, axes []axis[grpcload.Cell]) {
	rate := func(c grpcload.Cell) float64 {
		if it := spread(v.r.Cells[c], (*grpcload.Result).MBps); it.Value != nil {
			return *it.Value
		}
		return 0
	}
	var parts []string
	for _, k := range grpcload.Kinds {
		of := slices.DeleteFunc(slices.Clone(cells), func(c grpcload.Cell) bool { return c.Kind != k })
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b grpcload.Cell) int { return cmp.Compare(rate(a), rate(b)) })
		least, most := of[0], of[len(of)-1]
		if least == most {
			parts = append(parts, fmt.Sprintf("%s %s MB/s", k, quantity.Figure(rate(most))))
		} else {
			parts = append(parts, fmt.Sprintf("%s %s MB/s (%s) to %s (%s)", k, quantity.Figure(rate(least)),
				nameOf(axes, least), quantity.Figure(rate(most)), nameOf(axes, most)))
		}
	}
	x.Findings = append(x.Findings, group.Title+": "+strings.Join(parts, "; "))
	for _, c := range cells {
		for _, r := range v.r.Cells[c] {
			if r.Failed() > 0 {
				x.Warnings = once(x.Warnings, fmt.Sprintf("%s: %d failed (%s)", c, r.Failed(), failures(r.Errors)))
			}
		}
	}
}

// absent adds what this measurement cannot know.
func (v *grpcView) absent(x *run.Experiment) {
	switch {
	case v.Addr == "" && !v.Self:
		x.Absent = append(x.Absent, "what each end takes by itself: both are one process; -self keeps them apart")
	case v.Addr != "" && slices.ContainsFunc(v.Groups, func(g grpcload.Group) bool {
		return slices.ContainsFunc(g.Cells, func(c grpcload.Cell) bool { return c.Window != 0 })
	}):
		x.Absent = append(x.Absent, "the server's windows, which limit what it receives: they are those that it was started with; "+
			"the client's are as the table says")
	}
	if runtime.GOOS == "windows" {
		x.Absent = append(x.Absent, "processor time, context switches and resident memory: this system is not asked")
	}
}
