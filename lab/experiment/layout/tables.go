package layout

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// experiment says what was found.
func (r *result) experiment(subject string) *run.Experiment {
	e := &run.Experiment{
		Title:    "Layout in memory",
		Question: "How much of " + subject + " is padding, which order of its fields saves it, and is that worth anything?",
		Findings: r.findings(),
		Tables:   []run.Table{r.structs()},
	}
	if t := r.fields(); len(t.Rows) > 0 {
		e.Tables = append(e.Tables, t)
	}
	if len(r.measured) > 0 {
		e.Tables = append(e.Tables, r.effects())
		e.Charts = append(e.Charts, r.chart())
	}
	for _, l := range r.literals[:min(len(r.literals), 8)] {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%s: a literal of %s without field names: another order of the fields changes what it means, "+
			"or it does not compile; name its fields first", l, l.Type))
	}
	if more := len(r.literals) - 8; more > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d more literals have no field names", more))
	}
	if r.gains() {
		e.Warnings = append(e.Warnings, r.wire...)
		e.Warnings = append(e.Warnings, "encoding/binary, unsafe and cgo also go by the order of fields: look for them before you change it")
	}
	return e
}

func (r *result) gains() bool {
	for _, s := range r.Structs {
		if s.Order != nil {
			return true
		}
	}
	return false
}

func (r *result) findings() []string {
	var out []string
	for _, s := range r.Structs {
		if s.Order == nil {
			continue
		}
		switch {
		case s.Gain() > 0 && s.Now.Class != s.Best.Class:
			out = append(out, fmt.Sprintf("%s takes %d bytes, %d of them padding; in another order of its fields it takes %d (%s less), and one on the heap %d instead of %d.",
				name(s), s.Now.Size, s.Now.Padding, s.Best.Size, experiment.Share(float64(s.Gain())/float64(s.Now.Size)), s.Best.Class, s.Now.Class))
		case s.Gain() > 0:
			out = append(out, fmt.Sprintf("%s takes %d bytes, %d of them padding; in another order of its fields it takes %d. That pays in lists and in structs that hold it; "+
				"one alone on the heap takes %d bytes either way, since the allocator hands out no size between.", name(s), s.Now.Size, s.Now.Padding, s.Best.Size, s.Now.Class))
		default:
			out = append(out, fmt.Sprintf("%s cannot be made smaller, but with its pointers first the garbage collector looks through %d of its bytes instead of %d.",
				name(s), s.Best.Pointers, s.Now.Pointers))
		}
	}
	if len(out) == 0 && r.movable() == 0 {
		return []string{"None of the structs is yours to change: the table says whose they are."}
	}
	if len(out) == 0 {
		return []string{fmt.Sprintf("No order of the fields saves memory in any of the %d structs that can be changed: leave them as they are.", r.movable())}
	}
	for _, m := range r.measured {
		change := fmt.Sprintf("%s a list of %s values takes %s per value as declared and %s reordered", upper(m.text), experiment.Count(listLength),
			experiment.Time(m.now.Median), experiment.Time(m.then.Median))
		switch m.verdict {
		case run.Faster:
			change += fmt.Sprintf(": %s less CPU time (95%% interval %s to %s).", experiment.Share(1-1/m.ratio.Point), experiment.Share(1-1/m.ratio.Lo), experiment.Share(1-1/m.ratio.Hi))
		case run.Slower:
			change += fmt.Sprintf(": %s more CPU time, so the order is no gain there.", experiment.Share(1/m.ratio.Point-1))
		case run.Tied:
			change += ": the same."
		default:
			change += ": no difference that this run can prove."
		}
		out = append(out, change)
	}
	if r.saved != "" {
		out = append(out, "The declarations in their new order are in "+r.saved+", to be copied over yours.")
	}
	return out
}

func (r *result) movable() (n int) {
	for _, s := range r.Structs {
		if s.Fixed == "" {
			n++
		}
	}
	return n
}

