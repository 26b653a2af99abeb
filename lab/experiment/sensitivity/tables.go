package sensitivity

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// ops are the measured operations.
var ops = []string{"encode", "decode"}

// result is everything that was found.
type result struct {
	curves int // number of types of the curves, which come first
	types  int
	order  []string // codecs
	list   map[key][]Reading
	spread map[key][]run.Estimate // of the readings
	costs  map[key][]cost
	models map[key]*Model
	yours  *yours // nil if the run ended before
}

type key struct{ codec, op string }

// cost is what a type of 16 fields costs, written in one of the ways.
type cost struct {
	way  int
	ns   run.Estimate
	wire float64
}

func (r *result) codec(name string) {
	if !slices.Contains(r.order, name) {
		r.order = append(r.order, name)
	}
}

func (r *result) add(codec, op string, x Reading, e run.Estimate) {
	if r.list == nil {
		r.list, r.spread = map[key][]Reading{}, map[key][]run.Estimate{}
	}
	r.codec(codec)
	k := key{codec, op}
	r.list[k], r.spread[k] = append(r.list[k], x), append(r.spread[k], e)
}

func (r *result) cost(codec, op string, way int, ns run.Estimate, wire float64) {
	if r.costs == nil {
		r.costs = map[key][]cost{}
	}
	r.codec(codec)
	k := key{codec, op}
	r.costs[k] = append(r.costs[k], cost{way, ns, wire})
}

func (r *result) experiment() *run.Experiment {
	e := &run.Experiment{
		Title:    "What the shape of messages costs",
		Question: "How does time go with nesting, fields, lists, blobs and the way times are written?",
		Warnings: []string{fmt.Sprintf("measured on %d synthetic types, each factor within the range that its table gives: nothing is said "+
			"beyond, and real types have texts and maps that these have not", r.types)},
	}
	r.models = map[key]*Model{}
	for _, c := range r.order {
		for _, op := range ops {
			k := key{c, op}
			if m, err := Fit(r.list[k]); err == nil {
				r.models[k] = m
			} else if len(r.list[k]) > 0 {
				e.Warnings = append(e.Warnings, fmt.Sprintf("%s, %s: no model: %v", c, op, err))
			}
		}
	}
	bends := r.bends()
	e.Tables = run.Filled(r.coefficients("encode"), r.coefficients("decode"), bendTable(bends), r.costTable())
	var last []string
	if r.yours != nil {
		if t := r.yours.table(r); len(t.Rows) > 0 {
			e.Tables = append(e.Tables, t)
			last = append(last, r.yours.finding(&t))
		}
	}
	for _, op := range ops {
		e.Charts = append(e.Charts, r.curve("depth", op), r.curve("fields", op), r.heatmap(op))
	}
	e.Charts = slices.DeleteFunc(e.Charts, func(c run.Chart) bool { return len(c.Series) == 0 })
	e.Findings = slices.Concat(bendFindings(bends), r.findings(), last)
	if data, err := json.Marshal(r.data()); err == nil {
		e.Data = data
	}
	return e
}

// data returns the readings and the models fitted to them, for run.json.
func (r *result) data() any {
	type entry struct {
		Codec    string    `json:"codec"`
		Op       string    `json:"op"`
		Model    *Model    `json:"model,omitempty"`
		Readings []Reading `json:"readings"`
	}
	var out []entry
	for _, c := range r.order {
		for _, op := range ops {
			out = append(out, entry{c, op, r.models[key{c, op}], r.list[key{c, op}]})
		}
	}
	return out
}

