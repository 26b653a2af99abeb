package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// experiment makes the report of what was found.
func (r *result) experiment(subject string) *run.Experiment {
	e := &run.Experiment{
		Title:    "Layout in memory",
		Question: "How much of " + subject + " is padding, which order of its fields saves it, and is that worth anything?",
		Findings: r.findings(),
		Tables:   []run.Table{r.structs(), r.fields(), r.effects()},
		Charts:   []run.Chart{r.chart()},
	}
	for _, l := range r.literals[:min(len(r.literals), 8)] {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%s:%d: a literal of %s without field names: another order of the fields changes what it "+
			"means, or it does not compile; name its fields first", l.File, l.Line, l.Type))
	}
	if more := len(r.literals) - 8; more > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d more literals have no field names", more))
	}
	if slices.ContainsFunc(r.Structs, func(s *Struct) bool { return s.Order != nil }) {
		e.Warnings = append(e.Warnings, r.wire...)
		e.Warnings = append(e.Warnings, "encoding/binary, unsafe and cgo also go by the order of fields: look for them before you change it")
	}
	return e
}

func (r *result) findings() []string {
	var out []string
	for _, s := range r.Structs {
		if s.Order == nil {
			continue
		}
		switch {
		case s.Gain() > 0 && s.Now.Class != s.Best.Class:
			out = append(out, fmt.Sprintf("%s takes %d bytes, %d of them padding; in another order of its fields it takes %d (%s less), and one "+
				"on the heap %d instead of %d.",
				name(s), s.Now.Size, s.Now.Padding, s.Best.Size, quantity.Share(float64(s.Gain())/float64(s.Now.Size)), s.Best.Class, s.Now.Class))
		case s.Gain() > 0:
			out = append(out, fmt.Sprintf("%s takes %d bytes, %d of them padding; in another order of its fields it takes %d. That pays in lists "+
				"and in structs that hold it; one alone on the heap takes %d bytes either way, since the allocator hands out no "+
				"size between.", name(s), s.Now.Size, s.Now.Padding, s.Best.Size, s.Now.Class))
		default:
			out = append(out, fmt.Sprintf("%s cannot be made smaller, but with its pointers first the garbage collector looks through %d of its "+
				"bytes instead of %d.", name(s), s.Best.Pointers, s.Now.Pointers))
		}
	}
	if len(out) == 0 && r.movable() == 0 {
		return []string{"None of the structs is yours to change: the table says whose they are."}
	}
	if len(out) == 0 {
		return []string{fmt.Sprintf("No order of the fields saves memory in any of the %d structs that can be changed: leave them as they are.",
			r.movable())}
	}
	for _, m := range r.measured {
		change := fmt.Sprintf("%s a list of %s values takes %s per value as declared and %s reordered", upper(m.text),
			quantity.Count(listLength),
			quantity.Time(m.now.Median), quantity.Time(m.then.Median))
		switch m.verdict {
		case run.Faster:
			change += fmt.Sprintf(": %s less CPU time (95%% interval %s to %s).", quantity.Share(1-1/m.ratio.Point),
				quantity.Share(1-1/m.ratio.Lo), quantity.Share(1-1/m.ratio.Hi))
		case run.Slower:
			change += fmt.Sprintf(": %s more CPU time, so the order is no gain there.", quantity.Share(1/m.ratio.Point-1))
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
		Note: "On a 64-bit machine. Heap is what the allocator hands out for one value alone; scanned is how far into a value the garbage " +
			"collector looks for pointers. Another order of fields in a struct also changes those that hold it by value.",
	}
	for _, s := range r.Structs {
		note := s.Fixed
		if note == "" && s.Order == nil {
			note = "nothing to gain"
		}
		t.Add(run.Text(name(s)).Under("type", ""), run.Text(fmt.Sprintf("%s:%d", s.Type.Pos.File, s.Type.Pos.Line)).Under("declared at", ""),
			size(s.Now.Size).Under("size", run.UnitBytes), size(s.Now.Padding).Under("padding", run.UnitBytes),
			size(s.Best.Size).Under("reordered", run.UnitBytes), size(s.Gain()).Marked("good", s.Gain() > 0).Under("saves", run.UnitBytes),
			size(s.Now.Class).Under("heap now", run.UnitBytes), size(s.Best.Class).Under("heap then", run.UnitBytes),
			size(s.Now.Pointers).Under("scanned now", run.UnitBytes), size(s.Best.Pointers).Under("scanned then", run.UnitBytes),
			run.Text(note).Under("note", ""))
	}
	return t
}

func size(n int64) run.Item { return run.Num(float64(n)) }

// fields lists the fields of the structs that gain, in the new order.
func (r *result) fields() run.Table {
	t := run.Table{Title: "Fields in their new order", Note: "Padding is what stands after the field today."}
	for _, s := range r.Structs {
		for _, i := range s.Order {
			f := s.Type.Fields[i]
			end := s.Now.Size
			if i+1 < len(s.Type.Fields) {
				end = s.Type.Fields[i+1].Offset
			}
			pad := end - f.Offset - f.Type.Size
			t.Add(run.Text(name(s)).Under("type", ""), run.Text(f.Name).Under("field", ""), size(f.Type.Size).Under("size", run.UnitBytes),
				size(f.Type.Align).Under("alignment", run.UnitBytes), size(f.Offset).Under("offset today", run.UnitCount),
				size(pad).Marked("bad", pad > 0).Under("padding today", run.UnitBytes))
		}
	}
	return t
}

func (r *result) effects() run.Table {
	t := run.Table{
		Title: "What the new order is worth",
		Note: fmt.Sprintf("CPU time per value over a list of %s values, two programs in interleaved rounds; a third, a twin of the first, "+
			"shows a noise of ±%s.", quantity.Count(listLength), quantity.Share(r.floor)),
	}
	for _, m := range r.measured {
		ratio := run.Between(m.ratio.Point, m.ratio.Lo, m.ratio.Hi).Marked("good", m.verdict == run.Faster).Marked("bad", m.verdict == run.Slower)
		t.Add(run.Text(m.text).Under("what", ""), run.Est(m.now).Under("as declared", run.UnitNS), run.Est(m.then).Under("reordered", run.UnitNS),
			ratio.Under("times faster", run.UnitTimes).Means("time as declared over time reordered: above 1 the new order is faster"),
			run.Text(m.verdict).Under("judgement", ""))
	}
	return t
}

func (r *result) chart() run.Chart {
	var loops []string
	for _, m := range r.measured {
		loops = append(loops, m.text)
	}
	return experiment.Bars(run.Chart{Title: "Time per value", Y: run.Axis{Name: "CPU time", Unit: run.UnitNS, Log: true}}, loops,
		[]string{"as declared", "reordered"}, func(loop, program string) (run.Estimate, bool) {
			m := experiment.First(r.measured, func(m effect) bool { return m.text == loop })
			return map[string]run.Estimate{"as declared": m.now, "reordered": m.then}[program], true
		})
}
