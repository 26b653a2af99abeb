package sensitivity

import (
	"fmt"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// result is everything that was found.
type result struct {
	curves int // number of types of the curves, which come first
	types  int
	lines  []*line
	yours  *yours // nil if the run ended before it was measured
}

// line is what was measured of one codec and operation. Its exported fields are kept in run.json.
type line struct {
	Codec    string    `json:"codec"`
	Op       string    `json:"op"`
	Model    *Model    `json:"model,omitempty"` // nil if none fits
	Readings []Reading `json:"readings"`

	costs []cost
}

// cost is what a type of 16 fields costs, written in one of the ways.
type cost struct {
	way  int
	ns   run.Estimate
	wire float64
}

// line returns the line of a codec and operation. It adds the lines of a new codec.
func (r *result) line(codec, op string) *line {
	if is := func(l *line) bool { return l.Codec == codec }; !slices.ContainsFunc(r.lines, is) {
		for _, op := range experiment.Ops {
			r.lines = append(r.lines, &line{Codec: codec, Op: op})
		}
	}
	return experiment.First(r.lines, func(l *line) bool { return l.Codec == codec && l.Op == op })
}

// of returns the lines of an operation.
func (r *result) of(op string) []*line {
	return slices.DeleteFunc(slices.Clone(r.lines), func(l *line) bool { return l.Op != op })
}

func (r *result) experiment(err error) (*run.Experiment, error) {
	e := &run.Experiment{
		Title:    "What the shape of messages costs",
		Question: "How does time go with nesting, fields, lists, blobs and the way times are written?",
		Warnings: []string{fmt.Sprintf("measured on %d synthetic types, each factor within the range that its table gives: nothing is said "+
			"beyond, and real types have texts and maps that these have not", r.types)},
	}
	for _, l := range r.lines {
		var unfit error
		if l.Model, unfit = Fit(l.Readings); unfit != nil && l.Readings != nil {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s, %s: no model: %v", l.Codec, l.Op, unfit))
		}
	}
	bends := r.bends()
	e.Tables = []run.Table{r.coefficients("encode"), r.coefficients("decode"), bendTable(bends), r.costTable()}
	e.Findings = append(bendFindings(bends), r.findings()...)
	if r.yours != nil {
		list := r.yours.compare(r)
		e.Tables, e.Findings = append(e.Tables, r.yours.table(list)), append(e.Findings, r.yours.finding(list))
	}
	for _, op := range experiment.Ops {
		e.Charts = append(e.Charts, r.curve("depth", op), r.curve("fields", op), r.heatmap(op))
	}
	return experiment.With(e, r.lines, err)
}

// coefficients has a row for each codec and factor of one operation.
func (r *result) coefficients(op string) run.Table {
	t := run.Table{Title: "What one more costs: " + op,
		Note: "A linear model adds up nanoseconds; a power model multiplies, and its figure is the exponent of 1 + the factor: 1 is " +
			"proportional, 0 no effect. Of both the one is shown that predicts types better which it has not seen. Intervals are a " +
			"jackknife's over types. Each type was timed in rounds beside one and the same program, which takes the machine's mood out."}
	for _, l := range r.of(op) {
		m := l.Model
		if m == nil {
			continue
		}
		for _, f := range factors {
			cost := experiment.UnlessZero(m.of(f.Name).times(1))
			t.Add(run.Text(l.Codec).Under("codec", ""), run.Text(f.Name).Under("factor", ""), run.Text(m.Form).Under("model", ""),
				cost.Under("cost", "").Means("ns for each unit, or the exponent"), run.Num(float64(f.Low)).Under("tested from", run.UnitCount),
				run.Num(float64(f.High)).Under("to", run.UnitCount),
				run.Num(m.Median).Under("error", run.UnitShare).Means("median relative error for types left out"),
				run.Num(m.Worst).Under("90% of errors below", run.UnitShare))
		}
	}
	return t
}

// costTable compares the ways of writing a field that may be missing.
func (r *result) costTable() run.Table {
	t := run.Table{Title: "Plain, optional and wrapped fields",
		Note: fmt.Sprintf("Types of %d fields, half int64, half strings of 12 letters, all present; per field, beyond a plain one.", costFields)}
	for _, l := range r.lines {
		for _, x := range l.costs {
			more, bytes := run.Text("–"), run.Text("–")
			if plain := l.costs[0]; x.way > 0 && plain.way == 0 {
				more = run.Est(experiment.Slope(plain.ns, x.ns, costFields))
				bytes = run.Num(math.Round(100*(x.wire-plain.wire)/costFields) / 100)
			}
			t.Add(run.Text(l.Codec).Under("codec", ""), run.Text(l.Op).Under("op", ""), run.Text(costs[x.way].title).Under("field", ""),
				run.Est(x.ns).Under("time of all", run.UnitNS), more.Under("more per field", run.UnitNS), bytes.Under("bytes more per field", ""))
		}
	}
	return t
}

// curve draws the times of the types that differ in one factor only.
func (r *result) curve(name, op string) run.Chart {
	return experiment.Lines(run.Chart{Title: "Time of " + op + " by " + name, X: run.Axis{Name: name, Log: factorOf(name).Log},
		Y: run.Axis{Name: "CPU time", Unit: run.UnitNS}}, r.codecs(), 2, func(codec string, s *run.Series) {
		for _, x := range r.line(codec, op).Readings {
			if x.Type < r.curves && varies(name, &x.Point) {
				experiment.Plot(s, float64(factorOf(name).of(&x.Point)), x.spread)
			}
		}
	})
}

// codecs returns the measured codecs.
func (r *result) codecs() (names []string) {
	for _, l := range r.of("encode") {
		names = append(names, l.Codec)
	}
	return names
}

// varies reports whether p belongs to the curve of a factor, on which the other factors are
// constant.
func varies(name string, p *Point) bool {
	if name == "depth" {
		return p.Fields == 32
	}
	return p.Depth == 1 && p.Times == 0
}

// heatmap shows each factor's share of the time of a medium-sized message. Only linear models have
// such shares: in a power model the effects multiply.
func (r *result) heatmap(op string) run.Chart {
	c := run.Chart{Kind: run.ChartHeatmap, Title: "Where the time of a middling message goes: " + op,
		Note: "What the linear models say of depth 4, 32 fields, 2 times of each kind, 64 elements and a blob of 4 " +
			"KiB.", Y: run.Axis{Name: "share of time", Unit: run.UnitShare}}
	middling := map[string]float64{"depth": 3, "fields": 32, string(Native): 2, string(Text): 2, string(Unix): 2, "array": 64, "blob": 4096}
	for _, f := range factors {
		c.Categories = append(c.Categories, f.Name)
	}
	for _, l := range r.of(op) {
		m := l.Model
		if m == nil || m.Form != Linear {
			continue
		}
		total := max(0, m.Coefs[0].Point)
		var y []float64
		for _, f := range factors {
			ns := max(0, m.of(f.Name).Point*middling[f.Name])
			y = append(y, ns)
			total += ns
		}
		for i := range y {
			y[i] /= total
		}
		c.Series = append(c.Series, run.Series{Name: l.Codec, Y: y})
	}
	return c
}

// findings returns what the models say, as sentences.
func (r *result) findings() (out []string) {
	for _, op := range experiment.Ops {
		for _, l := range r.of(op) {
			m := l.Model
			if m == nil {
				continue
			}
			s := fmt.Sprintf("time goes with the %.2f-th power of the fields, the %.2f-th of the list's length and the %.2f-th of the blob's size",
				m.of("fields").Point, m.of("array").Point, m.of("blob").Point)
			if m.Form == Linear {
				per := func(factor string, units float64) string { return shown(m.of(factor).times(units)) }
				s = fmt.Sprintf("%s a scalar field, %s an element of a list, %s a KiB of a blob; a time costs %s as time.Time, %s as text and %s "+
					"as an integer", per("fields", 1), per("array", 1), per("blob", 1024), per(string(Native), 1), per(string(Text), 1),
					per(string(Unix), 1))
			}
			out = append(out, fmt.Sprintf("%s, %s: %s; for a type it has not seen the model errs by %s in the middle.", l.Codec, op, s,
				quantity.Share(m.Median)))
		}
	}
	for _, op := range experiment.Ops {
		for _, l := range r.of(op) {
			if len(l.costs) != len(costs) {
				continue
			}
			plain, optional, wrapped := l.costs[0], l.costs[1], l.costs[2]
			more := func(c cost) string { return shown(experiment.Slope(plain.ns, c.ns, costFields)) }
			out = append(out, fmt.Sprintf("%s, %s: beyond a plain field an optional one (a pointer) takes %s and a wrapper struct %s, with %.1f "+
				"and %.1f bytes more.", l.Codec, op, more(optional), more(wrapped), (optional.wire-plain.wire)/costFields,
				(wrapped.wire-plain.wire)/costFields))
		}
	}
	return out
}

// shown formats a time. If its interval includes zero it says that nothing shows.
func shown(e run.Estimate) string {
	if e.Lo <= 0 && e.Hi >= 0 {
		return "nothing that shows"
	}
	return quantity.Time(e.Median)
}
