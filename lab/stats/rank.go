package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// The ops of a cell.
const (
	Encode = "encode"
	Decode = "decode"
	Access = "access"
)

// grade sets the reason why a measured contender is not ranked, and marks its cells. A contender
// that breaks its contract, loses whole values or was never judged is shown but not ranked:
// otherwise a codec that does nothing would win.
func grade(r *run.Run, waits []waiting) {
	for _, c := range r.Contenders {
		if c.Rankless == notContract || c.Rankless == notValue || strings.Contains(c.Rankless, waitsText) {
			c.Rankless = "" // set by an earlier Fill, perhaps on half a run
		}
		if c.Rankless == "" && c.Status == run.StatusMeasured {
			c.Rankless = rankless(c)
		}
	}
	gradeWaits(r, waits)
	for _, cell := range r.Cells {
		c := Contender(r, cell.Codec)
		cell.Rank = c != nil && c.Status == run.StatusMeasured && c.Rankless == ""
	}
}

const (
	notContract = "contract not judged"
	notValue    = "value not judged"
)

// rankless returns the reason why a contender is not ranked, "" if it is.
func rankless(c *run.Contender) string {
	switch {
	case Unfit(c) != "":
		return Unfit(c)
	case c.Contract.Grade != run.Kept:
		return notContract
	case c.Value.Grade == "":
		return notValue
	}
	return ""
}

// Unfit returns the reason why the grades of a contender keep it from being ranked, "" if they do
// not.
func Unfit(c *run.Contender) string {
	switch {
	case c.Contract.Grade == run.Broken:
		return "contract broken" + firstDiff(c.Contract)
	case c.Value.Grade == run.Fails:
		return "value not carried" + firstDiff(c.Value)
	}
	return ""
}

func firstDiff(g run.Grade) string {
	if len(g.Diffs) == 0 {
		return ""
	}
	d := g.Diffs[0]
	return fmt.Sprintf(": %s %s → %s", d.Path, d.Before, d.After)
}

// entry is one contender that may be ranked.
type entry struct {
	codec string
	times series // encode + decode time of each round, in mode fresh
	total Result
}

// rankingOf orders the contenders that may be ranked, of one family if given, by encode + decode
// time of mode fresh. Each is compared with the first contender of the current place. If it is
// proven slower, it begins the next place; otherwise it shares the place. A letter marks the
// contenders that are tied with the first; the others in the same place could not be separated from
// the first. Each p-value is multiplied by the number of comparisons (Bonferroni). Holm's
// correction does not apply, since the outcome of one comparison decides whom the next contender is
// compared with.
func rankingOf(r *run.Run, family string) []run.Rank {
	entries := rankable(r, family)
	var base series
	enc, dec := BaselineCell(r, Encode), BaselineCell(r, Decode)
	if enc != nil && dec != nil {
		base = totals(enc, dec, r.Clock)
	}
	var out []run.Rank
	comparisons := float64(max(1, len(entries)-1))
	var first *entry
	place, letters := 0, 0
	for i := range entries {
		e := &entries[i]
		rank := run.Rank{Codec: e.codec, Total: run.Estimate{Median: e.total.Point, Lo: e.total.Lo, Hi: e.total.Hi, N: e.total.N}}
		if e.codec == run.Baseline {
			rank.Ratio = run.Interval{Point: 1, Lo: 1, Hi: 1}
		} else if base != nil {
			rank.Ratio = interval(luckOf(r).locate(base.over(e.times), seed(r, e.codec, "total")))
		}
		verdict, need := run.Slower, 0.0
		if first != nil {
			x := luckOf(r).locate(first.times.over(e.times), seed(r, first.codec, e.codec))
			verdict, need = Judge(x, min(1, x.P*comparisons), r.Noise.Floor)
		}
		if verdict == run.Slower || verdict == "" {
			first, place = e, i+1
		} else {
			rank.Against, rank.Need = verdict, need
			if head := &out[place-1]; verdict == run.Tied {
				if head.Tie == "" {
					head.Tie = letter(letters)
					letters++
				}
				rank.Tie = head.Tie
			}
		}
		rank.Place = place
		out = append(out, rank)
	}
	return out
}

// rankable returns the contenders that may be ranked, of one family if given, fastest first.
func rankable(r *run.Run, family string) []entry {
	var out []entry
	for _, c := range r.Contenders {
		enc, dec := Find(r, c.Name, Encode, Fresh), Find(r, c.Name, Decode, Fresh)
		if enc == nil || dec == nil || !enc.Rank || !dec.Rank || family != "" && c.Family != family {
			continue
		}
		t := totals(enc, dec, r.Clock)
		if len(t) == 0 {
			continue
		}
		out = append(out, entry{c.Name, t, Locate(t.clusters(), seed(r, c.Name, "sum")).within(part(r))})
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(a.total.Point, b.total.Point) })
	return out
}

func totals(enc, dec *run.Cell, clock string) series {
	t := SampleTime(clock)
	return seriesOf(enc.Samples, t).plus(seriesOf(dec.Samples, t))
}

// rankedOf returns the ranked contenders, of one family if given, in the order of the ranking.
func rankedOf(r *run.Run, family string) (out []*run.Contender) {
	for _, k := range r.Ranking {
		if c := Contender(r, k.Codec); c != nil && (family == "" || c.Family == family) {
			out = append(out, c)
		}
	}
	return out
}

// letter returns the name of tie group i: a … z, aa, ab …
func letter(i int) string {
	s := string(rune('a' + i%26))
	if i >= 26 {
		return letter(i/26-1) + s
	}
	return s
}
