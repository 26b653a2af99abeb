package openloop

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/bits"
)

// Histogram counts durations in nanoseconds. The width of its buckets grows with the value: below
// 256 ns each value has its own bucket, and above that every power of two is divided into 128. A
// quantile is therefore exact to 1 part in 256, for a few KiB of memory. The idea is that of
// HdrHistogram (Gil Tene), without a fixed range.
//
// Record takes no lock and, once the range of values was met, allocates nothing. Each goroutine
// should have its own Histogram; Add merges them. Processes exchange histograms as JSON, and
// reports keep them in that form.
type Histogram struct {
	counts []uint64
	n      uint64
	sum    float64
	max    int64
}

const (
	halfBits = 7             // 128 buckets for each power of two
	half     = 1 << halfBits // the buckets below 2*half are exact
	buckets  = 57 * half     // the largest int64 falls into the last one
)

// bucket returns the index of the bucket that counts v.
func bucket(v int64) int {
	if v < 2*half {
		return int(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - halfBits - 1
	return shift*half + int(v>>shift)
}

// middle returns the value that represents bucket i.
func middle(i int) float64 {
	if i < 2*half {
		return float64(i)
	}
	shift := i/half - 1
	low := int64(i-shift*half) << shift
	return float64(low) + float64(int64(1)<<shift-1)/2
}

// Record counts one value; a negative value counts as zero.
func (h *Histogram) Record(v int64) {
	i := bucket(v)
	if i >= len(h.counts) {
		h.counts = append(h.counts, make([]uint64, i+half-len(h.counts))...)
	}
	h.counts[i]++
	h.n++
	h.sum += float64(max(v, 0))
	h.max = max(h.max, v)
}

// Reserve allocates the memory for all possible values, 57 KiB, so that Record never allocates.
func (h *Histogram) Reserve() { h.counts = append(h.counts, make([]uint64, buckets-len(h.counts))...) }

// Reset removes all values and keeps the memory.
func (h *Histogram) Reset() {
	clear(h.counts)
	*h = Histogram{counts: h.counts}
}

// N returns the number of recorded values.
func (h *Histogram) N() uint64 { return h.n }

// Max returns the largest value, exact.
func (h *Histogram) Max() float64 { return float64(h.max) }

// Mean returns the mean of all values, exact; 0 if there are none.
func (h *Histogram) Mean() float64 { return h.sum / math.Max(float64(h.n), 1) }

// Quantile returns the least value at or below which a share q of all values lies; 0 if there are
// none.
func (h *Histogram) Quantile(q float64) float64 {
	if h.n == 0 {
		return 0
	}
	want := uint64(math.Ceil(q * float64(h.n)))
	want = min(max(want, 1), h.n)
	if want == h.n {
		return float64(h.max)
	}
	var seen uint64
	for i, c := range h.counts {
		if seen += c; seen >= want {
			return math.Min(middle(i), float64(h.max))
		}
	}
	return float64(h.max)
}

// Beyond returns the number of values beyond the q-quantile.
func (h *Histogram) Beyond(q float64) uint64 { return beyond(h.n, q) }

// Sound reports whether enough values lie beyond the q-quantile for it to be shown.
func (h *Histogram) Sound(q float64) bool { return Sound(h.n, q) }

// Add merges o into h.
func (h *Histogram) Add(o *Histogram) {
	if len(o.counts) > len(h.counts) {
		h.counts = append(h.counts, make([]uint64, len(o.counts)-len(h.counts))...)
	}
	for i, c := range o.counts {
		h.counts[i] += c
	}
	h.n, h.sum, h.max = h.n+o.n, h.sum+o.sum, max(h.max, o.max)
}

// spelt is the JSON form of a histogram. Counts holds two uvarints for each non-empty bucket: its
// distance from the previous one, and its count. The form is short since a report holds hundreds of
// histograms.
type spelt struct {
	Sum    float64 `json:"sum"`
	Max    int64   `json:"max"`
	Counts []byte  `json:"counts"`
}

// MarshalJSON writes the non-empty buckets.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	s := spelt{Sum: h.sum, Max: h.max, Counts: []byte{}}
	last := 0
	for i, c := range h.counts {
		if c > 0 {
			s.Counts = binary.AppendUvarint(s.Counts, uint64(i-last))
			s.Counts = binary.AppendUvarint(s.Counts, c)
			last = i
		}
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads the form that MarshalJSON writes.
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var s spelt
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*h = Histogram{sum: s.Sum, max: s.Max}
	for i, rest := uint64(0), s.Counts; len(rest) > 0; {
		step, n := binary.Uvarint(rest)
		count, m := binary.Uvarint(rest[max(n, 0):])
		if n <= 0 || m <= 0 || step >= buckets || i+step >= buckets {
			return errors.New("histogram: its counts are damaged")
		}
		i += step
		if i >= uint64(len(h.counts)) {
			h.counts = append(h.counts, make([]uint64, i+1-uint64(len(h.counts)))...)
		}
		h.counts[i] += count
		h.n += count
		rest = rest[n+m:]
	}
	return nil
}
