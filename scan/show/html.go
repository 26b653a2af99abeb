package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan"
	"github.com/zmylab/zmy/scan/predict"
)

// HTML writes the result as one page that needs no network and no script.
func HTML(w io.Writer, r *scan.Result) error {
	s := &report.Sheet{Brand: "zmy scan", Title: strings.Join(r.Modules, ", "), Next: "What to do first", Steps: steps(r),
		Foot: "Made by " + r.Tool + ". The figures are in " + FileJSON + " beside it."}
	s.Head = []string{r.Verdict}
	if r.CPU != nil {
		s.Head = append(s.Head, source(r.CPU))
	}
	s.Head = append(s.Head, found(r))
	s.Sections = append(s.Sections, overview(r))
	if r.CPU != nil {
		s.Sections = append(s.Sections, leave(r), flame(r))
	}
	s.Sections = append(s.Sections, elsewhere(r), measured(r))
	kept := s.Sections[:0]
	for _, e := range s.Sections {
		if e != nil {
			kept = append(kept, e)
		}
	}
	s.Sections = kept
	return report.SheetHTML(w, s)
}

// steps are the commands for the sites where something is to be done, the largest saving first.
func steps(r *scan.Result) (out []run.Step) {
	if r.CPU == nil {
		return []run.Step{{Kind: run.StepShell, Do: "Take a profile of the service under load. It has to import net/http/pprof",
			Code: "curl -o cpu.pprof 'http://HOST:PORT/debug/pprof/profile?seconds=30'\ncurl -o heap.pprof 'http://HOST:PORT/debug/pprof/allocs'"},
			{Kind: run.StepShell, Do: "Scan again", Code: "zmy scan -cpu cpu.pprof -heap heap.pprof -o scan"}}
	}
	seen := map[string]int{}
	for _, action := range []string{scan.Adopt, scan.Measure} {
		for _, x := range r.Sites {
			if x.Action != action || x.Run == "" {
				continue
			}
			at, ok := seen[x.Run]
			if !ok {
				at = len(out)
				seen[x.Run] = at
				out = append(out, run.Step{Codecs: []string{x.To}, Kind: run.StepShell, Code: x.Run})
			} else {
				out[at].Do += "; "
			}
			out[at].Do += fmt.Sprintf("%s, %s: %s", where(x), x.Call, advice(x))
		}
	}
	return out
}

// overview has the sums, a chart of the sites, and their table.
func overview(r *scan.Result) *run.Experiment {
	e := &run.Experiment{Name: "sites", Title: "Sites",
		Question: "Where the program marshals and unmarshals, what that costs, and what another codec would save.",
		Warnings: r.Warnings}
	for _, s := range append([]string{here(r)}, sums(r)...) {
		if s != "" {
			e.Findings = append(e.Findings, s)
		}
	}
	var t run.Table
	t.Title = "All sites"
	t.Note = strings.Join(r.Notes, "; ")
	bars := run.Chart{Kind: run.ChartBars, Title: "Share of CPU by site", Y: run.Axis{Unit: run.UnitShare, Name: "share of CPU"}}
	cpu, gc, save := run.Series{Name: "CPU"}, run.Series{Name: "collector"}, run.Series{Name: "saved by the advice"}
	for i, x := range r.Sites {
		if r.CPU == nil {
			t.Add(run.Text(where(x)).Under("place", ""), run.Text(x.Call).Under("call", ""), run.Text(x.Direction).Under("direction", ""),
				run.Text(x.Codec).Under("codec", ""), run.Text(typeOf(x)).Under("type", ""))
			continue
		}
		saving := run.Text("–")
		if x.Action == scan.Adopt {
			saving = share(x.Saving.Share).Marked("good", true)
		}
		t.Add(run.Text(where(x)).Under("place", ""), run.Text(x.Call).Under("call", ""), share(*x.CPU).Under("CPU", run.UnitShare),
			share(*x.GC).Under("collector", run.UnitShare).Means("its part of the garbage collector's CPU time, by the bytes that it allocates"),
			saving.Under("saved", run.UnitShare), run.Text(doing(x)).Under("what to do", ""),
			run.Num(x.Own).Under("own methods", run.UnitShare).Means("MarshalJSON and similar methods of types; part of CPU"),
			run.Num(x.Stream).Under("streams", run.UnitShare).Means("reading or writing a stream inside the call; not part of CPU"),
			run.Text(typeOf(x)).Under("type", ""))
		if i < rows {
			bars.Categories = append(bars.Categories, where(x))
			add(&cpu, *x.CPU)
			add(&gc, *x.GC)
			s := predict.Interval{}
			if x.Action == scan.Adopt {
				s = x.Saving.Share
			}
			add(&save, s)
		}
	}
	if len(bars.Categories) > 0 {
		bars.Series = []run.Series{cpu, gc, save}
		e.Charts = []run.Chart{bars}
	}
	e.Tables = run.Filled(t)
	return e
}

