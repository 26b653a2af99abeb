package report

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"golang.org/x/term"
)

// TableOptions say how [Table] draws.
type TableOptions struct {
	Width int    // columns; 0 means 100, less than 72 is taken as 72
	Color bool   // ANSI colours
	Dir   string // folder of the report, for the last lines; empty: not shown
}

// Terminal returns the options that suit f: its width, and colour if it is a terminal, NO_COLOR
// (no-color.org) is not set and TERM is not dumb.
func Terminal(f *os.File) TableOptions {
	o := TableOptions{Width: 100}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		o.Width = n
	}
	if !term.IsTerminal(int(f.Fd())) {
		return o
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		o.Width = w
	}
	o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return o
}

// Table writes the run as one screen of text: what was measured and where, the table with its bars,
// which contenders are missing and why, the verdict and the next steps.
func Table(w io.Writer, r *run.Run, o TableOptions) error {
	t := &table{r: r, paper: newPaper(o)}
	t.head()
	t.body()
	t.notes()
	t.verdict()
	if o.Dir != "" {
		t.line(dim, "  report %s · raw %s · %s (benchstat)", clean(o.Dir)+"/"+FileHTML, FileJSON, FileBench)
	}
	if len(r.Command) > 0 {
		t.line(dim, "  again: %s", command(r))
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type table struct {
	paper
	r     *run.Run
	shown shown
}

func (t *table) head() {
	r := t.r
	t.line(bold, "zmy lab · %s · %s", subjectName(r), subjectLine(r))
	t.line("", "host %s", hostLine(r))
	t.line("", "fidelity %s", fidelity(r))
	if r.Partial {
		t.line(yellow, "⚠ PARTIAL: %s", clean(r.PartialWhy))
	}
	if r.Subject.Derived {
		t.line(dim, "ZMY field numbers were derived from declaration order")
	}
	t.b.WriteString("\n")
}

func (t *table) body() {
	all := rows(t.r)
	if len(all) == 0 {
		t.line("", "nothing was measured")
		return
	}
	// Take the first choice of columns that leaves bars of at least 5 cells. Names, figures,
	// allocations and grades are in all of them.
	for _, show := range []shown{{interval: true, zip: true, code: true}, {interval: true, zip: true}, {interval: true}, {}, {short: true},
		{short: true, tight: true}} {
		t.gap = 2
		if show.tight {
			t.gap = 1
		}
		fixed := 0
		for _, c := range t.columns(all, show, 0) {
			fixed += c.width() + t.gap
		}
		bar := min((t.width-fixed-t.gap)/2-t.gap, 12) // each bar brings a gap
		if bar >= 5 || show.tight {
			t.shown = show
			if bar < 3 {
				bar = 0
			}
			t.print(t.columns(all, show, bar), len(all))
			return
		}
	}
}

// shown says which columns a table has room for. If short, the worst of the grades and checks is
// one word. If tight, names and heads are short as well.
type shown struct{ interval, zip, code, short, tight bool }

func (t *table) columns(all []row, show shown, bar int) []*column {
	var encs, decs []float64
	for _, x := range all {
		encs, decs = append(encs, at(t.r, x.Enc)), append(decs, at(t.r, x.Dec))
	}
	ue, ud := unitFor(encs...), unitFor(decs...)
	place, name := &column{}, &column{left: true}
	enc, encBar, encX := &column{head: "encode " + ue.Name}, &column{left: true}, &column{head: "× json"}
	dec, decBar, decX := &column{head: "decode " + ud.Name}, &column{left: true}, &column{head: "× json"}
	raw, gz, al, fl := &column{head: "size"}, &column{head: "gzip"}, &column{head: "allocs"}, &column{left: true}
	ir, counted := &column{head: "Ir/op"}, false
	code, weighed := &column{head: "code"}, false
	longest := 20
	if show.tight {
		encX.head, decX.head = "×", "×"
		if t.width < 90 {
			longest = 17
		}
	}
	fullEnc, fullDec := t.full(stats.Encode, encs), t.full(stats.Decode, decs)
	for _, x := range all {
		tone, barTone := "", cyan
		if x.Rank == nil {
			tone, barTone = dim, dim
		} else if x.Rank.Place == 1 {
			tone = bold
		}
		place.add(x.place(), tone)
		name.add(cut(clean(x.C.Name), longest), tone)
		enc.add(ue.of(at(t.r, x.Enc)), tone)
		encBar.add(Bar(at(t.r, x.Enc), fullEnc, bar), barTone)
		encX.add(ratio(x.Enc, show.interval), tone)
		dec.add(ud.of(at(t.r, x.Dec)), tone)
		decBar.add(Bar(at(t.r, x.Dec), fullDec, bar), barTone)
		decX.add(ratio(x.Dec, show.interval), tone)
		raw.add(size(x.meanSize()), tone)
		gz.add(size(x.C.Sizes.MeanGzip), tone)
		al.add(x.allocs(), tone)
		ir.add(x.instrs(), tone)
		counted = counted || x.instrs() != ""
		code.add(x.code(t.r), tone)
		weighed = weighed || x.code(t.r) != ""
		note, color := strings.Join(x.flags(), ", "), yellow
		if show.short {
			note = x.mark()
		}
		if x.Rank == nil {
			note, color = "not ranked", dim // the line below the table says why
		} else if x.C.Name == run.Baseline && !show.short {
			note, color = strings.TrimSuffix("baseline; "+note, "; "), dim
		}
		if show.short && x.Rank == nil {
			note = "–"
		}
		fl.add(note, color)
	}
	cols := []*column{place, name, enc}
	if bar > 0 {
		cols = append(cols, encBar)
	}
	cols = append(cols, encX, dec)
	if bar > 0 {
		cols = append(cols, decBar)
	}
	cols = append(cols, decX, raw)
	if show.zip {
		cols = append(cols, gz)
	}
	cols = append(cols, al)
	if show.code && weighed {
		cols = append(cols, code)
	}
	if counted { // instructions are counted only if the user asks for them
		cols = append(cols, ir)
	}
	return append(cols, fl)
}

// full returns the time of a full bar: the baseline's, so that its rivals fill the width, and much
// slower codecs are cut with an ellipsis.
func (t *table) full(op string, ns []float64) float64 {
	if b := at(t.r, stats.BaselineCell(t.r, op)); b > 0 {
		return b
	}
	most := 0.0
	for _, x := range ns {
		most = max(most, x)
	}
	return most
}

// ratio returns a cell's ratio with or without its interval: "14.2 ±0.5".
func ratio(c *run.Cell, interval bool) string {
	if c == nil || c.Ratio.Point == 0 {
		return "–"
	}
	s := times(c.Ratio.Point)
	if interval {
		s += around(c.Ratio, times)
	}
	switch c.Against {
	case run.Inconclusive:
		s += "?"
	case run.Tied:
		s += "="
	}
	return s
}

// around returns an interval as text: " ±0.5", the distance to its farther end, or " (0.4–16)" if
// that end is farther from the figure than 0 is. It returns "" if the interval has no width, or is
// so wide that it says nothing.
func around(x run.Interval, of func(float64) string) string {
	switch reach := max(x.Hi-x.Point, x.Point-x.Lo); {
	case reach < 0.005 || x.Hi > 1000*x.Point:
		return ""
	case reach < x.Point:
		return " ±" + of(reach)
	}
	return " (" + of(x.Lo) + "–" + of(x.Hi) + ")"
}

// ranged reports whether the interval of a cell's ratio is shown by its two ends.
func ranged(c *run.Cell) bool {
	return c != nil && strings.HasPrefix(around(c.Ratio, times), " (")
}

func clock(r *run.Run) string {
	if r.Clock == stats.CPU {
		return "CPU"
	}
	return "wall"
}

func (t *table) verdict() {
	v := t.r.Verdict
	t.line(bold, "▶ %s", clean(v.Sentence))
	for _, l := range losses(t.r) {
		t.line(yellow, "%s", Fit("  loses  "+clean(l), t.width))
	}
	t.steps(nextSteps(t.r))
}

// command returns the command that repeats the run exactly, quoted for a shell.
func command(r *run.Run) string { return commandLine(r.Command) }

func commandLine(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = clean(a)
	}
	return stats.Shell(out)
}
