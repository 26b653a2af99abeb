package sweep

import (
	"math"
	"slices"

	"github.com/zmylab/zmy/lab/experiment"
)

// A fit is a continuous, piecewise linear function through points (x, y): y = a + b·x + Σ cᵢ·max(0,
// x − hᵢ).
type fit struct {
	hinges []float64
	coef   []float64 // a, b, c₁, c₂ …
	rss    float64   // sum of squared residuals
}

// Time per byte is fitted in logarithms: a power law is a straight line there, and a knee is a
// change of its exponent. Fixed costs per value give the slope -1, costs per byte the slope 0.

// mostHinges bounds the number of knees in one line.
const mostHinges = 2

// leastSide is the least number of points on each piece. Two points always lie on a line.
const leastSide = 3

// leastSizes is the least number of sizes for finding a knee. With fewer the information criterion
// never chooses one.
const leastSizes = 6

// leastChange is the least change of a power law's exponent that counts as a knee. With a change of
// 0.1, values ten times as large as the knee cost a quarter more per byte than the line before the
// knee predicts.
const leastChange = 0.1

// tiny is the residual that always counts as noise: 2%, in natural logarithms. Without it a very
// steady series would have knees that are too small to matter.
const tiny = 0.02

// pieces chooses the number and places of hinges by the Bayesian information criterion. Each hinge
// costs two parameters: its place and its slope.
func pieces(x, y []float64) fit {
	best := solve(x, y, nil)
	bestScore := score(best, len(x))
	var at func(hinges []float64, from int)
	at = func(hinges []float64, from int) {
		if len(hinges) == mostHinges {
			return
		}
		for i := from; i <= len(x)-leastSide; i++ {
			places := []float64{x[i]}
			if i < len(x)-leastSide { // the middle between two points has enough points on its right side too
				places = append(places, (x[i]+x[i+1])/2)
			}
			for _, h := range places {
				next := append(slices.Clone(hinges), h)
				f := solve(x, y, next)
				if s := score(f, len(x)); s < bestScore-1e-9 {
					best, bestScore = f, s
				}
				at(next, i+leastSide)
			}
		}
	}
	at(nil, leastSide-1)
	return best
}

// score is the information criterion of a fit of n points; lower is better.
func score(f fit, n int) float64 {
	k := float64(2 + 2*len(f.hinges))
	if f.coef == nil || float64(n) <= k+1 {
		return math.Inf(1)
	}
	variance := max(f.rss/float64(n), tiny*tiny)
	// The correction for few points (Hurvich and Tsai 1989) keeps short lines straight.
	return float64(n)*math.Log(variance) + k*math.Log(float64(n)) + 2*k*(k+1)/(float64(n)-k-1)
}

// solve fits by least squares.
func solve(x, y []float64, hinges []float64) fit {
	var rows [][]float64
	for _, v := range x {
		row := []float64{1, v}
		for _, h := range hinges {
			row = append(row, max(0, v-h))
		}
		rows = append(rows, row)
	}
	f := fit{hinges: hinges, coef: experiment.LeastSquares(rows, y)}
	if f.coef == nil {
		return fit{}
	}
	for p, row := range rows {
		r := y[p]
		for i, v := range row {
			r -= f.coef[i] * v
		}
		f.rss += r * r
	}
	return f
}

// knees finds the knees of every codec and operation, in the logarithms of size and of time per
// byte.
func (res *Result) knees(marks []landmark) (out []Knee) {
	for _, codec := range res.codecs() {
		for _, op := range experiment.Ops {
			var x, y []float64
			for _, p := range res.of(codec, op) {
				x, y = append(x, math.Log(p.Size)), append(y, math.Log(p.NS.Median/p.Size))
			}
			f := pieces(x, y)
			before := 0.0 // the slope of the piece to the left
			if f.coef != nil {
				before = f.coef[1]
			}
			for i, h := range f.hinges {
				after := before + f.coef[2+i]
				if math.Abs(after-before) >= leastChange {
					at := math.Exp(h)
					out = append(out, Knee{Codec: codec, Op: op, Size: at, Before: before, After: after, Near: name(at, marks)})
				}
				before = after
			}
		}
	}
	return out
}

// dearer reports whether the time per byte grows with the size beyond the knee, and faster than
// before it.
func (k Knee) dearer() bool { return k.After > k.Before && k.After > leastChange }

func (k Knee) kind() string {
	switch {
	case k.dearer():
		return "bytes become dearer beyond it"
	case k.After > k.Before:
		return "fixed costs weigh up to here"
	}
	return "bytes become cheaper beyond it"
}
