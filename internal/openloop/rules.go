package openloop

import (
	"fmt"
	"math"
)

// LeastBeyond is how many requests must be slower than a percentile for it to be shown: P50 needs
// 200 requests, P99 10,000 and P99.9 100,000.
const LeastBeyond = 100

// Sound reports whether n requests are enough for their q-quantile to be shown.
func Sound(n uint64, q float64) bool { return beyond(n, q) >= LeastBeyond }

// beyond is how many of n values lie beyond their q-quantile.
func beyond(n uint64, q float64) uint64 { return n - min(n, uint64(math.Ceil(q*float64(n)))) }

// Name is what tables call the q-quantile: P50, P99.9.
func Name(q float64) string { return fmt.Sprintf("P%.6g", 100*q) }

// lateShare is the part of a response beyond which the generator's own lateness makes it worthless.
const lateShare = 0.1

// Punctual reports whether the generator was late by at most a tenth of the response, both at the
// q-quantile. A point that is not punctual at its median is not valid; one that is may still have
// percentiles that tell more of the generator than of the service.
func Punctual(late, response *Histogram, q float64) bool {
	return late.Quantile(q) <= lateShare*response.Quantile(q)
}

// backlog is the share of the requests that may wait when the last one is due.
const backlog = 0.02

// Overloaded reports whether requests came faster than they were answered: some were left, or more
// than 2% had not begun when the last one was due. Servers have twice the time to empty the queue,
// so that they would answer what comes at up to twice the rate that they can do. One request of
// each load may always be behind, since it can be due at the very end; loads is how many were
// summed up.
func (s Served) Overloaded(loads int) bool {
	return s.Left > 0 || float64(s.Behind) > max(backlog*float64(s.N), float64(loads))
}
