package stats

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
)

// NOTE: the verdict has up to three picks: the first of the ranking, the first that keeps JSON on the
// wire, and the first that keeps protobuf on it. A pick is a recommendation, so a reader takes each of its words for proven. What is not
// proven is said first: a run that is too noisy for its picks begins with just that, a hopeless one
// with "nothing is proven", an undecided pick with the codecs that are proven faster.

// fillVerdict sets the verdict: in words, what to use if both ends are Go, what to use if JSON or
// protobuf must stay on the wire, and what each of them loses.
func fillVerdict(r *run.Run) {
	v := run.Verdict{}
	if len(r.Ranking) == 0 {
		v.Sentence = "No contender is ranked: none kept its contract with both encode and decode measured."
		r.Verdict = v
		return
	}
	v.Pick = r.Ranking[0].Codec
	v.PickJSON = first(r, "json", func(string) bool { return true })
	if len(rankedOf(r, protobuf)) > 1 {
		v.PickProto = first(r, protobuf, func(string) bool { return true })
	}
	v.Draws, v.Top, v.TopJSON = decide(r)
	v.Undecided = undecidedPicks(r, v)
	r.Verdict = v
	v.Sentence = sentence(r, v)
	if hopeless(r, v) {
		v.Sentence = nothing(r) + v.Sentence
	} else if open := drowned(r, v); open != nil {
		v.Sentence = tooNoisy + " (undecided: " + strings.Join(open, ", ") + "):" + copiesDiffer(r) + repeat + v.Sentence
	}
	if r.Partial {
		v.Sentence = "So far, from a partial run: " + v.Sentence
	}
	if doubt := Spread(&r.Subject); doubt != "" {
		v.Sentence += " " + doubt
	}
	v.Losses = losses(r)
	r.Verdict = v
	r.Verdict.Steps = nextSteps(r)
}

// hopeless reports whether the picks are undecided, and the run proves no ranked codec faster than
// encoding/json in either op.
func hopeless(r *run.Run, v run.Verdict) bool {
	return slices.Contains(v.Undecided, v.Pick) && (v.PickJSON == "" || slices.Contains(v.Undecided, v.PickJSON)) && len(proven(r, "")) == 0
}

// proven returns a text for each ranked codec that is proven faster than encoding/json in at least
// one op: "fxjson on encode, 2.1× and on decode, 3.7×". If family is not "", it returns only the
// codecs of that family.
func proven(r *run.Run, family string) (all []string) {
	for _, c := range rankedOf(r, family) {
		var ops []string
		for _, op := range []string{Encode, Decode} {
			if x := Find(r, c.Name, op, Fresh); x != nil && x.Against == run.Faster { // never the baseline
				ops = append(ops, "on "+op+", "+Times(x.Ratio.Point))
			}
		}
		if ops != nil {
			all = append(all, c.Name+" "+strings.Join(ops, " and "))
		}
	}
	return all
}

// undecidedPicks returns the picks that are undecided.
func undecidedPicks(r *run.Run, v run.Verdict) []string {
	var out []string
	for _, codec := range []string{v.Pick, v.PickJSON, v.PickProto} {
		if codec != "" && !slices.Contains(out, codec) && undecided(r, codec) {
			out = append(out, codec)
		}
	}
	return out
}

// protobuf is the family of codecs that write the protobuf wire.
const protobuf = "protobuf"

// sentence returns the verdict as text, a part for each pick.
func sentence(r *run.Run, v run.Verdict) string {
	s := sentences(r, v)
	switch {
	case v.PickProto == "":
	case v.PickProto == v.Pick:
		s += " Protobuf must stay: " + v.Pick + ", too."
	default:
		s += " Protobuf must stay: " + open(r, v, v.PickProto, protobuf) + praise(r, v.PickProto, protobuf) + "."
	}
	return s
}

// open returns the words before a pick that is undecided.
func open(r *run.Run, v run.Verdict, codec, family string) string {
	if !slices.Contains(v.Undecided, codec) || hopeless(r, v) {
		return ""
	}
	if faster := proven(r, family); len(faster) > 0 {
		return "proven faster than encoding/json: " + strings.Join(faster, "; ") + ". The fastest of this run, not proven: "
	}
	return "nothing is proven; this run suggests "
}

