package canary

import (
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/tally"
)

// Operations that are counted apart: those of codecs, and whole requests.
const (
	opRequest = codec.NumOps
	numOps    = codec.NumOps + 1
)

func opName(op int) string {
	if op == opRequest {
		return "request"
	}
	return codec.Op(op).String()
}

// recorder counts what an arm does: three additions an operation, no lock. It is
// never reset; what happened in a while is the difference of two sums.
type recorder [numOps]struct {
	used    atomic.Bool   // something is in took, which is long to look through
	took    tally.Counts  // of those that succeeded, and of failures that are timed
	timed   atomic.Uint64 // errors that are in took
	errors  atomic.Uint64
	refused atomic.Uint64 // failed by no fault of the codec
	bytes   atomic.Uint64
}

func (r *recorder) record(op int, took time.Duration, size int, err error) {
	x := &r[op]
	if !x.used.Load() {
		x.used.Store(true)
	}
	x.took.Add(took)
	if err != nil {
		x.timed.Add(1)
		x.errors.Add(1)
		return
	}
	x.bytes.Add(uint64(max(size, 0)))
}

// fail counts a failure, against the arm if it is its fault.
func (r *recorder) fail(op int, fault bool) {
	if fault {
		r[op].errors.Add(1)
	} else {
		r[op].refused.Add(1)
	}
}

// streamed records an operation of a stream, whose sizes are not known.
func (r *recorder) streamed(op codec.Op, took time.Duration, err error) {
	if err != nil {
		r.fail(int(op), faulty(op, err))
		return
	}
	r.record(int(op), took, 0, nil)
}

// sums are the counts of an arm at one time, or between two.
type sums [numOps]sum

type sum struct {
	took    tally.Tally
	timed   uint64
	errors  uint64
	refused uint64
	bytes   uint64
}

func (r *recorder) load() (s sums) {
	for op := range r {
		x := &r[op]
		var took tally.Tally
		if x.used.Load() {
			took = x.took.Load()
		}
		s[op] = sum{took, x.timed.Load(), x.errors.Load(), x.refused.Load(), x.bytes.Load()}
	}
	return s
}

func (s sums) sub(before sums) (out sums) {
	for op := range s {
		x, y := &s[op], &before[op]
		out[op] = sum{x.took.Sub(y.took), x.timed - y.timed, x.errors - y.errors, x.refused - y.refused, x.bytes - y.bytes}
	}
	return out
}

// samples counts all operations, without those that were refused: garbage neither
// fails a step nor passes it.
func (s *sums) samples() (n uint64) {
	for op := range s {
		n += s[op].samples()
	}
	return n
}

func (s *sum) samples() uint64 { return s.took.Total() + s.errors - s.timed }

// good counts those that succeeded.
func (s *sum) good() uint64 { return s.took.Total() - s.timed }

// Signals are what one arm did of one operation.
type Signals struct {
	Op      string        `json:"op"`      // marshal | unmarshal | encode | decode | request
	Samples uint64        `json:"samples"` // those that succeeded, and Errors
	Errors  uint64        `json:"errors"`  // failures that count against the arm, see Limits
	Refused uint64        `json:"refused"` // other failures: what the incumbent refuses too
	P50     time.Duration `json:"p50_ns"`  // of those that succeeded, and of requests that failed; within 1 part in 32
	P99     time.Duration `json:"p99_ns"`
	Bytes   float64       `json:"bytes"` // mean of a message
}

// ErrorRate is the share of Samples that are Errors, 0 of none.
func (s Signals) ErrorRate() float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(s.Errors) / float64(s.Samples)
}

// signals lists the operations that were done at all.
func (s *sums) signals() []Signals {
	out := []Signals{}
	for op := range s {
		x := &s[op]
		n := x.samples()
		if n+x.refused == 0 {
			continue
		}
		g := Signals{Op: opName(op), Samples: n, Errors: x.errors, Refused: x.refused, P50: x.took.Quantile(0.5),
			P99: x.took.Quantile(0.99)}
		if good := x.good(); good > 0 {
			g.Bytes = float64(x.bytes) / float64(good)
		}
		out = append(out, g)
	}
	return out
}

// mark is the sums of both arms at one time.
type mark struct {
	at   time.Time
	sums [arms]sums
}

// marks is how many parts the window moves by.
const marks = 6

// window returns the gains of both arms over the last Window, and moves it along.
// The caller holds c.mu.
func (c *Canary) window(now mark) (gains [arms]sums) {
	if now.at.Sub(c.ring[len(c.ring)-1].at) >= c.opt.Window/marks {
		c.ring = append(c.ring, now)
	}
	for len(c.ring) > 1 && now.at.Sub(c.ring[0].at) > c.opt.Window {
		c.ring[0] = mark{}
		c.ring = c.ring[1:]
	}
	for a := range gains {
		gains[a] = now.sums[a].sub(c.ring[0].sums[a])
	}
	return gains
}

func (c *Canary) now() mark {
	return mark{c.opt.Now(), [arms]sums{c.totals[Incumbent].load(), c.totals[Candidate].load()}}
}
