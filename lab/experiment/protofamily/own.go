package protofamily

import (
	"context"
	"errors"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/run"
)

// The shares of the budget for the user's type and for kinds of fields. Shapes get the rest.
const (
	ownShare   = 0.4
	kindsShare = 0.25
)

// yours measures all rows on the user's type, in common rounds. It opens the subject a second time,
// with a table of contenders that has the variants. Out is empty here, because the caller writes
// the report.
func (w *bench) yours(ctx context.Context) (err error) {
	o := w.Options()
	o.Table, o.Codecs, o.Out = w.table, nil, ""
	opened, err := lab.Open(ctx, o, w.UI)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	built, err := opened.Build(ctx, w.names)
	if err != nil {
		return err
	}
	if c := w.On(opened, built).Contender(base); c != nil { // a second process of the same program shows the noise
		twin := *c
		twin.Contender = &run.Contender{Name: again}
		built = append(built, &twin)
	}
	for _, c := range built {
		c.Worker.Share(len(built))
	}
	for _, c := range opened.Run().Contenders {
		if c.Status != run.StatusMeasured {
			w.absent = append(w.absent, lab.Sentence(c))
		}
	}
	w.Begin()
	cells, err := w.On(opened, built).Time(ctx, experiment.Rounds{Name: "your type", Budget: part(w.Budget(), ownShare), Rounds: 6,
		Cells: all})
	for _, c := range cells {
		if c.Codec == run.Baseline {
			continue // it is built only because other experiments need it
		}
		w.res.Own = append(w.res.Own, &Line{Codec: c.Codec, Op: c.Op, Mode: c.Mode, CPU: experiment.Estimate(experiment.CPU(c.Samples)),
			Allocs: c.Allocs, Bytes: c.Bytes, Wire: c.Wire, samples: c.Samples})
	}
	for _, i := range w.own {
		if w.res.line(i.Name, "encode", "fresh") != nil {
			w.res.Codecs = append(w.res.Codecs, i.Name)
			if i.Family != family {
				w.res.Beside = append(w.res.Beside, i.Name)
			}
		}
	}
	w.res.Change = w.res.changes()
	return err
}

// all returns a contender's cells of encode and decode in every mode.
func all(c *lab.Built) []measure.Cell {
	var out []measure.Cell
	for _, m := range c.Modes {
		if m.Op != "access" {
			out = append(out, measure.Cell{Op: m.Op, Mode: m.Mode})
		}
	}
	return out
}

// line returns one cell of the user's type, or nil if it was not measured.
func (r *Result) line(codec, op, mode string) *Line {
	return experiment.First(r.Own, func(l *Line) bool { return l.Codec == codec && l.Op == op && l.Mode == mode })
}
