package load

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment is the report of a measurement, in the lab's form.
func (g *GRPC) Experiment(r *GRPCResult, host run.Host, command []string, started time.Time) (*run.Experiment, error) {
	x := &run.Experiment{
		Name: "load-grpc", Title: "gRPC under load", Command: command, Started: started, Seconds: time.Since(started).Seconds(), Host: host,
		Question: "How much goes through gRPC, how evenly, and what does it cost at both ends?",
	}
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
	data, err := json.Marshal(v.data())
	x.Data = data
	return x, err
}

// grpcView draws a result.
type grpcView struct {
	*GRPC
	r *GRPCResult
}

// data is all results, by cell in the order of the groups, and by crowd.
func (v *grpcView) data() any {
	var all struct {
		Cells  []*grpcload.Result      `json:"cells,omitempty"`
		Crowds []*grpcload.CrowdResult `json:"crowds,omitempty"`
	}
	for _, c := range v.distinct() {
		for _, r := range v.r.Cells[c] {
			all.Cells = append(all.Cells, withoutBuckets(r))
		}
	}
	for _, crowd := range v.r.Crowds {
		all.Crowds = append(all.Crowds, crowd...)
	}
	return all
}

// withoutBuckets leaves the scheduler's histograms out, which would be most of the data.
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

// distinct are the cells in the order of the groups.
func (v *grpcView) distinct() []grpcload.Cell { return grpcload.Distinct(v.Groups) }

// grpcAxis is one axis of the matrix.
type grpcAxis struct {
	name string
	of   func(c grpcload.Cell) string
}

var grpcAxes = []grpcAxis{
	{"Kind", func(c grpcload.Cell) string { return c.Kind.String() }},
	{"Codec", func(c grpcload.Cell) string { return c.Codec }},
	{"Payload", grpcload.Cell.Payload},
	{"Size", func(c grpcload.Cell) string { return grpcload.SizeText(c.Size) }},
	{"Streams", func(c grpcload.Cell) string { return fmt.Sprint(c.Streams) }},
	{"Window", func(c grpcload.Cell) string { return grpcload.WindowText(c.Window) }},
	{"RTT", func(c grpcload.Cell) string { return grpcload.RTTText(c.RTT) }},
	{"Gzip", func(c grpcload.Cell) string { return grpcload.OnOff(c.Gzip) }},
}

// splitCells are the axes along which cells differ, of which the first is always the kind, and a
// text that tells the rest.
func splitCells(cells []grpcload.Cell) (vary []grpcAxis, rest string) {
	var same []string
	for i, a := range grpcAxes {
		if i == 0 || slices.ContainsFunc(cells, func(c grpcload.Cell) bool { return a.of(c) != a.of(cells[0]) }) {
			vary = append(vary, a)
		} else {
			same = append(same, strings.ToLower(a.name)+" "+a.of(cells[0]))
		}
	}
	return vary, strings.Join(same, ", ")
}

// group adds the tables and the chart of some cells.
func (v *grpcView) group(x *run.Experiment, group grpcload.Group) {
	cells := slices.DeleteFunc(slices.Clone(group.Cells), func(c grpcload.Cell) bool { return len(v.r.Cells[c]) == 0 })
	if len(cells) == 0 {
		return
	}
	vary, rest := splitCells(group.Cells)
	figures := append(grpcRates(), grpcFailed)
	costs := grpcCosts(slices.ContainsFunc(cells, func(c grpcload.Cell) bool { return v.r.Cells[c][0].Server != nil }))
	x.Tables = append(x.Tables, v.table(group.Title, rest+". A percentile is shown where 100 times lie beyond it."+v.ranges(),
		cells, vary, figures), v.table(group.Title+": costs",
		"For a message. Where a round trip is put in, the client's processor time has the carrying in it.", cells, vary, costs))
	if len(vary) == 2 {
		x.Charts = append(x.Charts, v.bars(group, cells, vary[1]))
	}
	v.says(x, group, cells, vary)
}

// ranges says what stands behind ±.
func (v *grpcView) ranges() string {
	if v.Rounds < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d rounds, ± half of their range.", v.Rounds)
}

