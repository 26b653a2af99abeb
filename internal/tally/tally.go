// Package tally counts durations in a histogram that many goroutines add to. It returns quantiles
// of the durations that were counted between two times.
package tally

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// Durations are counted in buckets whose width grows with the value, as in HdrHistogram (Gil Tene).
// Below 32 ns each nanosecond has a bucket. Then there are 16 buckets for each doubling, up to 68
// seconds. So a quantile is known within 1 part in 32.
const (
	subBits   = 4
	linear    = 2 << subBits
	topBits   = 36
	histogram = linear + (topBits-subBits-1)<<subBits // number of buckets
)

// bucketOf returns the bucket of a duration.
func bucketOf(d time.Duration) int {
	v := uint64(max(d, 0))
	if v < linear {
		return int(v)
	}
	v = min(v, 1<<topBits-1)
	shift := bits.Len64(v) - subBits - 1
	return shift<<subBits + int(v>>shift)
}

// middle returns the duration in the middle of a bucket.
func middle(i int) time.Duration {
	if i < linear {
		return time.Duration(i)
	}
	shift := i>>subBits - 1
	low := (i - shift<<subBits) << shift
	return time.Duration(low + (1<<shift)/2)
}

// Counts is a histogram. Its zero value is empty. It is safe for concurrent use.
type Counts [histogram]atomic.Uint64

// Tally is the content of a histogram at one time, or what was added between two times; nil if
// empty.
type Tally []uint64

// Add counts a duration.
func (c *Counts) Add(d time.Duration) { c[bucketOf(d)].Add(1) }

// Total returns how many durations were counted so far.
func (c *Counts) Total() (n uint64) {
	for i := range c {
		n += c[i].Load()
	}
	return n
}

// Load returns the content of the histogram.
func (c *Counts) Load() (t Tally) {
	for i := range c {
		n := c[i].Load()
		if n > 0 && t == nil {
			t = make(Tally, histogram)
		}
		if n > 0 {
			t[i] = n
		}
	}
	return t
}

// Sub returns what t has in addition to before, an earlier Tally of the same histogram.
func (t Tally) Sub(before Tally) Tally {
	if t == nil || before == nil {
		return t
	}
	out := make(Tally, len(t))
	for i := range t {
		out[i] = t[i] - before[i]
	}
	return out
}

// Total returns how many durations were counted.
func (t Tally) Total() (n uint64) {
	for _, c := range t {
		n += c
	}
	return n
}

// rank returns the duration at position r of the sorted values. Positions start at 1.
func (t Tally) rank(r uint64) time.Duration {
	var seen uint64
	for i, c := range t {
		if seen += c; seen >= r && c > 0 {
			return middle(i)
		}
	}
	return 0
}

// Quantile returns the q-quantile: a share q of all durations is at most that long. It returns 0
// for an empty Tally.
func (t Tally) Quantile(q float64) time.Duration {
	return t.rank(max(1, uint64(math.Ceil(q*float64(t.Total())))))
}

// Bounds returns a confidence interval for the q-quantile of the distribution behind t. Each bound
// is missed as often as a standard normal variable exceeds z. The number of values below a quantile
// is binomial for any distribution. So the bounds are values at certain ranks (David and Nagaraja,
// Order Statistics, 2003, section 7.1). ok is false if there are too few values for one of the
// bounds.
func (t Tally) Bounds(q, z float64) (low, high time.Duration, ok bool) {
	n := float64(t.Total())
	spread := z * math.Sqrt(n*q*(1-q))
	below, above := math.Floor(n*q-spread), math.Ceil(n*q+spread)+1
	if below < 1 || above > n {
		return 0, 0, false
	}
	return t.rank(uint64(below)), t.rank(uint64(above)), true
}
