package latency

import (
	"math"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// quantiles are the percentiles that tables show.
var quantiles = []float64{0.5, 0.95, 0.99, 0.999}

// lacking says what a dash in a table means.
const lacking = "A dash stands where fewer than 100 requests lie beyond the percentile: P99 needs 10,000 requests, P99.9 100,000."

// item returns a percentile with its range over the launches, or a dash if too few requests lie
// beyond it.
func item(h *openloop.Histogram, launches []*openloop.Histogram, q float64) run.Item {
	if !h.Sound(q) {
		return experiment.None("–")
	}
	x := run.Num(h.Quantile(q))
	if len(launches) > 1 {
		lo, hi := math.Inf(1), 0.0
		for _, l := range launches {
			lo, hi = min(lo, l.Quantile(q)), max(hi, l.Quantile(q))
		}
		x.Lo, x.Hi = &lo, &hi
	}
	return x
}

// curve returns the latency at every percentile with enough requests beyond it. slower is the
// inverse of the share of requests that are slower: 2 for the median, 100 for P99.
func curve(h *openloop.Histogram) (slower, ns []float64) {
	for beyond := 0.5; beyond > 1e-7; beyond /= math.Pow(10, 0.25) {
		if !h.Sound(1 - beyond) {
			break
		}
		slower, ns = append(slower, 1/beyond), append(ns, h.Quantile(1-beyond))
	}
	return slower, ns
}
