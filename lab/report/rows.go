package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// NOTE: every form of the report shows the same contenders in the same order, with the same marks.
// rows makes them once as data. The lines about host, subject and fidelity are here for the same
// reason.

// row is one measured contender as every table shows it.
type row struct {
	C        *run.Contender
	Rank     *run.Rank // nil: not ranked
	Enc, Dec *run.Cell // mode fresh; nil: not measured
	Access   *run.Cell // the fastest cell that reads one leaf into a string of its own; nil: not measured
}

// rows returns the measured contenders: first the ranked ones in the order of the ranking, then the
// others by total time.
func rows(r *run.Run) []row {
	var out, rest []row
	for i := range r.Ranking {
		if c := stats.Contender(r, r.Ranking[i].Codec); c != nil && c.Status == run.StatusMeasured {
			x := rowOf(r, c)
			x.Rank = &r.Ranking[i]
			out = append(out, x)
		}
	}
	for _, c := range r.Contenders {
		if c.Status == run.StatusMeasured && !slices.ContainsFunc(out, func(x row) bool { return x.C == c }) {
			rest = append(rest, rowOf(r, c))
		}
	}
	slices.SortStableFunc(rest, func(a, b row) int {
		return cmp.Compare(cmp.Or(a.total(r), math.Inf(1)), cmp.Or(b.total(r), math.Inf(1)))
	})
	return append(out, rest...)
}

// rowOf returns the row of a contender, without its rank.
func rowOf(r *run.Run, c *run.Contender) row {
	x := row{C: c, Enc: stats.Find(r, c.Name, stats.Encode, stats.Fresh), Dec: stats.Find(r, c.Name, stats.Decode, stats.Fresh)}
	for _, cell := range r.Cells {
		if cell.Codec == c.Name && cell.Op == stats.Access && !cell.Alias && (x.Access == nil || at(r, cell) < at(r, x.Access)) {
			x.Access = cell
		}
	}
	return x
}

// excluded returns the contenders that were not measured.
func excluded(r *run.Run) []*run.Contender {
	var out []*run.Contender
	for _, c := range r.Contenders {
		if c.Status != run.StatusMeasured {
			out = append(out, c)
		}
	}
	return out
}

// absents returns the reasons of the excluded contenders, each once.
func absents(r *run.Run) (out stats.Shared) {
	for _, c := range excluded(r) {
		out.Add(clean(c.Name), whyLine(c))
	}
	return out
}

// at returns a cell's time in ns on the run's clock, 0 if there is no cell.
func at(r *run.Run, c *run.Cell) float64 {
	if c == nil {
		return 0
	}
	return stats.TimeOf(r, c).Median
}

func (x row) total(r *run.Run) float64 {
	if x.Enc == nil || x.Dec == nil {
		return 0
	}
	return at(r, x.Enc) + at(r, x.Dec)
}

// place returns the place: "2", "2a" for a tie, "2?" for a contender that was not separated from
// the first of the place, "" if it is not ranked.
func (x row) place() string {
	if x.Rank == nil {
		return ""
	}
	mark := x.Rank.Tie
	if x.Rank.Against == run.Inconclusive {
		mark = "?"
	}
	return count(float64(x.Rank.Place)) + mark
}

// allocs returns the allocations of encode and decode: "12/30". It returns "–" unless both were
// measured.
func (x row) allocs() string {
	if x.Enc == nil || x.Dec == nil {
		return "–"
	}
	return count(x.Enc.Allocs) + "/" + count(x.Dec.Allocs)
}

// instrs returns the instructions of encode and decode as "1200/3000", or "" if they were not
// counted.
func (x row) instrs() string {
	if x.Enc == nil || x.Dec == nil || x.Enc.Instrs == 0 && x.Dec.Instrs == 0 {
		return ""
	}
	return count(x.Enc.Instrs) + "/" + count(x.Dec.Instrs)
}

// code returns by how much the codec enlarges a program that links encoding/json: "+120 KiB", "" if
// unknown.
func (x row) code(r *run.Run) string {
	n, known := r.Code(x.C)
	switch {
	case !known:
		return ""
	case n == 0:
		return "0"
	case n < 0:
		return "-" + size(float64(-n))
	}
	return "+" + size(float64(n))
}

// meanSize returns the mean of the encoded sizes, which the verdict's percentage is about.
func (x row) meanSize() float64 {
	if x.Enc != nil && x.Enc.Wire > 0 {
		return x.Enc.Wire
	}
	return x.C.Sizes.Mean
}

// flags returns what a reader must know about the contender: a grade of normalised, lossy or fails,
// untested parts, and bad checks.
func (x row) flags() []string {
	var out []string
	switch x.C.Value.Grade {
	case run.Lossy, run.Fails:
		out = append(out, x.C.Value.Grade)
	case run.Normalised:
		out = append(out, "normalised")
	}
	if len(x.C.Value.Except) > 0 {
		out = append(out, "partly untested")
	}
	for _, k := range x.C.Checks {
		if k.Result == "bad" {
			out = append(out, clean(k.Name)+" bad")
		}
	}
	return out
}

// mark returns the worst of flags in a word: "LOSSY", "FAILS", "bad", or "".
func (x row) mark() string {
	for _, f := range x.flags() {
		switch {
		case f == run.Lossy, f == run.Fails:
			return f
		case strings.HasSuffix(f, " bad"):
			return "bad"
		}
	}
	return ""
}

