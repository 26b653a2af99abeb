package experiment

import (
	"math"
	"slices"
)

// LeastSquares returns the coefficients of the linear combination of columns that comes nearest to
// ys, where each row holds the columns' values for one y. It returns nil if the columns do not
// determine the coefficients. It solves the normal equations. This is accurate enough because there
// are few columns, and LeastSquares scales them to a similar size.
func LeastSquares(rows [][]float64, ys []float64) []float64 {
	if len(rows) == 0 {
		return nil
	}
	k := len(rows[0])
	scale := make([]float64, k)
	for _, x := range rows {
		for j := range k {
			scale[j] = max(scale[j], math.Abs(x[j]))
		}
	}
	if slices.Contains(scale, 0) {
		return nil
	}
	a := make([][]float64, k)
	for i := range a {
		a[i] = make([]float64, k+1)
	}
	for n, x := range rows {
		for i := range k {
			for j := range k {
				a[i][j] += x[i] / scale[i] * x[j] / scale[j]
			}
			a[i][k] += x[i] / scale[i] * ys[n]
		}
	}
	out := eliminate(a)
	for j := range out {
		out[j] /= scale[j]
	}
	return out
}

// eliminate solves a system of equations, whose last column is the right side, by Gaussian
// elimination with pivots. It changes a, and returns nil if the system is singular.
func eliminate(a [][]float64) []float64 {
	k := len(a)
	for c := range k {
		p := c
		for i := c; i < k; i++ {
			if math.Abs(a[i][c]) > math.Abs(a[p][c]) {
				p = i
			}
		}
		if math.Abs(a[p][c]) < 1e-9 {
			return nil
		}
		a[c], a[p] = a[p], a[c]
		for i := range k {
			if i == c {
				continue
			}
			f := a[i][c] / a[c][c]
			for j := c; j <= k; j++ {
				a[i][j] -= f * a[c][j]
			}
		}
	}
	x := make([]float64, k)
	for i := range x {
		x[i] = a[i][k] / a[i][i]
	}
	return x
}
