package report

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"golang.org/x/term"
)

// NOTE: the table must fit the terminal. body tries choices of columns from the widest to the
// narrowest, and takes the first one that leaves room for bars. columns builds the columns of a
// choice from one list of specs.

// TableOptions say how [Table] draws.
type TableOptions struct {
	Width int    // columns; 0 means 100, less than 72 is taken as 72
	Color bool   // ANSI colours
	Dir   string // folder of the report, for the last lines; empty: not shown
	All   bool   // all notes and doubts, not only those that a reader can act on
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
	t := &table{r: r, paper: newPaper(o), all: o.All}
	t.head()
	t.body()
	t.notes()
	t.verdict()
	raw := FileJSON + " · " + FileBench + " (benchstat)"
	if r.Replaced != "" {
		raw += " · replaces the report of " + clean(r.Replaced)
	}
	t.foot(o.Dir, raw, r.Command)
	_, err := io.WriteString(w, t.b.String())
	return err
}

type table struct {
	paper
	r     *run.Run
	shown shown
	all   bool // see TableOptions
}

func (t *table) head() {
	r := t.r
	t.line(bold, "zmy lab · %s · %s", subjectName(r), subjectLine(r))
	t.line("", "host %s", hostLine(r))
	t.line("", "fidelity %s", fidelity(r))
	t.normalised()
	if doubt := stats.MadeUp(t.r); doubt != "" {
		t.line(yellow, "  %s", clean(doubt))
	}
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
	// Take the first choice of columns that leaves bars of at least 5 cells. Every choice has
	// names, figures, allocations and grades.
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
		bar := min((t.width-fixed-t.gap)/2-t.gap, 12) // each of the two bars needs a gap
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

// shown says which columns a table has room for. If short is set, the last column has one word for
// the worst of the grades and checks. If tight is set, names and heads are short as well.
type shown struct{ interval, zip, code, short, tight bool }

// spec describes a column: whether it is shown, its head and alignment, and the text of its cell in
// a row.
type spec struct {
	shown bool
	column
	cell func(x row) (text, color string)
}

// columns returns the columns for which there is room and something to show.
func (t *table) columns(all []row, show shown, bar int) []*column {
	tone := func(x row) string {
		switch {
		case x.Rank == nil:
			return dim
		case x.Rank.Place == 1:
			return bold
		}
		return ""
	}
	plain := func(shown bool, head string, text func(x row) string) spec {
		return spec{shown, column{head: head}, func(x row) (string, string) { return text(x), tone(x) }}
	}
	longest, ratioHead := 20, "× json"
	if show.tight {
		ratioHead = "×"
		if t.width < 90 {
			longest = 17
		}
	}
	op := func(name string, cell func(x row) *run.Cell) []spec {
		var ns []float64
		for _, x := range all {
			ns = append(ns, at(t.r, cell(x)))
		}
		u, full := unitFor(ns...), t.full(name, ns)
		return []spec{
			plain(true, name+" "+u.Name, func(x row) string { return u.of(at(t.r, cell(x))) }),
			{bar > 0, column{left: true}, func(x row) (string, string) {
				if x.Rank == nil {
					return Bar(at(t.r, cell(x)), full, bar), dim
				}
				return Bar(at(t.r, cell(x)), full, bar), cyan
			}},
			plain(true, ratioHead, func(x row) string { return ratio(cell(x), show.interval) }),
		}
	}
	code := func(x row) string { return x.code(t.r) }
	known := func(text func(x row) string) bool {
		return slices.ContainsFunc(all, func(x row) bool { return text(x) != "" })
	}
	name := plain(true, "", func(x row) string { return cut(clean(x.C.Name), longest) })
	name.left = true
	var out []*column
	for _, s := range slices.Concat(
		[]spec{plain(true, "", row.place), name},
		op(stats.Encode, func(x row) *run.Cell { return x.Enc }),
		op(stats.Decode, func(x row) *run.Cell { return x.Dec }),
		[]spec{
			plain(true, "size", func(x row) string { return size(x.meanSize()) }),
			plain(show.zip, "gzip", func(x row) string { return size(x.C.Sizes.MeanGzip) }),
			plain(true, "allocs", row.allocs),
			plain(show.code && known(code), "code", code),
			plain(known(row.instrs), "Ir/op", row.instrs), // counted only if the user asks for it
			{true, column{left: true}, func(x row) (string, string) { return x.remark(show.short) }},
		},
	) {
		if s.shown {
			for _, x := range all {
				s.add(s.cell(x))
			}
			out = append(out, &s.column)
		}
	}
	return out
}

// remark returns the cell of the last column: the grades and bad checks, or, if short is set, the
// worst of them. A line below the table says why a row is not ranked.
func (x row) remark(short bool) (text, color string) {
	flags := strings.Join(x.flags(), ", ")
	switch {
	case x.Rank == nil && short:
		return "–", dim
	case x.Rank == nil:
		return "not ranked", dim
	case short:
		return x.mark(), yellow
	case x.C.Name == run.Baseline:
		return strings.TrimSuffix("baseline; "+flags, "; "), dim
	}
	return flags, yellow
}

// full returns the time of a full bar, which is the baseline's time. So bars of much slower codecs
// are cut with an ellipsis. Without a baseline it is the longest time.
func (t *table) full(op string, ns []float64) float64 {
	return cmp.Or(at(t.r, stats.BaselineCell(t.r, op)), slices.Max(ns))
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

// around returns an interval as text. It is " ±0.5", the distance from the figure to the farther
// end of the interval. If that end is at least as far from the figure as 0 is, it is " (0.4–16)".
// It returns "" if the interval has no width, or is so wide that it says nothing.
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

func clock(r *run.Run) string { return stats.ClockName(r.Clock) }

func (t *table) verdict() {
	v := t.r.Verdict
	t.line(bold, "▶ %s", clean(v.Sentence))
	which := ""
	if t.r.Subject.Origin() == run.Generated {
		which = "of made-up values: "
	}
	for _, l := range losses(t.r, 2*t.width) {
		t.line(yellow, "  loses  %s%s", which, clean(l))
	}
	t.steps(nextSteps(t.r))
}

// commandLine returns a command quoted for a shell.
func commandLine(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = clean(a)
	}
	return stats.Shell(out)
}
