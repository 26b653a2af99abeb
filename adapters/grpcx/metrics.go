package grpcx

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
)

// Metrics counts messages by method, codec, side and operation. The zero value is
// ready; it must not be copied after first use.
type Metrics struct{ cells sync.Map } // Key → *opCounts

// Key is what messages are counted by.
type Key struct {
	Method string
	Codec  string
	Server bool
	Op     codec.Op
}

// Stats is what has been counted under a [Key].
type Stats struct {
	Key
	Count    uint64
	Errors   uint64
	Slow     uint64
	Bytes    uint64        // of all messages
	Duration time.Duration // of all messages
	P50, P99 time.Duration // of one message, each at most an eighth too long
}

// Snapshot returns the counts so far, sorted by method, codec, side and operation.
func (m *Metrics) Snapshot() []Stats {
	var out []Stats
	m.cells.Range(func(k, v any) bool {
		if s := v.(*opCounts).stats(); s.Count > 0 {
			s.Key = k.(Key)
			out = append(out, s)
		}
		return true
	})
	slices.SortFunc(out, func(a, b Stats) int {
		return cmp.Or(strings.Compare(a.Method, b.Method), strings.Compare(a.Codec, b.Codec),
			compareBool(a.Server, b.Server), cmp.Compare(a.Op, b.Op))
	})
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (m *Metrics) counts(k Key) *opCounts {
	if c, ok := m.cells.Load(k); ok {
		return c.(*opCounts)
	}
	c, _ := m.cells.LoadOrStore(k, new(opCounts))
	return c.(*opCounts)
}

// opCounts are the counts of one operation. The histogram has eight buckets for each
// power of two, so that a quantile is read off with an error of an eighth.
type opCounts struct {
	errors, slow, bytes atomic.Uint64
	nanos               atomic.Int64
	buckets             [histogramSize]atomic.Uint64
}

const histogramSize = 8 * 40 // up to 2^42 ns, which is more than an hour

func (c *opCounts) add(d time.Duration, size int, slow bool, err error) {
	c.bytes.Add(uint64(size))
	c.nanos.Add(int64(d))
	c.buckets[bucket(d)].Add(1)
	if slow {
		c.slow.Add(1)
	}
	if err != nil {
		c.errors.Add(1)
	}
}

func (c *opCounts) stats() Stats {
	s := Stats{Errors: c.errors.Load(), Slow: c.slow.Load(), Bytes: c.bytes.Load(), Duration: time.Duration(c.nanos.Load())}
	var counts [histogramSize]uint64
	for i := range counts {
		counts[i] = c.buckets[i].Load()
		s.Count += counts[i]
	}
	s.P50, s.P99 = quantile(&counts, s.Count, 50), quantile(&counts, s.Count, 99)
	return s
}

// quantile returns the upper edge of the bucket in which percent of all end.
func quantile(counts *[histogramSize]uint64, total, percent uint64) time.Duration {
	if total == 0 {
		return 0
	}
	rank, seen := (total*percent+99)/100, uint64(0)
	for i, n := range counts {
		if seen += n; seen >= rank {
			return edge(i)
		}
	}
	return edge(histogramSize - 1)
}

// bucket is where a duration is counted: itself below 8 ns, then by its highest bit and the
// three below it.
func bucket(d time.Duration) int {
	n := uint64(max(d, 0))
	if n < 8 {
		return int(n)
	}
	exp := bits.Len64(n) - 4 // the three bits below the highest are left
	return min(8*exp+int(n>>exp), histogramSize-1)
}

// edge is the longest duration of a bucket.
func edge(i int) time.Duration {
	if i < 8 {
		return time.Duration(i)
	}
	exp := i/8 - 1
	return time.Duration((uint64(i-8*exp)+1)<<exp - 1)
}