// coefficients has a row for each codec and factor of one operation.
func (r *result) coefficients(op string) run.Table {
	t := run.Table{Title: "What one more costs: " + op,
		Note: "A linear model adds up nanoseconds; a power model multiplies, and its figure is the exponent of 1 + the factor: 1 is " +
			"proportional, 0 no effect. Of both the one is shown that predicts types better which it has not seen. Intervals are a " +
			"jackknife's over types. Each type was timed in rounds beside one and the same program, which takes the machine's mood out."}
	for _, c := range r.order {
		m := r.models[key{c, op}]
		if m == nil {
			continue
		}
		for _, f := range factors {
			co := m.of(f.Name)
			cost := run.Between(co.Point, co.Lo, co.Hi).Marked("doubt", co.Lo <= 0 && co.Hi >= 0)
			t.Add(run.Text(c).Under("codec", ""), run.Text(f.Name).Under("factor", ""), run.Text(m.Form).Under("model", ""),
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
	for _, c := range r.order {
		for _, op := range ops {
			list := r.costs[key{c, op}]
			for _, x := range list {
				more, bytes := run.Text("–"), run.Text("–")
				if plain := list[0]; x.way > 0 && plain.way == 0 {
					more = between(plain.ns, x.ns, costFields).item()
					bytes = run.Num(math.Round(100*(x.wire-plain.wire)/costFields) / 100)
				}
				t.Add(run.Text(c).Under("codec", ""), run.Text(op).Under("op", ""), run.Text(costs[x.way].title).Under("field", ""),
					run.Est(x.ns).Under("time of all", run.UnitNS), more.Under("more per field", run.UnitNS), bytes.Under("bytes more per field", ""))
			}
		}
	}
	return t
}

// curve draws the times of the types that differ in one factor only.
func (r *result) curve(name, op string) run.Chart {
	f := factorOf(name)
	c := run.Chart{Kind: run.ChartLines, Title: "Time of " + op + " by " + name, X: run.Axis{Name: name, Log: f.Log},
		Y: run.Axis{Name: "CPU time", Unit: run.UnitNS}}
	for _, codec := range r.order {
		s := run.Series{Name: codec}
		for i, x := range r.list[key{codec, op}] {
			if x.Type >= r.curves || !varies(name, &x.Point) {
				continue
			}
			at := f.of(&x.Point)
			if name == "depth" {
				at++
			}
			e := r.spread[key{codec, op}][i]
			s.X, s.Y, s.Lo, s.Hi = append(s.X, at), append(s.Y, e.Median), append(s.Lo, e.Lo), append(s.Hi, e.Hi)
		}
		if len(s.X) > 1 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// varies reports whether p belongs to the curve of a factor, on which the other factors are
// constant.
func varies(name string, p *Point) bool {
	if name == "depth" {
		return p.Fields == 32
	}
	return p.Depth == 1 && p.Times == 0
}

// heatmap shows each factor's share of the time of a medium-sized message.
func (r *result) heatmap(op string) run.Chart {
	c := run.Chart{Kind: run.ChartHeatmap, Title: "Where the time of a middling message goes: " + op,
		Note: "What the linear models say of depth 4, 32 fields, 2 times of each kind, 64 elements and a blob of 4 " +
			"KiB.", Y: run.Axis{Name: "share of time", Unit: run.UnitShare}}
	middling := map[string]float64{"depth": 3, "fields": 32, string(Native): 2, string(Text): 2, string(Unix): 2, "array": 64, "blob": 4096}
	for _, f := range factors {
		c.Categories = append(c.Categories, f.Name)
	}
	for _, codec := range r.order {
		m := r.models[key{codec, op}]
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
		c.Series = append(c.Series, run.Series{Name: codec, Y: y})
	}
	return c
}

// findings returns what the models say, as sentences.
func (r *result) findings() []string {
	var out []string
	for _, op := range ops {
		for _, codec := range r.order {
			m := r.models[key{codec, op}]
			if m == nil {
				continue
			}
			s := fmt.Sprintf("%s, %s: ", codec, op)
			if m.Form == Linear {
				s += fmt.Sprintf("%s a scalar field, %s an element of a list, %s a KiB of a blob; a time costs %s as time.Time, %s as text and %s as "+
					"an integer",
					per(m, "fields", 1), per(m, "array", 1), per(m, "blob", 1024), per(m, string(Native), 1), per(m, string(Text), 1), per(m, string(Unix),
						1))
			} else {
				s += fmt.Sprintf("time goes with the %.2f-th power of the fields, the %.2f-th of the list's length and the %.2f-th of the blob's size",
					m.of("fields").Point, m.of("array").Point, m.of("blob").Point)
			}
			out = append(out, s+fmt.Sprintf("; for a type it has not seen the model errs by %s in the middle.", quantity.Share(m.Median)))
		}
	}
	for _, op := range ops {
		for _, codec := range r.order {
			list := r.costs[key{codec, op}]
			if len(list) != len(costs) {
				continue
			}
			more := func(i int) string {
				x, plain := list[i].ns, list[0].ns
				return shown((x.Lo-plain.Hi)/costFields, (x.Median-plain.Median)/costFields, (x.Hi-plain.Lo)/costFields)
			}
			out = append(out, fmt.Sprintf("%s, %s: beyond a plain field an optional one (a pointer) takes %s and a wrapper struct %s, with %.1f "+
				"and %.1f bytes more.", codec, op,
				more(1), more(2), (list[1].wire-list[0].wire)/costFields, (list[2].wire-list[0].wire)/costFields))
		}
	}
	return out
}

// per formats a linear cost of so many units, or says that no cost is proven.
func per(m *Model, name string, units float64) string {
	c := m.of(name)
	return shown(units*c.Lo, units*c.Point, units*c.Hi)
}

// shown formats a time. If its interval includes zero it says that nothing shows.
func shown(lo, point, hi float64) string {
	if lo <= 0 && hi >= 0 {
		return "nothing that shows"
	}
	return quantity.Time(point)
}
