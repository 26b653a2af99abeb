package grpcx

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/tally"
)

// Metrics counts messages by method, codec, side and operation. The zero value is ready to use. A
// Metrics must not be copied after first use.
type Metrics struct{ cells sync.Map } // Key → *opCounts

// Key says what a [Stats] counts: one operation of one codec in one method, on one side.
type Key struct {
	Method string
	Codec  string
	Server bool
	Op     codec.Op
}

// Stats is what was counted under a [Key].
type Stats struct {
	Key
	Count    uint64
	Errors   uint64
	Slow     uint64
	Bytes    uint64        // of all messages
	Duration time.Duration // of all messages
	P50, P99 time.Duration // of one message, with an error of at most 1 part in 32
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

// opCounts are the counts of one operation.
type opCounts struct {
	errors, slow, bytes atomic.Uint64
	nanos               atomic.Int64
	times               tally.Counts
}

func (c *opCounts) add(d time.Duration, size int, slow bool, err error) {
	c.bytes.Add(uint64(size))
	c.nanos.Add(int64(d))
	c.times.Add(d)
	if slow {
		c.slow.Add(1)
	}
	if err != nil {
		c.errors.Add(1)
	}
}

func (c *opCounts) stats() Stats {
	times := c.times.Load()
	return Stats{
		Count: times.Total(), Errors: c.errors.Load(), Slow: c.slow.Load(),
		Bytes: c.bytes.Load(), Duration: time.Duration(c.nanos.Load()),
		P50: times.Quantile(0.5), P99: times.Quantile(0.99),
	}
}