// whyLine returns one line about an excluded contender: what, where, why, and what to do next.
func whyLine(c *run.Contender) string {
	if c.Why == nil {
		return c.Status
	}
	return clean(Reason(c.Why.What, c.Why))
}

// Reason returns what, followed by the place, the reason, the next step and the other problems of
// w.
func Reason(what string, w *run.Why) string {
	s := what
	if place := w.Place(); place != "" {
		s += " (" + place + ")"
	}
	if w.Reason != "" {
		s += ": " + w.Reason
	}
	if w.Next != "" {
		s += " → " + w.Next
	}
	return s + w.Others()
}

// exceptOf returns the places for which no value had data, or "". They are the same for all codecs.
func exceptOf(r *run.Run) string {
	for _, c := range r.Contenders {
		if len(c.Value.Except) > 0 {
			return c.Value.Exceptions()
		}
	}
	return ""
}

// normalisedBut stands for the grade run.Ordinary if the codec also normalises ordinary values.
const normalisedBut = "normalised " + run.Ordinary

// fidelity sums up the value grades in one line.
func fidelity(r *run.Run) string {
	count := map[string][]string{}
	for _, c := range r.Contenders {
		if c.Status == run.StatusMeasured {
			grade := c.Value.Grade
			if grade == run.Ordinary && len(c.Value.Diffs) > 0 {
				grade = normalisedBut
			}
			count[grade] = append(count[grade], c.Name)
		}
	}
	var parts []string
	except, untested := exceptOf(r), ""
	if except != "" {
		untested = " except " + clean(except) + ", untested"
	}
	for _, g := range []struct{ grade, word string }{{run.Lossless, "lossless"}, {run.Normalised, "normalised"},
		{run.Ordinary, "lossless but for extremes"}, {normalisedBut, "normalised but for extremes"}, {run.Lossy, "LOSSY"},
		{run.Fails, "FAILS"}, {"", "not judged"}} {
		names := count[g.grade]
		if len(names) == 0 {
			continue
		}
		s := group(itoa(len(names))) + " " + g.word
		switch g.grade {
		case run.Lossless, run.Normalised:
			s += untested
		case run.Ordinary, normalisedBut:
			if lost := lostExtremes(r, names); len(lost) > 0 {
				s += " (" + clean(some(lost, 3, 32)) + ")"
			}
		default:
			s += " (" + clean(strings.Join(names, ", ")) + ")"
		}
		parts = append(parts, s)
	}
	var out []string
	for _, c := range excluded(r) {
		out = append(out, c.Name)
	}
	if out != nil {
		parts = append(parts, itoa(len(out))+" not measured ("+clean(strings.Join(out, ", "))+")")
	}
	return strings.Join(parts, " · ")
}

// lostExtremes names the extreme values that at least one of the given codecs loses.
func lostExtremes(r *run.Run, codecs []string) (names []string) {
	for _, c := range r.Contenders {
		if !slices.Contains(codecs, c.Name) {
			continue
		}
		for _, name := range c.Value.Lost() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// hostLine sums up where the codecs were measured.
func hostLine(r *run.Run) string {
	h := r.Host
	parts := []string{strings.TrimSpace(plural(h.Cores, "core") + " " + h.Virtual), h.Go}
	if h.Procs > 0 && h.Procs != h.Cores {
		parts = append(parts, "GOMAXPROCS "+itoa(h.Procs))
	}
	if h.Flags != "" {
		parts = append(parts, h.Flags)
	}
	if h.Load1 >= 0 {
		parts = append(parts, loadWords(h))
	}
	if len(r.Noise.Twin) > 0 {
		parts = append(parts, "noise floor ±"+percent(r.Noise.Floor)+" (A/A)")
	} else {
		parts = append(parts, "noise floor unknown (no A/A twin)")
	}
	took := launches(r.Noise.Launch) + " × " + plural(r.Noise.Rounds, "round")
	if r.Look.Early() {
		took += ", which settled the verdict"
	}
	parts = append(parts, took, "counters "+h.Counters)
	if h.Pinned {
		parts = append(parts, "pinned")
	}
	return clean(strings.Join(parts, " · "))
}

// subjectName returns what was measured: the name of a type, or for zmy load, which has no type, a
// service under load.
func subjectName(r *run.Run) string {
	if r.Subject.Name == "" {
		return "a service under load"
	}
	return clean(r.Subject.Name)
}

// headLines returns the lines below a report's title: what was measured, and on which host. Without
// a table of codecs there is no line for the host: each experiment names its own, since experiments
// may run elsewhere and at other times.
func headLines(r *run.Run) []string {
	var out []string
	if r.Subject.Values > 0 {
		out = append(out, subjectLine(r))
	}
	if tabled(r) {
		out = append(out, hostLine(r))
	}
	return out
}

// subjectLine sums up what was measured.
func subjectLine(r *run.Run) string {
	s := r.Subject
	fields := plural(s.Fields, "field")
	if s.Top > 0 && s.Top < s.Fields {
		fields = plural(s.Top, "field") + ", " + itoa(s.Fields) + " with nested ones"
	}
	return clean(strings.Join([]string{fields + ", depth " + itoa(s.Depth),
		plural(s.Values, "value") + ", median " + size(s.JSONSize.Median) + " JSON", "seed " + utoa(r.Seed)}, " · "))
}
