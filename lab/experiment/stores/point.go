package stores

import (
	"fmt"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// Point is one codec at one rate of one store, all visits together.
type Point struct {
	Store   string      `json:"store"` // kind
	Codec   string      `json:"codec"`
	Rate    float64     `json:"rate"`             // asked for, requests a second
	N       int         `json:"n"`                // answered
	Behind  int         `json:"behind,omitempty"` // of them, begun only after the last was due
	Left    int         `json:"left,omitempty"`   // not begun within twice the time
	Visits  int         `json:"visits"`
	Seconds float64     `json:"seconds"`        // of load, all visits together
	Wall    float64     `json:"wall"`           // ns until the last was answered
	Void    string      `json:"void,omitempty"` // why the point is not valid
	Write   worker.Part `json:"write"`
	Read    worker.Part `json:"read"`
	LateP50 float64     `json:"late_p50"` // ns by which the generator was late
	LateP99 float64     `json:"late_p99"`
	CPU     float64     `json:"cpu"`   // ns a request of the client's process, the generator left out
	Alloc   float64     `json:"alloc"` // bytes a request

	// What the client's process holds after a visit, bytes, the mean of all visits.
	Heap     float64 `json:"heap"`
	Mapped   float64 `json:"mapped"`
	Resident float64 `json:"resident"`

	late worker.Histogram
}

// backlog is the share of the requests that may wait when the last is due: more has piled
// up. One of each visit always may.
const backlog = 0.02

// full reports a point at which requests came faster than they were answered.
func (p *Point) full() bool {
	return p.Left > 0 || float64(p.Behind) > max(backlog*float64(p.N), float64(p.Visits))
}

// done is how many requests a second were answered.
func (p *Point) done() float64 { return share(float64(p.N), p.Wall/1e9) }

// lateShare is the part of a median response beyond which the generator's own lateness makes
// the point worthless.
const lateShare = 0.1

// finish turns sums into means and judges the point.
func (p *Point) finish() {
	n, visits := max(float64(p.N), 1), float64(p.Visits)
	p.CPU, p.Alloc = p.CPU/n, p.Alloc/n
	p.Heap, p.Mapped, p.Resident = p.Heap/visits, p.Mapped/visits, p.Resident/visits
	p.LateP50, p.LateP99 = p.late.Quantile(0.5), p.late.Quantile(0.99)
	var all worker.Histogram
	all.Add(&p.Write.Response)
	all.Add(&p.Read.Response)
	if late, response := p.LateP50, all.Quantile(0.5); late > lateShare*response {
		p.Void = fmt.Sprintf("the generator was %s late, %s of the median response", experiment.Time(late), experiment.Share(late/response))
	}
}

// valid reports a point that findings may rest on.
func (p *Point) valid() bool { return !p.full() && p.Void == "" }

// part is the half of the requests that an op names.
func (p *Point) part(op string) *worker.Part {
	if op == opWrite {
		return &p.Write
	}
	return &p.Read
}

// The halves of the requests.
const (
	opWrite = "write"
	opRead  = "read"
)

var ops = []string{opWrite, opRead}

// codecShare is the codec's part of the mean response, waiting included.
func (p *Point) codecShare(op string) float64 {
	h := p.part(op)
	return share(h.Codec, h.Response.Mean()*float64(h.Response.N()))
}

// codecOf is the codec's part of the time of all requests.
func (p *Point) codecOf() float64 {
	own, all := 0.0, 0.0
	for _, op := range ops {
		h := p.part(op)
		own += h.Codec
		all += h.Response.Mean() * float64(h.Response.N())
	}
	return share(own, all)
}

// confidence of the intervals of percentiles.
const confidence = 0.95

// few is how many requests must lie beyond a percentile for it to be printed without a doubt.
const few = 100

// quantiles are the percentiles that tables show.
var quantiles = []struct {
	q    float64
	name string
}{{0.5, "P50"}, {0.99, "P99"}, {0.999, "P99.9"}}

// percentile is one with its interval by order statistics, and none where there are too few
// requests for an interval.
func percentile(h *worker.Histogram, q float64) run.Item {
	n := int(h.N())
	lo, hi, ok := stats.QuantileRanks(n, q, confidence)
	if !ok {
		return experiment.None("–")
	}
	x := run.Num(h.Quantile(q))
	low, high := h.Rank(uint64(lo)), h.Rank(uint64(hi))
	x.Lo, x.Hi = &low, &high
	if h.Beyond(q) < few {
		x.Mark = "doubt"
	}
	return x
}

// below reports whether a percentile is lower than another beyond doubt: their intervals do
// not meet.
func below(a, b run.Item) bool {
	return a.Value != nil && b.Value != nil && *a.Hi < *b.Lo
}