// sentences returns the part for the two picks that every run has.
func sentences(r *run.Run, v run.Verdict) string {
	if v.Pick == v.PickJSON {
		if v.Pick == run.Baseline && len(r.Ranking) == 1 {
			return "encoding/json stays: no other codec is ranked."
		}
		if v.Pick == run.Baseline {
			return "encoding/json stays: nothing ranked here is proven faster on encode + decode" + tiedWith(r, v.Pick, "") + "."
		}
		return "For Go at both ends and wherever JSON must stay: " + praise(r, v.Pick, "") + "."
	}
	s := "Both ends Go: " + open(r, v, v.Pick, "") + praise(r, v.Pick, "") + "."
	switch v.PickJSON {
	case "":
		s += " JSON must stay: no JSON contender is ranked."
	case run.Baseline:
		if len(rankedOf(r, "json")) == 1 {
			s += " JSON must stay: encoding/json; no other JSON codec is ranked."
			break
		}
		s += " JSON must stay: encoding/json; no other ranked JSON codec is proven faster" + tiedWith(r, v.PickJSON, "json") + "."
	default:
		s += " JSON must stay: " + open(r, v, v.PickJSON, "json") + praise(r, v.PickJSON, "json") + "."
	}
	return s
}

// undecided reports whether a run cannot tell codec from encoding/json: no op is proven faster, and
// at least one is inconclusive. The baseline is undecided if every other ranked codec is
// inconclusive.
func undecided(r *run.Run, codec string) bool {
	if codec == run.Baseline {
		return allOpen(r)
	}
	open := false
	for _, op := range []string{Encode, Decode} {
		c := Find(r, codec, op, Fresh)
		if c == nil || c.Against == run.Faster {
			return false
		}
		open = open || c.Against == run.Inconclusive
	}
	return open
}

// allOpen reports whether there are ranked codecs other than the baseline, and all their judgements
// are inconclusive.
func allOpen(r *run.Run) bool {
	others := false
	for _, c := range r.Cells {
		if !c.Rank || c.Mode != Fresh || c.Codec == run.Baseline {
			continue
		}
		if c.Against != run.Inconclusive {
			return false
		}
		others = true
	}
	return others
}

const (
	tooNoisy = "Too noisy for a verdict on speed"
	repeat   = ". Repeat the run on a quieter machine, or with a longer -budget. What it suggests: "
)

// loud reports whether the noise floor is known, and hides differences that matter.
func loud(r *run.Run) bool { return len(r.Noise.Twin) > 0 && r.Noise.Floor > small }

func copiesDiffer(r *run.Run) string {
	return fmt.Sprintf(" two copies of one program may differ by up to %s", quantity.Share(r.Noise.Floor))
}

// nothing returns the words for a run that proves nothing, and what to do about it.
func nothing(r *run.Run) string {
	switch {
	case loud(r):
		return tooNoisy + ": nothing is proven by this run;" + copiesDiffer(r) + repeat
	case len(r.Noise.Twin) > 0:
		return "Nothing is proven by this run:" + copiesDiffer(r) + repeat
	}
	return "Nothing is proven by this run" + repeat
}

// drowned returns what noise keeps the picks from proving: "encode of zmy". An op that is undecided
// counts if the noise floor exceeds small and the interval of the pick's encode + decode speed
// does not lie beyond the floor, so that two copies of one program may differ as much.
func drowned(r *run.Run, v run.Verdict) (open []string) {
	if !loud(r) {
		return nil
	}
	for i, codec := range []string{v.Pick, v.PickJSON} {
		if codec == "" || codec == run.Baseline || i > 0 && codec == v.Pick {
			continue
		}
		ops := openOps(r, codec)
		sure := slices.ContainsFunc(r.Ranking, func(k run.Rank) bool { return k.Codec == codec && k.Ratio.Lo > 1+r.Noise.Floor })
		if ops != nil && !sure {
			open = append(open, strings.Join(ops, " and ")+" of "+codec)
		}
	}
	return open
}

// openOps returns the ops in which a codec is neither proven faster nor slower nor tied.
func openOps(r *run.Run, codec string) (ops []string) {
	for _, op := range []string{Encode, Decode} {
		if c := Find(r, codec, op, Fresh); c != nil && c.Against == run.Inconclusive {
			ops = append(ops, op)
		}
	}
	return ops
}

