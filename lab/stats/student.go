package stats

import "math"

// tCDF returns P(T ≤ t) of Student's distribution with df degrees of freedom.
func tCDF(t, df float64) float64 {
	if math.IsInf(t, 1) {
		return 1
	}
	if math.IsInf(t, -1) {
		return 0
	}
	tail := 0.5 * betaInc(df/2, 0.5, df/(df+t*t))
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// StudentQuantile returns the p-quantile of Student's distribution with df degrees of freedom. It
// bisects tCDF: it is called a few hundred times a run, so clarity counts more than speed.
func StudentQuantile(p, df float64) float64 {
	if p < 0.5 {
		return -StudentQuantile(1-p, df)
	}
	lo, hi := 0.0, 1.0
	for tCDF(hi, df) < p && hi < 1e12 {
		hi *= 2
	}
	for range 100 {
		mid := (lo + hi) / 2
		if tCDF(mid, df) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// tTest returns the two-sided p-value of theta = 0, and half the width of theta's 95% interval.
func tTest(theta, se, df float64) (p, half float64) {
	return 2 * tCDF(-math.Abs(theta)/se, df), StudentQuantile((1+level)/2, df) * se
}

// betaInc returns the regularized incomplete beta function I_x(a, b), by the continued fraction
// DLMF 8.17.22 evaluated with the modified Lentz method.
func betaInc(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // the fraction converges fast on the other side
		return 1 - betaInc(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a

	const tiny = 1e-300
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	f := d
	for m := 1; m < 500; m++ {
		fm := float64(m)
		even := fm * (b - fm) * x / ((a + 2*fm - 1) * (a + 2*fm))
		odd := -(a + fm) * (a + b + fm) * x / ((a + 2*fm) * (a + 2*fm + 1))
		var step float64
		for _, k := range [2]float64{even, odd} {
			if d = 1 + k*d; math.Abs(d) < tiny {
				d = tiny
			}
			if c = 1 + k/c; math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			step = d * c
			f *= step
		}
		if math.Abs(step-1) < 1e-14 {
			break
		}
	}
	return front * f
}
