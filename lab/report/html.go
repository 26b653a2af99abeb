package report

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: newPage computes everything that a template needs, and templates only place it. Strings
// from a run are escaped by html/template. clean also replaces control characters and direction
// marks, since they would change how the text around them is read.

//go:embed html
var parts embed.FS

var (
	styleCSS = mustRead("html/style.css")
	appJS    = mustRead("html/app.js") + mustRead("html/figures.js")
	// policy lets the browser run this one script only, so that no text from a run can become code.
	policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" + digest(appJS) + "'"
)

// pages parses the templates when they are first needed: it takes a sixth of the time in which zmy starts.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"clean": clean, "size": size, "count": count, "times": times, "duration": duration, "percent": percent,
		"gradeWord": run.GradeWord, "digits": digits, "ratio": func(c *run.Cell) string { return ratio(c, true) },
		"gradeClass": gradeClass, "checkClass": checkClass, "ableClass": ableClass, "launches": launches, "plural": plural,
		"cutTo": func(s string) string { return cut(clean(s), 40) }, "why": whyLine, "doubt": doubt,
		"bytes":    func(n int64) string { return size(float64(n)) },
		"baseline": func(c *run.Contender) bool { return c.Name == run.Baseline },
	}).ParseFS(parts, "html/*.tmpl"))
})

func mustRead(name string) string {
	b, err := parts.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded at build time
	}
	return string(b)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes the run as one self-contained file. It needs no network, can be printed, and shows
// every table without JavaScript. A script adds sorting, weights and switches between operations.
func HTML(w io.Writer, r *run.Run) error {
	return pages().ExecuteTemplate(w, "page.tmpl", newPage(r))
}

// assets are the parts that all pages share.
type assets struct {
	Policy string
	Style  template.CSS
	Script template.JS
}

var common = assets{policy, template.CSS(styleCSS), template.JS(appJS)}

// page is the data of the templates.
type page struct {
	assets
	Run     *run.Run
	Name    string
	Head    []string // the lines below the title: what was measured and where
	Clock   string   // the clock of the figures
	Other   string   // the other clock
	Instrs  bool     // instructions were counted
	Code    bool     // the sizes of programs are known
	Command string
	Picks   []pick
	Steps   []stepList
	Ranking ranking
	Ops     []opTable
	Sizes   []sizeRow
	Zstd    bool // anything was compressed with zstd
	Plot    plot
	MadeUp  string   // a doubt about losses of values that the lab made up, or ""
	Checks  []string // names of all checks, the matrix's columns
	Grades  []gradeRow
	Powers  []string // names of all capabilities, the columns of their matrix
	Able    []ableRow
	Load    []loadRow
	Top     []topRow
	Noise   []timeline
	Out     []*run.Contender
	Modules bool        // the modules of some contender are known
	Notes   []string    // notes of the contenders: version drift, modes left out
	Values  *valueStrip // how large the values are, nil if that is not known

	Table       bool // there is a table of codecs, not only experiments
	Experiments []experimentPage
}

func newPage(r *run.Run) *page {
	all := rows(r)
	p := &page{
		assets: common, Run: r, Name: subjectName(r), Head: headLines(r), Clock: clock(r), Command: commandLine(r.Command),
		Picks: picks(r), Steps: stepLists(nextSteps(r)), Ranking: newRanking(r, all), Sizes: sizes(r, all),
		Plot: newPlot(r, all), Out: excluded(r),
		Notes: sharedNotes(r), MadeUp: clean(stats.MadeUp(r)),
	}
	if v, ok := newValueStrip(&r.Subject); ok {
		p.Values = &v
	}
	p.Table = tabled(r)
	frames := frameBudget(r.Experiments)
	for _, e := range r.Experiments {
		p.Experiments = append(p.Experiments, newExperimentPage(e, frames))
	}
	p.Other = map[string]string{"CPU": "wall", "wall": "CPU"}[p.Clock]
	p.Instrs = slices.ContainsFunc(r.Cells, func(c *run.Cell) bool { return c.Instrs > 0 })
	for _, x := range all {
		p.Zstd = p.Zstd || x.C.Sizes.Zstd > 0
		p.Code = p.Code || x.code(r) != ""
	}
	for _, op := range ops(r) {
		p.Ops = append(p.Ops, newOpTable(r, op))
	}
	p.Checks, p.Grades = grades(all)
	p.Powers, p.Able = capabilities(r)
	p.Load, p.Top = load(r, all), tops(r)
	for _, t := range r.Noise.Twin {
		if line, ok := newTimeline(r, t); ok {
			p.Noise = append(p.Noise, line)
		}
	}
	p.Modules = slices.ContainsFunc(r.Contenders, func(c *run.Contender) bool { return c.Modules != nil })
	return p
}