// cores spells a number of CPU cores with about two digits.
func cores(x float64) string {
	switch {
	case x >= 9.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 0.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// coresBetween spells a number of CPU cores with its interval, which is left out if its ends are spelled
// alike.
func coresBetween(x run.Interval) string {
	point, lo, hi := cores(x.Point), cores(x.Lo), cores(x.Hi)
	if lo == hi {
		return point
	}
	return fmt.Sprintf("%s (%s–%s)", point, lo, hi)
}

// praise describes one pick with its figures: ratios, bytes, cores, ties, losses.
func praise(r *run.Run, codec, family string) string {
	parts := []string{codec + tiedWith(r, codec, family)}
	enc, dec := Find(r, codec, Encode, Fresh), Find(r, codec, Decode, Fresh)
	if enc.Ratio.Point > 0 && dec.Ratio.Point > 0 {
		parts = append(parts, fmt.Sprintf("%s encoding/json's speed on encode and %s on decode%s",
			Times(enc.Ratio.Point), Times(dec.Ratio.Point), doubt(enc, dec)))
	}
	be, bd := BaselineCell(r, Encode), BaselineCell(r, Decode)
	if be != nil && bd != nil {
		if be.Wire > 0 && enc.Wire > 0 {
			parts = append(parts, bytesWords(enc.Wire/be.Wire)) // means, as the tables show
		}
		if slices.Contains(r.Verdict.Undecided, codec) {
			return strings.Join(parts, ", ")
		}
		if saved := saving(r, codec); saved.Point >= 0.05 && saved.Lo > 0 && openOps(r, codec) == nil && quicker(r, codec, family) {
			parts = append(parts, "saving about "+coresBetween(saved)+" CPU cores per 100,000 messages a second")
		}
	}
	if family == protobuf {
		parts = append(parts, aheadOf(r, codec, family)...)
	}
	top := r.Verdict.Top
	switch family {
	case "json":
		top = r.Verdict.TopJSON
	case protobuf: // its readers compare it with its family
		top = nil
	}
	if len(top) > 1 && tiedWith(r, codec, family) == "" && openOps(r, codec) == nil {
		share, _ := ShareOf(top, codec)
		parts = append(parts, fmt.Sprintf("top in %s of draws", quantity.Share(share)))
	}
	if s := lapse(r, codec); s != "" {
		if keep := first(r, family, func(codec string) bool { return lapse(r, codec) == "" }); keep != "" {
			s += " (the fastest that does: " + keep + ")"
		}
		parts = append(parts, s)
	}
	if outOfReach(r, codec) {
		s := "but no code of it can be generated outside of the type's module"
		if near := first(r, family, func(codec string) bool { return !outOfReach(r, codec) }); near != "" {
			s += " (the fastest without: " + near + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// aheadOf compares a pick with the first of its family that is proven slower.
func aheadOf(r *run.Run, codec, family string) []string {
	ranking := places(r, family)
	me := slices.IndexFunc(ranking, func(k run.Rank) bool { return k.Codec == codec })
	for _, k := range ranking {
		if me >= 0 && k.Place > ranking[me].Place && ranking[me].Total.Median > 0 {
			return []string{Times(k.Total.Median/ranking[me].Total.Median) + " the speed of " + k.Codec + " on encode + decode"}
		}
	}
	return nil
}

// saving returns how many CPU cores codec saves per 100,000 messages a second, against
// encoding/json: from the ratio of CPU times of encode + decode. The interval is that of the ratio,
// widened by how much the CPU times of two copies of one program differ. It does not cover a machine
// that is slower in another run.
func saving(r *run.Run, codec string) run.Interval {
	be, bd := BaselineCell(r, Encode), BaselineCell(r, Decode)
	x := luckOf(r).locate(totals(be, bd, CPU).over(totals(Find(r, codec, Encode, Fresh), Find(r, codec, Decode, Fresh), CPU)),
		seed(r, codec, "saving"))
	if x.N == 0 {
		return run.Interval{}
	}
	// CPU ns per message × 1e5 messages per second ÷ 1e9 is CPU seconds per second: the number of
	// cores.
	all := (be.CPU.Median + bd.CPU.Median) * 1e5 / 1e9
	of := func(ratio float64) float64 { return all * (1 - 1/ratio) }
	ratios, floor := twins(r, CPU, part(r))
	if !judged(ratios) {
		floor = assumedFloor
	}
	return run.Interval{Point: of(x.Point), Lo: of(x.Lo / (1 + floor)), Hi: of(x.Hi * (1 + floor))}
}

// quicker reports whether a run proves that codec's encode + decode time is less than
// encoding/json's. It is not enough that one op is proven faster, since the time saved depends on
// the sum.
func quicker(r *run.Run, codec, family string) bool {
	ranking := places(r, family)
	place := func(name string) int {
		return slices.IndexFunc(ranking, func(k run.Rank) bool { return k.Codec == name })
	}
	me, base := place(codec), place(run.Baseline)
	return me >= 0 && ranking[me].Ratio.Lo > 1 && (base < 0 || ranking[me].Place < ranking[base].Place)
}

// places returns the ranking, of one family if given.
func places(r *run.Run, family string) []run.Rank {
	if family == "" {
		return r.Ranking
	}
	return rankingOf(r, family)
}

// lapse says which values codec changes without an error: measured values, or extremes that
// encoding/json keeps. It returns "" if there are none.
func lapse(r *run.Run, codec string) string {
	c := Contender(r, codec)
	if c == nil {
		return ""
	}
	if c.Value.Grade == run.Lossy {
		if base := Contender(r, run.Baseline); base != nil && base.Value.Grade == run.Lossy {
			return "but it does not keep every value, nor does encoding/json"
		}
		return "but it does not keep every value"
	}
	lost := lostExtremes(r, c)
	if len(lost) == 0 {
		return ""
	}
	var names []string
	for _, e := range lost {
		names = append(names, e.Name)
	}
	return "but it does not keep " + run.Some(names)
}

// lostExtremes returns the extreme values that c changes without an error and encoding/json does
// not.
func lostExtremes(r *run.Run, c *run.Contender) []run.Edge {
	base := Contender(r, run.Baseline)
	if base == nil {
		return nil
	}
	usual := base.Value.Lost()
	var out []run.Edge
	for _, e := range c.Value.Edges {
		if e.Result == run.EdgeLost && !slices.Contains(usual, e.Name) {
			out = append(out, e)
		}
	}
	return out
}

// doubt names the ops in which a pick is undecided or tied.
func doubt(cells ...*run.Cell) string {
	var ops []string
	for _, c := range cells {
		if c.Against == run.Inconclusive || c.Against == run.Tied {
			ops = append(ops, c.Op+" "+Word(c.Against))
		}
	}
	if ops == nil {
		return ""
	}
	return " (" + strings.Join(ops, ", ") + ")"
}

// Word returns a judgement as readers see it.
func Word(verdict string) string {
	if verdict == run.Inconclusive {
		return "undecided"
	}
	return verdict
}

func bytesWords(x float64) string {
	switch {
	case x < 0.995:
		return quantity.Share(1-x) + " smaller on average"
	case x > 1.005:
		return quantity.Share(x-1) + " larger on average"
	}
	return "same size"
}

// tiedWith names the codecs that share codec's place, of one family if given: those tied with it,
// and those that the run could not separate from it.
func tiedWith(r *run.Run, codec, family string) string {
	ranking := places(r, family)
	var me run.Rank
	for _, k := range ranking {
		if k.Codec == codec {
			me = k
		}
	}
	var tied, unsure []string
	for _, k := range ranking {
		switch {
		case k.Codec == codec || k.Place != me.Place:
		case me.Tie != "" && k.Tie == me.Tie:
			tied = append(tied, k.Codec)
		default:
			unsure = append(unsure, k.Codec)
		}
	}
	var parts []string
	if tied != nil {
		parts = append(parts, "statistically tied with "+strings.Join(tied, ", "))
	}
	if unsure != nil {
		parts = append(parts, "not separated from "+strings.Join(unsure, ", "))
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// first returns the first codec in the ranking, of one family if given, for which wanted is true.
func first(r *run.Run, family string, wanted func(codec string) bool) string {
	for _, c := range rankedOf(r, family) {
		if wanted(c.Name) {
			return c.Name
		}
	}
	return ""
}

// losses names every value that a ranked contender changes for the worse, including extremes that
// encoding/json keeps. It returns one line for each kind of change, with all codecs that share it.
func losses(r *run.Run) []string {
	var all Shared
	for _, c := range rankedOf(r, "") {
		for _, d := range c.Value.Diffs {
			if d.Kind == "lossy" && c.Value.Grade == run.Lossy {
				all.Add(c.Name, fmt.Sprintf("%s %s → %s", d.Path, d.Before, d.After))
			}
		}
		for _, e := range lostExtremes(r, c) {
			all.Add(c.Name, fmt.Sprintf("%s in %s: %s → %s", e.Name, e.Path, e.Before, e.After))
		}
	}
	var out []string
	for _, l := range all {
		out = append(out, strings.Join(l.Who, ", ")+": "+l.What)
	}
	return out
}

// Shared holds texts, each with the names of all that share it, in the order in which the texts
// were first added.
type Shared []group

type group struct {
	What string
	Who  []string
}

// Add adds who to the names that share what.
func (s *Shared) Add(who, what string) {
	for i := range *s {
		if g := &(*s)[i]; g.What == what {
			g.Who = append(g.Who, who)
			return
		}
	}
	*s = append(*s, group{what, []string{who}})
}

// Times spells a ratio: "14.2×", "2.2×", "0.83×".
func Times(x float64) string { return quantity.Ratio(x) + "×" }
