package report

import (
	"fmt"
	"math"
)

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
