package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// ranking is the main table.
type ranking struct {
	Unit   string
	Rows   []rankRow
	Access bool
}

type rankRow struct {
	row
	Place, Total, Enc, Dec, Access, Allocs, Reason string
	Bar                                            bar
	Best                                           bests
	// Numbers for the script's weights, 0 if not measured.
	NsEnc, NsDec, NsTotal, NsAccess, Bytes, AllocSum float64
}

// bar is a stacked bar in percent of its full width, with a whisker.
type bar struct {
	Enc, Dec    float64
	Lo, Whisker float64
	Over        bool // longer than the scale
}

// newRanking returns the main table. Bars are cut at the length of fullBar.
func newRanking(r *run.Run, all []row) ranking {
	var totals, ends []float64 // of ranked contenders: medians, and the upper ends of their intervals
	for _, x := range all {
		if x.Rank != nil {
			totals, ends = append(totals, x.total(r)), append(ends, x.Rank.Total.Hi)
		}
	}
	u := unitFor(totals...)
	out := ranking{Unit: u.Name}
	full := fullBar(ends, at(r, stats.BaselineCell(r, stats.Encode))+at(r, stats.BaselineCell(r, stats.Decode)))
	for _, x := range all {
		k := rankRow{row: x, Place: x.place(), Total: u.of(x.total(r)), Enc: u.of(at(r, x.Enc)), Dec: u.of(at(r, x.Dec)),
			Access: duration(at(r, x.Access)), Allocs: x.allocs(), NsEnc: at(r, x.Enc), NsDec: at(r, x.Dec), NsTotal: x.total(r),
			NsAccess: at(r, x.Access), Bytes: x.meanSize()}
		if x.Enc != nil && x.Dec != nil {
			k.AllocSum = x.Enc.Allocs + x.Dec.Allocs
		}
		if x.Access != nil {
			out.Access = true
		}
		k.Bar = bar{Enc: k.NsEnc / full * 100, Dec: k.NsDec / full * 100}
		if x.Rank != nil {
			k.Bar.Lo, k.Bar.Whisker = x.Rank.Total.Lo/full*100, (x.Rank.Total.Hi-x.Rank.Total.Lo)/full*100
		} else {
			k.Reason = reason(x)
		}
		if over := k.Bar.Lo + k.Bar.Whisker - 100; over > 0 {
			k.Bar.Whisker = max(0, k.Bar.Whisker-over)
		}
		if k.Bar.Enc+k.Bar.Dec > 100 {
			cut := 100 / (k.Bar.Enc + k.Bar.Dec)
			k.Bar = bar{Enc: k.Bar.Enc * cut, Dec: k.Bar.Dec * cut, Over: true}
		}
		out.Rows = append(out.Rows, k)
	}
	markBests(out.Rows)
	return out
}

// fullBar returns the time of a full bar: the longest, but at most 1.25 times the baseline. Longer
// bars are cut and marked.
func fullBar(ns []float64, base float64) float64 {
	most := slices.Max(append(ns, 1))
	if base > 0 {
		return min(most, 1.25*base)
	}
	return most
}

// bests says how near a ranked row is to the best of each column.
type bests struct{ Total, Enc, Dec, Size, Allocs *best }

// best is a cell's share of the best: 1 for the best itself, 0.5 for twice its value.
type best struct {
	Share float64
	Text  string // "62%"
	Class string // a heatmap's colour
}

// markBests compares the ranked rows in each column. Less is better in all of them.
func markBests(rows []rankRow) {
	for _, column := range []func(k *rankRow) (x float64, mark **best){
		func(k *rankRow) (float64, **best) { return k.NsTotal, &k.Best.Total },
		func(k *rankRow) (float64, **best) { return k.NsEnc, &k.Best.Enc },
		func(k *rankRow) (float64, **best) { return k.NsDec, &k.Best.Dec },
		func(k *rankRow) (float64, **best) { return k.Bytes, &k.Best.Size },
		func(k *rankRow) (float64, **best) { return max(k.AllocSum, 0.5), &k.Best.Allocs },
	} {
		least := math.Inf(1)
		for i := range rows {
			if x, _ := column(&rows[i]); rows[i].Rank != nil && x > 0 {
				least = min(least, x)
			}
		}
		for i := range rows {
			if x, mark := column(&rows[i]); rows[i].Rank != nil && x > 0 {
				*mark = newBest(least / x)
			}
		}
	}
}

func newBest(share float64) *best {
	level := 0
	for _, least := range []float64{0.25, 0.5, 0.75, 0.95} {
		if share >= least {
			level++
		}
	}
	return &best{Share: share, Text: fmt.Sprintf("%.0f%%", 100*share), Class: fmt.Sprint("h", level)}
}
