package stores

import (
	"slices"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Point is one codec at one rate of one store, summed over all visits.
type Point struct {
	Store string  `json:"store"` // kind of the store
	Codec string  `json:"codec"`
	Rate  float64 `json:"rate"` // wanted, requests a second
	openloop.Served
	Visits  int     `json:"visits"`
	Missed  int     `json:"missed,omitempty"` // number of launches in which the codec stopped at a lower rate
	Seconds float64 `json:"seconds"`          // duration of the load, all visits together
	Wall    float64 `json:"wall"`             // ns until the last request was answered, all visits together
	Void    string  `json:"void,omitempty"`   // why the point is not valid
	LateP50 float64 `json:"late_p50"`         // median delay of the generator in ns
	LateP99 float64 `json:"late_p99"`
	CPU     float64 `json:"cpu"`   // ns per request, of the client's process without the generator
	Alloc   float64 `json:"alloc"` // bytes per request

	// The memory of the client's process after a visit, in bytes: the mean of all visits.
	Heap     float64 `json:"heap"`
	Mapped   float64 `json:"mapped"`
	Resident float64 `json:"resident"`

	Launches []Launch `json:"launches"`

	late openloop.Histogram
}

// merge adds the figures of a visit to a point.
func (p *Point) merge(l *worker.Stored, visit time.Duration, launch int) {
	p.Launches = append(p.Launches, Launch{Launch: launch, Served: l.Served, Write: l.Write, Read: l.Read, Mapped: l.Memory.Mapped})
	p.Served.Add(l.Served)
	p.Visits++
	p.Seconds += visit.Seconds()
	p.Wall += l.Wall
	p.CPU += l.CPU
	p.Alloc += l.Alloc
	p.late.Add(&l.Late)
	p.Heap, p.Mapped, p.Resident = p.Heap+l.Memory.Heap, p.Mapped+l.Memory.Mapped, p.Resident+l.Memory.Resident
}

// full reports whether requests came faster than they were answered in any launch.
func (p *Point) full() bool {
	return slices.ContainsFunc(p.Launches, func(l Launch) bool { return l.full() })
}

// steep is the factor between the P50 of two neighbouring rates that shows that requests pile up. A
// queue that grew during the load may be empty soon after the last request was due, so full does
// not see it.
const steep = 5

// climbs returns P50 at p ÷ P50 at the lower rate from, in the launch where this quotient is
// largest.
func (p *Point) climbs(from *Point) (most float64) {
	for l, base := range p.beside(from) {
		most = max(most, share(l.responses("").Quantile(0.5), base.responses("").Quantile(0.5)))
	}
	return most
}

// done returns the number of requests answered per second.
func (p *Point) done() float64 { return share(float64(p.N), p.Wall/1e9) }

// finish turns sums into means and decides whether the point is valid. It is called once, when the
// store is done or was lost.
func (p *Point) finish() {
	n, visits := max(float64(p.N), 1), float64(p.Visits)
	p.CPU, p.Alloc = p.CPU/n, p.Alloc/n
	p.Heap, p.Mapped, p.Resident = p.Heap/visits, p.Mapped/visits, p.Resident/visits
	p.LateP50, p.LateP99 = p.late.Quantile(0.5), p.late.Quantile(0.99)
	p.Void = experiment.Late(&p.late, p.responses(""))
}

// part returns the requests of an operation in all launches, or of both operations if op is "".
func (p *Point) part(op string) (sum worker.Part) {
	for i := range p.Launches {
		part := p.Launches[i].part(op)
		sum.Add(&part)
	}
	return sum
}

// The operations. Half of the requests write, half read.
const (
	opWrite = "write"
	opRead  = "read"
)

var ops = []string{opWrite, opRead}

// codecShare returns the codec's part of the mean response, which includes waiting.
func (p *Point) codecShare(op string) float64 {
	h := p.part(op)
	return share(h.Codec, h.Response.Mean()*float64(h.Response.N()))
}

// share returns part / whole. If whole is 0 the divisor is 1e-9.
func share(part, whole float64) float64 { return part / max(whole, 1e-9) }

// quantiles are the percentiles that tables show.
var quantiles = []float64{0.5, 0.99, 0.999}

// percentile returns a percentile of an operation with its interval over the launches, or a dash.
func percentile(p *Point, op string, q float64) run.Item {
	if !p.sound(op, q) {
		return experiment.None("–")
	}
	return item(p.located(quantile(op, q))).Marked("doubt", p.doubtful(op, q))
}

// responses returns the response times of an operation in all launches; see part.
func (p *Point) responses(op string) *openloop.Histogram {
	sum := p.part(op)
	return &sum.Response
}

// sound reports whether enough requests of all launches lie beyond a percentile.
func (p *Point) sound(op string, q float64) bool { return p.responses(op).Sound(q) }

// doubtful reports whether too few launches have the percentile, or the generator's lateness is a
// large part of it.
func (p *Point) doubtful(op string, q float64) bool {
	return p.known(quantile(op, q)).N() < leastLaunches || !openloop.Punctual(&p.late, p.responses(op), q)
}
