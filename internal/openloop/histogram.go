package openloop

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/bits"
)

// Histogram counts durations in nanoseconds in buckets whose width grows with the value: below 256
// ns each value has a bucket of its own, above that every power of two is cut into 128. A quantile
// is therefore known within 1 part in 256, for a few KiB of memory. It is the idea of HdrHistogram
// (Gil Tene) without a fixed range. Record takes no lock and, once the range was met, no memory:
// goroutines have one each, which Add merges. As JSON it travels between processes and rests in
// reports.
type Histogram struct {
	counts []uint64
	n      uint64
	sum    float64
	max    int64
}

const (
	halfBits = 7             // 128 buckets for each power of two
	half     = 1 << halfBits // the buckets below 2*half are exact
	buckets  = 57 * half     // that of the largest value is the last
)

// bucket is the index of the count of v.
func bucket(v int64) int {
	if v < 2*half {
		return int(max(v, 0))
	}
	shift := bits.Len64(uint64(v)) - halfBits - 1
	return shift*half + int(v>>shift)
}

// middle is the value that stands for a bucket.
func middle(i int) float64 {
	if i < 2*half {
		return float64(i)
	}
	shift := i/half - 1
	low := int64(i-shift*half) << shift
	return float64(low) + float64(int64(1)<<shift-1)/2
}

// Record counts one value; one below zero is counted as zero.
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

// Reserve takes the memory for all values now, 57 KiB, so that Record never does.
func (h *Histogram) Reserve() { h.counts = append(h.counts, make([]uint64, buckets-len(h.counts))...) }

// Reset forgets all values and keeps the memory.
func (h *Histogram) Reset() {
	clear(h.counts)
	*h = Histogram{counts: h.counts}
}

// N is how many values were recorded.
func (h *Histogram) N() uint64 { return h.n }

// Max is the largest value, exact.
func (h *Histogram) Max() float64 { return float64(h.max) }

// Mean is the mean of all values, exact; 0 without any.
func (h *Histogram) Mean() float64 { return h.sum / math.Max(float64(h.n), 1) }

// Quantile is the least value at or below which a share q of all values lies, 0 without any.
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

// Beyond is how many values lie beyond the q-quantile.
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

// spelt is a histogram as JSON. Counts holds, for each bucket that is not empty, its distance from
// the one before and its count, as uvarints: a report keeps hundreds of histograms.
type spelt struct {
	Sum    float64 `json:"sum"`
	Max    int64   `json:"max"`
	Counts []byte  `json:"counts"`
}

// MarshalJSON writes the buckets that are not empty.
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

// UnmarshalJSON reads what MarshalJSON wrote.
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
