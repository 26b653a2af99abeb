package sweep

import (
	"math"
	"slices"
)

// A fit is a continuous, piecewise linear function through points (x, y): y = a + b·x + Σ cᵢ·max(0,
// x − hᵢ).
type fit struct {
	hinges []float64
	coef   []float64 // a, b, c₁, c₂ …
	rss    float64   // sum of squared residuals
}

// mostHinges bounds the number of knees in one line.
const mostHinges = 2

// leastSide is the least number of points on each piece.
const leastSide = 3

// leastSizes is the least number of sizes for finding a knee. With fewer the information criterion
// never chooses one.
const leastSizes = 6

// longest returns the largest number of sizes at which any codec was measured in one operation.
func longest(points []Point) (n int) {
	_, by := series(points)
	for _, line := range by {
		n = max(n, len(line))
	}
	return n
}

// leastChange is the least change of a power law's exponent that counts as a knee.
const leastChange = 0.1

// tiny is the residual that always counts as noise: 2%, in natural logarithms.
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
		for _, h := range candidates(x, from) {
			next := append(slices.Clone(hinges), h.x)
			f := solve(x, y, next)
			if s := score(f, len(x)); s < bestScore-1e-9 {
				best, bestScore = f, s
			}
			at(next, h.index+leastSide)
		}
	}
	at(nil, leastSide-1)
	return best
}

type candidate struct {
	x     float64
	index int // of the last point at or before x
}

// candidates returns the possible places of a hinge: points, and the middle between two points,
// with enough points on both sides.
func candidates(x []float64, from int) (out []candidate) {
	for i := from; i <= len(x)-leastSide; i++ {
		out = append(out, candidate{x[i], i})
		if i+1 <= len(x)-leastSide {
			out = append(out, candidate{(x[i] + x[i+1]) / 2, i})
		}
	}
	return out
}

// score is the information criterion of a fit of n points; lower is better.
func score(f fit, n int) float64 {
	if f.coef == nil {
		return math.Inf(1)
	}
	k := float64(2 + 2*len(f.hinges))
	if float64(n) <= k+1 {
		return math.Inf(1)
	}
	variance := max(f.rss/float64(n), tiny*tiny)
	// The correction for few points (Hurvich and Tsai 1989) keeps short lines straight.
	return float64(n)*math.Log(variance) + k*math.Log(float64(n)) + 2*k*(k+1)/(float64(n)-k-1)
}

// solve fits by least squares, with the normal equations: there are few of them, and they are well
// scaled.
func solve(x, y []float64, hinges []float64) fit {
	k := 2 + len(hinges)
	a := make([][]float64, k)
	for i := range a {
		a[i] = make([]float64, k+1)
	}
	row := make([]float64, k)
	basis := func(v float64) {
		row[0], row[1] = 1, v
		for i, h := range hinges {
			row[2+i] = math.Max(0, v-h)
		}
	}
	for p := range x {
		basis(x[p])
		for i := range k {
			for j := range k {
				a[i][j] += row[i] * row[j]
			}
			a[i][k] += row[i] * y[p]
		}
	}
	coef := gauss(a)
	if coef == nil {
		return fit{}
	}
	f := fit{hinges: hinges, coef: coef}
	for p := range x {
		basis(x[p])
		r := y[p]
		for i := range k {
			r -= coef[i] * row[i]
		}
		f.rss += r * r
	}
	return f
}

// gauss solves a system of equations whose last column is the right side. It returns nil if the
// system is singular.
func gauss(a [][]float64) []float64 {
	n := len(a)
	for c := range n {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		if math.Abs(a[p][c]) < 1e-9 {
			return nil
		}
		a[c], a[p] = a[p], a[c]
		for r := range n {
			if r == c {
				continue
			}
			f := a[r][c] / a[c][c]
			for j := c; j <= n; j++ {
				a[r][j] -= f * a[c][j]
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = a[i][n] / a[i][i]
	}
	return out
}

// slopes returns the slopes of the pieces, from left to right.
func (f fit) slopes() []float64 {
	out := []float64{f.coef[1]}
	for i := range f.hinges {
		out = append(out, out[i]+f.coef[2+i])
	}
	return out
}

// knees finds the knees of every codec and operation, in the logarithms of size and of time per
// byte.
func knees(points []Point, marks []landmark) (out []Knee) {
	keys, by := series(points)
	for _, k := range keys {
		var x, y []float64
		for _, p := range by[k] {
			x, y = append(x, math.Log(p.Size)), append(y, math.Log(p.NS.Median/p.Size))
		}
		f := pieces(x, y)
		if f.coef == nil {
			continue
		}
		s := f.slopes()
		for i, h := range f.hinges {
			if math.Abs(s[i+1]-s[i]) < leastChange {
				continue
			}
			at := math.Exp(h)
			out = append(out, Knee{Codec: k[0], Op: k[1], Size: at, Before: s[i], After: s[i+1], Near: name(at, marks)})
		}
	}
	return out
}

// dearer reports whether a byte costs more beyond the knee than before it.
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
