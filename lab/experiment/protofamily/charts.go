package protofamily

import (
	"github.com/zmylab/zmy/lab/experiment"
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
		for i, op := range experiment.Ops {
			c := r.lines(f, op)
			c.Beside = i > 0
			out = append(out, c)
		}
	}
	return out
}

// bars has a group of bars for each codec, with a bar for each operation.
func (r *Result) bars(title string, y run.Axis, figure func(*Line) run.Estimate) run.Chart {
	return experiment.Bars(run.Chart{Title: title, Y: y}, r.Codecs, experiment.Ops, func(codec, op string) (run.Estimate, bool) {
		if l := r.line(codec, op, "fresh"); l != nil {
			return figure(l), true
		}
		return run.Estimate{}, false
	})
}

// lines has a line for each codec.
func (r *Result) lines(factor, op string) run.Chart {
	c := run.Chart{Title: map[string]string{"encode": "Encode", "decode": "Decode"}[op] + " by " + factor,
		X: run.Axis{Name: map[string]string{
			factorDepth: "levels of nesting, 32 fields in all", factorFields: "fields, flat",
			factorBlob: "bytes of a blob beside 32 fields"}[factor]},
		Y: run.Axis{Name: "CPU time", Unit: run.UnitNS}}
	c.X.Log, c.Y.Log = factor != factorDepth, factor != factorDepth
	if factor == factorBlob {
		c.X.Unit = run.UnitBytes
	}
	return experiment.Lines(c, r.Codecs, 2, func(codec string, s *run.Series) {
		for _, p := range r.curve(factor, codec, op) {
			experiment.Plot(s, p.At, p.CPU)
		}
	})
}
