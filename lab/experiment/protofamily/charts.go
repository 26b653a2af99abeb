package protofamily

import (
	"github.com/zmylab/zmy/lab/run"
)

// charts returns bar charts of time, allocations and memory, then the curves.
func (r *Result) charts() []run.Chart {
	out := []run.Chart{
		r.bars("Time", run.Axis{Name: "CPU time", Unit: run.UnitNS}, func(l *Line) run.Estimate { return l.CPU }),
		r.bars("Allocations", run.Axis{Name: "objects", Unit: run.UnitNone},
			func(l *Line) run.Estimate { return run.Estimate{Median: *allocs(l.Allocs).Value} }),
		r.bars("Memory", run.Axis{Name: "allocated", Unit: run.UnitBytes}, func(l *Line) run.Estimate { return run.Estimate{Median: l.Bytes} }),
	}
	out[0].Note = "A message of your type, mode fresh: on what each library generates, without conversion; what stands beside " +
		"the family, on your own type."
	out[1].Beside, out[2].Beside = true, true
	for _, f := range factors {
		for i, op := range ops {
			c := r.lines(f, op)
			c.Beside = i > 0
			out = append(out, c)
		}
	}
	var drawn []run.Chart
	for _, c := range out {
		if len(c.Series) > 0 {
			drawn = append(drawn, c)
		}
	}
	return drawn
}

// bars has a group of bars for each codec, with a bar for each operation.
func (r *Result) bars(title string, y run.Axis, figure func(*Line) run.Estimate) run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: title, Y: y}
	series := make([]run.Series, len(ops))
	for _, codec := range r.Codecs {
		var lines []*Line
		for _, op := range ops {
			if l := r.line(codec, op, "fresh"); l != nil {
				lines = append(lines, l)
			}
		}
		if len(lines) != len(ops) {
			continue
		}
		c.Categories = append(c.Categories, codec)
		for i, l := range lines {
			e, s := figure(l), &series[i]
			s.Name, s.Y = ops[i], append(s.Y, e.Median)
			if e.N > 0 {
				s.Lo, s.Hi = append(s.Lo, e.Lo), append(s.Hi, e.Hi)
			}
		}
	}
	if len(c.Categories) > 0 {
		c.Series = series
	}
	return c
}

// lines has a line for each codec.
func (r *Result) lines(factor, op string) run.Chart {
	c := run.Chart{Kind: run.ChartLines, Title: map[string]string{"encode": "Encode", "decode": "Decode"}[op] + " by " + factor,
		X: run.Axis{Name: map[string]string{
			factorDepth: "levels of nesting, 32 fields in all", factorFields: "fields, flat",
			factorBlob: "bytes of a blob beside 32 fields"}[factor]},
		Y: run.Axis{Name: "CPU time", Unit: run.UnitNS}}
	c.X.Log, c.Y.Log = factor != factorDepth, factor != factorDepth
	if factor == factorBlob {
		c.X.Unit = run.UnitBytes
	}
	for _, codec := range r.Codecs {
		s := run.Series{Name: codec}
		for _, p := range r.curve(factor, codec, op) {
			s.X, s.Y, s.Lo, s.Hi = append(s.X, p.At), append(s.Y, p.CPU.Median), append(s.Lo, p.CPU.Lo), append(s.Hi, p.CPU.Hi)
		}
		if len(s.X) > 1 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}