func name(s *Struct) string { return s.Type.Name.PkgName + "." + s.Type.Name.Name }

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (r *result) structs() run.Table {
	t := run.Table{
		Title: "Structs",
		Note: "On a 64-bit machine. Heap is what the allocator hands out for one value alone; scanned is how far into a value the garbage collector looks for pointers. " +
			"Another order of fields in a struct also changes those that hold it by value.",
		Columns: []run.Column{{Name: "type"}, {Name: "declared at"}, {Name: "size", Unit: run.UnitBytes}, {Name: "padding", Unit: run.UnitBytes},
			{Name: "reordered", Unit: run.UnitBytes}, {Name: "saves", Unit: run.UnitBytes}, {Name: "heap now", Unit: run.UnitBytes}, {Name: "heap then", Unit: run.UnitBytes},
			{Name: "scanned now", Unit: run.UnitBytes}, {Name: "scanned then", Unit: run.UnitBytes}, {Name: "note"}},
	}
	num := func(n int64) run.Item { return run.Num(float64(n)) }
	for _, s := range r.Structs {
		gain := num(s.Gain())
		if s.Gain() > 0 {
			gain.Mark = "good"
		}
		note := s.Fixed
		if note == "" && s.Order == nil {
			note = "nothing to gain"
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(name(s)), run.Text(fmt.Sprintf("%s:%d", s.Type.Pos.File, s.Type.Pos.Line)), num(s.Now.Size), num(s.Now.Padding),
			num(s.Best.Size), gain, num(s.Now.Class), num(s.Best.Class), num(s.Now.Pointers), num(s.Best.Pointers), run.Text(note)})
	}
	return t
}

// fields lists the fields of structs that gain, in the new order.
func (r *result) fields() run.Table {
	t := run.Table{
		Title:   "Fields in their new order",
		Note:    "Padding is what stands after the field today.",
		Columns: []run.Column{{Name: "type"}, {Name: "field"}, {Name: "size", Unit: run.UnitBytes}, {Name: "alignment", Unit: run.UnitBytes}, {Name: "offset today", Unit: run.UnitCount}, {Name: "padding today", Unit: run.UnitBytes}},
	}
	for _, s := range r.Structs {
		for _, i := range s.Order {
			f := s.Type.Fields[i]
			end := s.Now.Size
			if i+1 < len(s.Type.Fields) {
				end = s.Type.Fields[i+1].Offset
			}
			pad := run.Num(float64(end - f.Offset - f.Type.Size))
			if *pad.Value > 0 {
				pad.Mark = "bad"
			}
			t.Rows = append(t.Rows, []run.Item{run.Text(name(s)), run.Text(f.Name), run.Num(float64(f.Type.Size)), run.Num(float64(f.Type.Align)), run.Num(float64(f.Offset)), pad})
		}
	}
	return t
}

func (r *result) effects() run.Table {
	t := run.Table{
		Title: "What the new order is worth",
		Note: fmt.Sprintf("CPU time per value over a list of %s values, two programs in interleaved rounds; a third, a twin of the first, shows a noise of ±%s.",
			experiment.Count(listLength), experiment.Share(r.floor)),
		Columns: []run.Column{{Name: "what"}, {Name: "as declared", Unit: run.UnitNS}, {Name: "reordered", Unit: run.UnitNS},
			{Name: "times faster", Unit: run.UnitTimes, Help: "time as declared over time reordered: above 1 the new order is faster"}, {Name: "judgement"}},
	}
	for _, m := range r.measured {
		ratio := run.Item{Value: &m.ratio.Point, Lo: &m.ratio.Lo, Hi: &m.ratio.Hi}
		switch m.verdict {
		case run.Faster:
			ratio.Mark = "good"
		case run.Slower:
			ratio.Mark = "bad"
		}
		t.Rows = append(t.Rows, []run.Item{run.Text(m.text), run.Est(m.now), run.Est(m.then), ratio, run.Text(m.verdict)})
	}
	return t
}

func (r *result) chart() run.Chart {
	c := run.Chart{Kind: run.ChartBars, Title: "Time per value", Y: run.Axis{Name: "CPU time", Unit: run.UnitNS, Log: true}}
	now, then := run.Series{Name: "as declared"}, run.Series{Name: "reordered"}
	for _, m := range r.measured {
		c.Categories = append(c.Categories, m.text)
		for _, s := range []struct {
			to *run.Series
			e  run.Estimate
		}{{&now, m.now}, {&then, m.then}} {
			s.to.Y, s.to.Lo, s.to.Hi = append(s.to.Y, s.e.Median), append(s.to.Lo, s.e.Lo), append(s.to.Hi, s.e.Hi)
		}
	}
	c.Series = []run.Series{now, then}
	return c
}