// Proven reports whether a codec is the pick and is not undecided.
func (p *page) Proven(codec string) bool {
	v := p.Run.Verdict
	return codec == v.Pick && !slices.Contains(v.Undecided, codec)
}

// tabled reports whether a run has, or should have, the table of codecs. The folder of a run may
// also hold experiments alone.
func tabled(r *run.Run) bool { return len(r.Cells) > 0 || len(r.Experiments) == 0 }

// ops returns the run's operations in their usual order.
func ops(r *run.Run) []string {
	out := []string{stats.Encode, stats.Decode, stats.Access}
	measured := map[string]bool{}
	for _, c := range r.Cells {
		measured[c.Op] = true
		if !slices.Contains(out, c.Op) {
			out = append(out, c.Op)
		}
	}
	return slices.DeleteFunc(out, func(op string) bool { return !measured[op] })
}

// pick is one recommendation with its figures.
type pick struct {
	For, Codec, Text string
	Open             bool // the run cannot tell its speed from encoding/json's
	Facts            []fact
	Except           []run.Exception // the places that its grade does not cover
}

// fact is a figure of a pick with its 95% interval. Class is the colour of a judgement.
type fact struct{ Label, Value, Range, Class string }

// picks returns the picks for Go at both ends, for JSON and for protobuf. Those that are the same have
// one entry.
func picks(r *run.Run) []pick {
	v := r.Verdict
	var out []pick
	add := func(title, codec string) {
		c := stats.Contender(r, codec)
		if c == nil {
			return
		}
		p := pick{For: title, Codec: codec, Text: c.Text, Open: slices.Contains(v.Undecided, codec), Except: c.Value.Excepted()}
		for _, op := range []string{stats.Encode, stats.Decode} {
			if cell := stats.Find(r, codec, op, stats.Fresh); cell != nil && cell.Ratio.Point > 0 {
				p.Facts = append(p.Facts, ratioFact(op, cell))
			}
		}
		if s, ok := topShare(v, codec); ok {
			p.Facts = append(p.Facts, fact{Label: "top in draws", Value: s})
		}
		p.Facts = append(p.Facts, fact{Label: "mean size", Value: size(rowOf(r, c).meanSize())},
			fact{Label: "values", Value: cmp.Or(run.GradeWord(c.Value.Grade), "–"), Class: gradeClass(c.Value.Grade)})
		if forms := own(r, codec); forms != nil {
			p.Facts = append(p.Facts, fact{Label: "normalises", Value: strings.Join(forms, ", ")})
		}
		out = append(out, p)
	}
	both := "Both ends Go"
	switch v.Pick {
	case v.PickJSON:
		both += ", and JSON on the wire"
	case v.PickProto:
		both += ", and protobuf on the wire"
	}
	add(both, v.Pick)
	if v.PickJSON != v.Pick {
		add("JSON must stay", v.PickJSON)
	}
	if v.PickProto != v.Pick {
		add("Protobuf must stay", v.PickProto)
	}
	return out
}

// ratioFact returns an op's speed against encoding/json. A judgement other than "faster" is added
// to the label.
func ratioFact(op string, c *run.Cell) fact {
	f := fact{Label: op + " × json", Value: stats.Times(c.Ratio.Point)}
	if c.Ratio.Lo != c.Ratio.Hi {
		f.Range = stats.Bounds(c.Ratio)
	}
	if c.Against != "" && c.Against != run.Faster {
		f.Label += ", " + stats.Word(c.Against)
	}
	return f
}

// opTable is every cell of one operation.
type opTable struct {
	Op, Unit string
	Modes    []string
	Rows     []opRow
}

type opRow struct {
	C                          *run.Cell
	Family, Time, Lo, Hi       string
	Other                      string // the median on the other clock
	Ns, OtherNs                float64
	Width, WhiskLo, WhiskWidth float64
	Over                       bool
	Strip                      strip
	Notes                      []string
}

