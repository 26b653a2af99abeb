package canary

import (
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/tally"
)

// Operations that are counted separately: those of codecs, and whole requests.
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

// recorder counts what an arm does, by three additions for each operation and without a lock. It is
// never reset: what an arm did in a period is the difference of two sums.
type recorder [numOps]struct {
	used    atomic.Bool   // took is not empty; checked first, because reading took is slow
	took    tally.Counts  // durations of successes, and of failures of whole requests
	timed   atomic.Uint64 // number of failures among the durations in took
	errors  atomic.Uint64
	refused atomic.Uint64 // failures that are not the codec's fault
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

// fail counts a failure: as an error if it is the arm's fault, else as refused.
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

// sums are the counts of an arm at one time, or the difference of two times.
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

// samples returns the number of all operations except refused ones: garbage neither fails a step
// nor helps to pass it.
func (s *sums) samples() (n uint64) {
	for op := range s {
		n += s[op].samples()
	}
	return n
}

func (s *sum) samples() uint64 { return s.took.Total() + s.errors - s.timed }

// good returns the number of operations that succeeded.
func (s *sum) good() uint64 { return s.took.Total() - s.timed }

// Signals are counts and times of one operation of one arm.
type Signals struct {
	Op      string        `json:"op"`      // marshal | unmarshal | encode | decode | request
	Samples uint64        `json:"samples"` // successes and Errors
	Errors  uint64        `json:"errors"`  // failures that count against the arm, see Limits
	Refused uint64        `json:"refused"` // other failures, such as of messages that the incumbent refuses too
	P50     time.Duration `json:"p50_ns"`  // of successes, and of whole requests that failed; within 1 part in 32
	P99     time.Duration `json:"p99_ns"`
	Bytes   float64       `json:"bytes"` // mean of a message
}

// ErrorRate returns Errors divided by Samples, 0 if there are no samples.
func (s Signals) ErrorRate() float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(s.Errors) / float64(s.Samples)
}

// signals returns an entry for each operation that was done.
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

// mark has the sums of both arms at one time.
type mark struct {
	at   time.Time
	sums [arms]sums
}

// marks is the number of parts of the window. The window moves by one part at a time.
const marks = 6

// window returns what both arms have done in the last Window, and moves the window. The caller
// holds c.mu.
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