func add(s *run.Series, i predict.Interval) {
	s.Y, s.Lo, s.Hi = append(s.Y, i.Point), append(s.Lo, i.Lo), append(s.Hi, i.Hi)
}

func share(i predict.Interval) run.Item { return run.Between(i.Point, i.Lo, i.Hi) }

func typeOf(x *scan.Site) string {
	if x.Type == "" {
		return "unknown: " + x.Why
	}
	return x.Type
}

// doing spells an action with its reason.
func doing(x *scan.Site) string {
	switch x.Action {
	case scan.Adopt:
		return x.To + ": " + x.Reason
	case scan.Measure:
		return "measure: " + x.Reason
	}
	return "leave: " + x.Reason
}

// leave lists the sites where nothing is to be done, with the reasons.
func leave(r *scan.Result) *run.Experiment {
	e := &run.Experiment{Name: "leave", Title: "What to leave"}
	var reasons []string
	by := map[string][]string{}
	total := map[string]float64{}
	for _, x := range r.Sites {
		if x.Action != scan.Leave {
			continue
		}
		if by[x.Reason] == nil {
			reasons = append(reasons, x.Reason)
		}
		by[x.Reason] = append(by[x.Reason], where(x))
		total[x.Reason] += x.CPU.Point + x.GC.Point
	}
	var t run.Table
	t.Title = "Sites by reason"
	for _, reason := range reasons {
		places := by[reason]
		text := strings.Join(places[:min(4, len(places))], ", ")
		if len(places) > 4 {
			text += " …"
		}
		t.Add(run.Text(reason).Under("reason", ""), run.Num(float64(len(places))).Under("sites", run.UnitCount),
			run.Num(total[reason]).Under("share of CPU", run.UnitShare), run.Text(text).Under("places", ""))
	}
	if e.Tables = run.Filled(t); len(e.Tables) == 0 {
		return nil
	}
	return e
}

func flame(r *scan.Result) *run.Experiment {
	if r.Flame == nil || r.Flame.Value <= 0 {
		return nil
	}
	return &run.Experiment{Name: "flame", Title: "Flame graph", Charts: []run.Chart{{Kind: run.ChartFlame, Title: "Serialization only",
		Note:  "The first level has the functions that call codecs; below each is what the codec calls. All other CPU time is left out.",
		Flame: r.Flame, Y: run.Axis{Unit: run.UnitNS, Name: "CPU time in codecs"}}}}
}

func elsewhere(r *scan.Result) *run.Experiment {
	var t run.Table
	t.Title = "Serialization outside of the code base's sites"
	for _, e := range r.Elsewhere {
		t.Add(run.Text(e.Where).Under("where", ""), run.Text(e.Name).Under("name", ""), run.Text(e.Format).Under("format", ""),
			share(e.CPU).Under("CPU", run.UnitShare), share(e.GC).Under("collector", run.UnitShare), run.Text(e.At).Under("called by", ""))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &run.Experiment{Name: "elsewhere", Title: "Elsewhere",
		Question: "What dependencies and the standard library serialize on their own. Their calls are not in this code base, so nothing is suggested.",
		Tables:   []run.Table{t}}
}

// operation says what two codecs did.
func operation(c scan.Pair) string {
	switch {
	case !c.Stream:
		return c.Op
	case c.Op == "encode":
		return "encode to a writer"
	}
	return "decode from a reader"
}

func measured(r *scan.Result) *run.Experiment {
	var t run.Table
	t.Title = "How many times faster the suggested codec is"
	e := &run.Experiment{Name: "types", Title: "Measured types", Question: "What the lab measured on the types of the heaviest sites."}
	for _, m := range r.Types {
		for _, c := range m.Pairs {
			t.Add(run.Text(m.Package+"."+m.Type).Under("type", ""), run.Text(c.Codec).Under("codec", ""),
				run.Text(c.To).Under("suggested", ""), run.Text(operation(c)).Under("operation", ""), share(c.Ratio).Under("ratio", run.UnitTimes),
				run.Num(c.Bytes[0]).Under("allocates", run.UnitBytes), run.Num(c.Bytes[1]).Under("suggested allocates", run.UnitBytes),
				run.Text(m.Values).Under("values", ""), run.Text(m.Report).Under("report in folder", ""))
		}
		if m.Error != "" {
			e.Warnings = append(e.Warnings, m.Package+"."+m.Type+": "+m.Error)
		}
	}
	if e.Tables = run.Filled(t); len(e.Tables) == 0 && e.Warnings == nil {
		return nil
	}
	return e
}
