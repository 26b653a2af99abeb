package openloop

import (
	"fmt"
	"math"
)

// LeastBeyond is the number of requests that must lie beyond a percentile for it to be shown: P50
// needs 200 requests, P99 10,000 and P99.9 100,000.
const LeastBeyond = 100

// Sound reports whether n requests are enough for their q-quantile to be shown.
func Sound(n uint64, q float64) bool { return beyond(n, q) >= LeastBeyond }

// beyond returns how many of n values lie beyond their q-quantile.
func beyond(n uint64, q float64) uint64 { return n - min(n, uint64(math.Ceil(q*float64(n)))) }

// Name returns the name of the q-quantile in tables: P50, P99.9.
func Name(q float64) string { return fmt.Sprintf("P%.6g", 100*q) }

// lateShare bounds the generator's lateness, as a share of the latency.
const lateShare = 0.1

// Punctual reports whether the generator's lateness is at most a tenth of the latency, both taken
// at their q-quantile. A measured point is valid only if it is punctual at the median. A higher
// percentile of a valid point may still fail: it then says more about the generator than about the
// service.
func Punctual(late, response *Histogram, q float64) bool {
	return late.Quantile(q) <= lateShare*response.Quantile(q)
}

// backlog bounds the requests that may wait when the last one is due, as a share of all.
const backlog = 0.02

// Overloaded reports whether requests came faster than they were answered: some were left, or more
// than 2% had not begun when the schedule ended. That second rule is needed because servers have
// twice the time to empty the queue: without it they would pass at almost twice the rate that they
// can serve. One request of each load may always be behind, since it can be due at the very end.
// loads is the number of loads that s sums up.
func (s Served) Overloaded(loads int) bool {
	return s.Left > 0 || float64(s.Behind) > max(backlog*float64(s.N), float64(loads))
}