// newOpTable returns the cells of one operation, ranked ones first, then by time.
func newOpTable(r *run.Run, op string) opTable {
	t := opTable{Op: op}
	var cells []*run.Cell
	var ns, ends []float64
	for _, c := range r.Cells {
		if c.Op != op {
			continue
		}
		cells = append(cells, c)
		if c.Rank {
			ns, ends = append(ns, at(r, c)), append(ends, stats.TimeOf(r, c).Hi)
		}
		if !slices.Contains(t.Modes, c.Mode) {
			t.Modes = append(t.Modes, c.Mode)
		}
	}
	slices.SortStableFunc(cells, func(a, b *run.Cell) int {
		place := map[bool]int{true: 0, false: 1}
		return cmp.Or(place[a.Rank]-place[b.Rank], cmp.Compare(at(r, a), at(r, b)))
	})
	u := unitFor(ns...)
	t.Unit = u.Name
	full := fullBar(ends, at(r, stats.BaselineCell(r, op)))
	for _, c := range cells {
		e := stats.TimeOf(r, c)
		other := c.CPU.Median
		if r.Clock == stats.CPU {
			other = c.Wall.Median
		}
		x := opRow{C: c, Ns: e.Median, Time: u.of(e.Median), Lo: u.of(e.Lo), Hi: u.of(e.Hi), OtherNs: other, Other: u.of(other),
			Width: min(100, e.Median/full*100), Over: e.Median > full, Strip: newStrip(r, c)}
		if !x.Over {
			x.WhiskLo, x.WhiskWidth = e.Lo/full*100, min(100-e.Lo/full*100, (e.Hi-e.Lo)/full*100)
		}
		if k := stats.Contender(r, c.Codec); k != nil {
			x.Family = k.Family
		}
		for _, s := range c.Warnings {
			x.Notes = append(x.Notes, doubt(s))
		}
		t.Rows = append(t.Rows, x)
	}
	return t
}

// sizeRow is one contender's sizes as bars in percent of the largest.
type sizeRow struct {
	C                    *run.Contender
	RawPct, GzPct, ZsPct float64
	Mean, GzShare        float64
	Gz, GzSpeed, Code    string
	CodeBytes            int64
}

// sizes returns the contenders' sizes, smallest mean first.
func sizes(r *run.Run, all []row) []sizeRow {
	most := 1.0
	for _, x := range all {
		most = max(most, x.C.Sizes.Raw, x.C.Sizes.Gzip, x.C.Sizes.Zstd) // small values grow when compressed
	}
	var out []sizeRow
	for _, x := range all {
		s := x.C.Sizes
		if s.Raw <= 0 {
			continue
		}
		k := sizeRow{C: x.C, Mean: x.meanSize(), RawPct: s.Raw / most * 100, GzPct: s.Gzip / most * 100, ZsPct: s.Zstd / most * 100,
			GzSpeed: duration(s.GzipNs), Code: x.code(r)}
		k.CodeBytes, _ = r.Code(x.C)
		if s.Gzip > 0 {
			k.GzShare = s.Gzip / s.Raw
			k.Gz = percent(k.GzShare)
		}
		out = append(out, k)
	}
	slices.SortStableFunc(out, func(a, b sizeRow) int { return cmp.Compare(a.Mean, b.Mean) })
	return out
}

// gradeRow is one line of the fidelity and checks matrix.
type gradeRow struct {
	C           *run.Contender
	First, Rest []diff      // changes that the contract's grade lists, then others that the value's grade lists; First has at most two
	Forms       []run.Form  // what it normalises in extreme values only
	Checks      []run.Check // in the order of the columns; an empty Name was not checked
}

// diff is a change of value, and whether it breaks the contract.
type diff struct {
	run.Diff
	Contract bool
}

// grades returns the names of all checks, and a row for each contender.
func grades(all []row) (names []string, out []gradeRow) {
	names, checks := matrix(all, func(x row) []run.Check { return x.C.Checks }, func(k run.Check) string { return k.Name })
	for i, x := range all {
		g := gradeRow{C: x.C, Checks: checks[i]}
		var all []diff
		for _, d := range x.C.Contract.Diffs {
			all = append(all, diff{d, true})
		}
		for _, d := range x.C.Value.Diffs {
			if !slices.Contains(x.C.Contract.Diffs, d) {
				all = append(all, diff{d, false})
			}
		}
		g.First, g.Rest = all[:min(2, len(all))], all[min(2, len(all)):]
		for _, f := range x.C.Value.Forms() {
			if f.Count == 0 { // others are among the changes
				g.Forms = append(g.Forms, f)
			}
		}
		out = append(out, g)
	}
	return names, out
}

func gradeClass(g string) string {
	return cmp.Or(map[string]string{run.Kept: "good", run.Lossless: "good", run.Normalised: "warn", run.Ordinary: "warn", run.Lossy: "warn",
		run.Broken: "bad", run.Fails: "bad"}[g], "none")
}

func checkClass(k run.Check) string {
	return cmp.Or(map[string]string{"ok": "good", "bad": "bad", "": "none"}[k.Result], "plain")
}
