package report

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// mostAbsent is the number of lines about excluded contenders, if not all notes are shown.
const mostAbsent = 3

// notes explains signs, unranked rows and excluded contenders, and lists doubts about the run. Unless
// t.all is set, it leaves out what a reader cannot act on, and says how much that is.
func (t *table) notes() {
	all := rows(t.r)
	t.signs(all)
	t.unranked(all)
	t.b.WriteString("\n")
	before := t.b.Len()
	absent, notes, doubts, hidden := absents(t.r), sharedNotes(t.r), stats.Doubts(t.r), 0
	if !t.all {
		absent = absent[:min(mostAbsent, len(absent))]
		doubts, hidden = stats.Brief(t.r)
		hidden += len(absents(t.r)) - len(absent) + len(notes)
		notes = nil
	}
	for _, a := range absent {
		t.line(yellow, "✗ %s %s", strings.Join(a.Who, ", "), a.What)
	}
	for _, n := range notes {
		t.line(dim, "%s", Fit("· "+n, t.width))
	}
	for _, s := range doubts {
		t.line(yellow, "⚠ %s", clean(s))
	}
	if left := t.r.Unchosen; left != nil {
		t.line(dim, "· not tried: %s → -codecs all", clean(some(left, 5, 20)))
	}
	if hidden > 0 {
		t.line(dim, "· %s about codecs and the schedule → -v", plural(hidden, "more note"))
	}
	if t.b.Len() > before {
		t.b.WriteString("\n")
	}
}

// signs explains the signs that the table uses.
func (t *table) signs(all []row) {
	var signs []string
	has := func(what func(x row) bool, sign string) {
		if slices.ContainsFunc(all, what) {
			signs = append(signs, sign)
		}
	}
	against := func(what string) func(x row) bool {
		return func(x row) bool {
			return x.Enc != nil && x.Enc.Against == what || x.Dec != nil && x.Dec.Against == what
		}
	}
	has(func(x row) bool { return x.Rank != nil && x.Rank.Tie != "" }, "a, b … = statistically tied")
	has(func(x row) bool { return x.Rank != nil && x.Rank.Against == run.Inconclusive }, "? after a place = not separated from its first")
	has(against(run.Tied), "= tied with the baseline")
	has(against(run.Inconclusive), "? = not proven either way")
	if t.shown.interval {
		signs = append(signs, "± 95% interval")
		has(func(x row) bool { return ranged(x.Enc) || ranged(x.Dec) }, "(from–to) one that is wide")
	}
	signs = append(signs, "sizes are means, times medians", "× json = median over paired rounds, not the columns' quotient",
		"ranked by encode + decode, "+clock(t.r)+" time")
	if strings.Contains(t.r.Verdict.Sentence, " of draws") {
		signs = append(signs, "draws = random weights of encode, decode, size and allocations")
	}
	t.line(dim, "    %s", strings.Join(signs, " · "))
}

// unranked writes why contenders are not ranked, one line for each reason.
func (t *table) unranked(all []row) {
	var why stats.Shared
	for _, x := range all {
		if x.Rank == nil {
			why.Add(x.C.Name, reason(x))
		}
	}
	for _, g := range why {
		t.line(dim, "    %s: not ranked: %s", clean(strings.Join(g.Who, ", ")), clean(g.What))
	}
}

// sharedNotes returns the contenders' notes, each note once with the names of all that have it.
func sharedNotes(r *run.Run) []string {
	var all stats.Shared
	for _, c := range r.Contenders {
		for _, n := range c.Notes {
			all.Add(c.Name, n)
		}
	}
	var out []string
	for _, g := range all {
		out = append(out, clean(strings.Join(g.Who, ", ")+": "+g.What))
	}
	return out
}

// reason returns why a measured contender is not ranked.
func reason(x row) string {
	switch {
	case x.C.Rankless != "":
		return x.C.Rankless
	case x.Enc == nil || x.Dec == nil:
		return "encode and decode of mode fresh were not both measured"
	}
	return "no samples"
}

// brackets matches the indices and keys of a path.
var brackets = regexp.MustCompile(`\[[^\]]*\]`)

// losses returns what ranked codecs lose, in short: one line for all codecs with the same losses.
// Where a value's type has changed, it names the types instead of values. A line of more than room
// runes counts its last changes instead of naming them.
func losses(r *run.Run, room int) []string {
	var all stats.Shared
	for _, k := range r.Ranking {
		c := stats.Contender(r, k.Codec)
		if c == nil || c.Value.Grade != run.Lossy {
			continue
		}
		var changes stats.Shared // paths by change
		for _, d := range c.Value.Diffs {
			if d.Kind == "lossy" {
				changes.Add(brackets.ReplaceAllString(d.Path, ""), change(d))
			}
		}
		text := ""
		for i, g := range changes {
			next := g.What + " (" + somePaths(slices.Compact(g.Who), 2, 40) + ")"
			if i > 0 && utf8.RuneCountInString(text+next) > room {
				text += " · " + plural(len(changes)-i, "more change")
				break
			}
			text = strings.TrimPrefix(text+" · "+next, " · ")
		}
		all.Add(c.Name, text)
	}
	var out []string
	for _, g := range all {
		out = append(out, some(g.Who, 3, 20)+": "+g.What)
	}
	return out
}

// somePaths is some for paths, of which the last fields are kept.
func somePaths(all []string, most, n int) string {
	short := make([]string, len(all))
	for i, s := range all {
		short[i] = cutPath(s, n)
	}
	return some(short, most, n)
}

// cutPath shortens a path to n runes: to an ellipsis and as many of its last fields as fit.
func cutPath(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	tail := string(runes[len(runes)-(n-1):])
	if i := strings.IndexByte(tail, '.'); i >= 0 && i < len(tail)-1 && runes[len(runes)-n] != '.' {
		tail = tail[i+1:]
	}
	return "…" + tail
}

// some names the first few of all, each cut to n runes, and how many more there are.
func some(all []string, most, n int) string {
	var out []string
	for _, s := range all[:min(most, len(all))] {
		out = append(out, cut(s, n))
	}
	if more := len(all) - most; more > 0 {
		return strings.Join(out, ", ") + " and " + itoa(more) + " more"
	}
	return strings.Join(out, ", ")
}

// change returns "int → float64" if the type changed, else both values, cut.
func change(d run.Diff) string {
	before, _, typed := strings.Cut(d.Before, " ")
	after, _, too := strings.Cut(d.After, " ")
	isType := func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return r == '"' || r == '-' || r == ':' }) < 0
	}
	if typed && too && before != after && isType(before) && isType(after) {
		return before + " → " + after
	}
	return cut(d.Before, 24) + " → " + cut(d.After, 24)
}