// several is the number of rounds that stand behind an item's range, 0 where there is none.
func (v *grpcView) several() int {
	if v.Rounds < 2 {
		return 0
	}
	return v.Rounds
}

// table is a row for each cell: what tells it from others, and figures.
func (v *grpcView) table(title, note string, cells []grpcload.Cell, vary []grpcAxis, figures []grpcFigure) run.Table {
	t := run.Table{Title: title, Note: note, Rounds: v.several()}
	for _, a := range vary {
		t.Columns = append(t.Columns, run.Column{Name: a.name})
	}
	for _, f := range figures {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, c := range cells {
		var row []run.Item
		for _, a := range vary {
			row = append(row, run.Text(a.of(c)))
		}
		for _, f := range figures {
			row = append(row, f.of(v.r.Cells[c]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// grpcFigure is a column of figures, each made of the rounds of a cell.
type grpcFigure struct {
	run.Column
	of func(rs []*grpcload.Result) run.Item
}

// figure is one whose rounds are each a number.
func figure(c run.Column, of func(r *grpcload.Result) float64) grpcFigure {
	return grpcFigure{c, func(rs []*grpcload.Result) run.Item { return spread(rs, of) }}
}

// grpcRates are how much went through, and how evenly.
func grpcRates() []grpcFigure {
	return []grpcFigure{
		figure(run.Column{Name: "MB/s", Help: "10⁶ bytes a second in one direction, counted by the size of a message as protobuf: " +
			"the same content is as many bytes in every codec"}, (*grpcload.Result).MBps),
		figure(run.Column{Name: "Messages", Unit: run.UnitOps}, func(r *grpcload.Result) float64 { return r.Rate }),
		grpcTimes(0.5, "unary: of a call; bidi: from sending to the answer, several under way; server: between two messages; "+
			"client: of sending one"),
		grpcTimes(0.99, ""), grpcTimes(0.999, ""),
		figure(run.Column{Name: "Ping", Unit: run.UnitNS, Help: "median of calls without content, one at a time: the round trip as it is"},
			func(r *grpcload.Result) float64 { return float64(r.Ping) }),
		bothCPU,
	}
}

// grpcTimes is a percentile over all rounds.
func grpcTimes(q float64, help string) grpcFigure {
	return grpcFigure{run.Column{Name: openloop.Name(q), Unit: run.UnitNS, Help: help}, func(rs []*grpcload.Result) run.Item {
		var all []grpcload.Latency
		for _, r := range rs {
			all = append(all, r.Latency)
		}
		return percentile(grpcload.Merge(all...), q)
	}}
}

// bothCPU is the processor time of both ends.
var bothCPU = figure(run.Column{Name: "CPU", Unit: run.UnitNS, Help: "processor time of both ends for a message"},
	func(r *grpcload.Result) float64 {
		cpu, _ := r.CPU()
		return told(cpu) / float64(r.Messages)
	})

// grpcFailed is how many went wrong in all rounds.
var grpcFailed = grpcFigure{run.Column{Name: "Failed", Unit: run.UnitCount}, func(rs []*grpcload.Result) run.Item {
	n := 0
	for _, r := range rs {
		n += r.Failed()
	}
	it := run.Num(float64(n))
	if n > 0 {
		it.Mark = "bad"
	}
	return it
}}

// grpcCosts are what a message took, of each end where they are told apart.
func grpcCosts(apart bool) []grpcFigure {
	cpu := func(u *grpcload.Usage) float64 { return told(u.CPU) }
	objects := func(u *grpcload.Usage) float64 { return float64(u.Objects) }
	memory := func(u *grpcload.Usage) float64 { return float64(u.Bytes) }
	client := func(name, unit string, of func(u *grpcload.Usage) float64) grpcFigure {
		return figure(run.Column{Name: name, Unit: unit}, func(r *grpcload.Result) float64 { return of(&r.Client) / float64(r.Messages) })
	}
	server := func(name, unit string, of func(u *grpcload.Usage) float64) grpcFigure {
		return figure(run.Column{Name: name, Unit: unit}, func(r *grpcload.Result) float64 {
			if r.Server == nil {
				return math.NaN()
			}
			return of(r.Server) / float64(r.Messages)
		})
	}
	wire := figure(run.Column{Name: "Wire", Unit: run.UnitBytes, Help: "of a message in this codec, before compression"},
		func(r *grpcload.Result) float64 { return float64(r.Wire) })
	if !apart {
		return []grpcFigure{bothCPU, client("Allocs", "", objects), client("Memory", run.UnitBytes, memory), wire}
	}
	return []grpcFigure{
		client("Client CPU", run.UnitNS, cpu), server("Server CPU", run.UnitNS, cpu),
		client("Client allocs", "", objects), server("Server allocs", "", objects),
		client("Client memory", run.UnitBytes, memory), server("Server memory", run.UnitBytes, memory), wire,
	}
}

// told is a time that is known, NaN for one that is not.
func told(d time.Duration) float64 {
	if d == 0 {
		return math.NaN()
	}
	return float64(d)
}

// spread is the median over rounds, with the least and the most where there are several. A figure
// that some round does not have is not shown.
func spread[R any](rs []R, of func(R) float64) run.Item {
	var all []float64
	for _, r := range rs {
		x := of(r)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return run.Text("–")
		}
		all = append(all, x)
	}
	slices.Sort(all)
	n := len(all)
	it := run.Num((all[(n-1)/2] + all[n/2]) / 2)
	if n > 1 {
		it.Lo, it.Hi = &all[0], &all[n-1]
	}
	return it
}

// bars are megabytes a second along an axis, for each kind.
func (v *grpcView) bars(group grpcload.Group, cells []grpcload.Cell, along grpcAxis) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: group.Title, X: run.Axis{Name: along.name}, Y: run.Axis{Name: "MB/s", Log: true}}
	for _, x := range cells {
		c.Categories = once(c.Categories, along.of(x))
	}
	for _, k := range grpcload.Kinds {
		s := run.Series{Name: k.String(), Y: make([]float64, len(c.Categories)), Void: make([]bool, len(c.Categories))}
		for i := range s.Void {
			s.Void[i] = true
		}
		for _, x := range cells {
			if it := spread(v.r.Cells[x], (*grpcload.Result).MBps); x.Kind == k && it.Value != nil {
				i := slices.Index(c.Categories, along.of(x))
				s.Y[i], s.Void[i] = *it.Value, false
			}
		}
		if slices.Contains(s.Void, false) {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// says adds a sentence about what an axis does, and doubts.
func (v *grpcView) says(x *run.Experiment, group grpcload.Group, cells []grpcload.Cell, vary []grpcAxis) {
	rate := func(c grpcload.Cell) float64 {
		if it := spread(v.r.Cells[c], (*grpcload.Result).MBps); it.Value != nil {
			return *it.Value
		}
		return 0
	}
	name := func(c grpcload.Cell) string {
		var parts []string
		for _, a := range vary[1:] {
			parts = append(parts, a.of(c))
		}
		return strings.Join(parts, ", ")
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
			parts = append(parts, fmt.Sprintf("%s %s MB/s", k, threeDigits(rate(most))))
		} else {
			parts = append(parts, fmt.Sprintf("%s %s MB/s (%s) to %s (%s)", k, threeDigits(rate(least)),
				name(least), threeDigits(rate(most)), name(most)))
		}
	}
	x.Findings = append(x.Findings, group.Title+": "+strings.Join(parts, "; "))
	for _, c := range cells {
		for _, r := range v.r.Cells[c] {
			if r.Failed() > 0 {
				x.Warnings = once(x.Warnings, fmt.Sprintf("%s: %d failed (%s)", c, r.Failed(), spellErrors(r.Errors)))
			}
		}
	}
}

// absent says what cannot be known here.
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

// spellErrors spells errors by what they were.
func spellErrors(errors map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(errors)) {
		parts = append(parts, fmt.Sprintf("%s: %d", what, errors[what]))
	}
	return strings.Join(parts, ", ")
}
