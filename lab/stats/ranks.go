package stats

import "math"

// QuantileRanks are the ranks (1 is the least value) of the two order statistics among n
// values between which the q-quantile of their distribution lies with at least the given
// confidence, half of the doubt on either side, whatever that distribution is (the binomial
// test turned around; Hahn and Meeker, Statistical Intervals, 5.2). ok is false where n is too
// small for one of them: at 95%, P99 takes 368 values and P99.9 takes 3,688.
func QuantileRanks(n int, q, confidence float64) (lo, hi int, ok bool) {
	doubt := (1 - confidence) / 2
	mean, sd := float64(n)*q, math.Sqrt(float64(n)*q*(1-q))
	k := max(0, int(mean-10*sd-10)) // below that lies nothing that counts
	p, below := binomial(n, k, q), 0.0
	for ; k < n; k++ {
		// below is P(X < k), of X values at or below the quantile.
		if below <= doubt {
			lo = k // the order statistic of rank k lies beyond the quantile only when X < k
		}
		if 1-below <= doubt && hi == 0 {
			hi = k // that of rank k lies below it only when X >= k
		}
		below += p
		p *= float64(n-k) / float64(k+1) * q / (1 - q)
	}
	if hi == 0 && 1-below <= doubt {
		hi = n
	}
	return lo, hi, lo > 0 && hi > 0
}

// binomial is the probability of k of n.
func binomial(n, k int, q float64) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	some, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - some - rest + float64(k)*math.Log(q) + float64(n-k)*math.Log1p(-q))
}
