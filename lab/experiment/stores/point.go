package stores

import (
	"slices"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Point is one codec at one rate of one store, summed over all visits.
type Point struct {
	Store string  `json:"store"` // kind
	Codec string  `json:"codec"`
	Rate  float64 `json:"rate"` // wanted, requests a second
	openloop.Served
	Visits  int         `json:"visits"`
	Missed  int         `json:"missed,omitempty"` // launches in which the codec stopped at a lower rate
	Seconds float64     `json:"seconds"`          // duration of the load, all visits together
	Wall    float64     `json:"wall"`             // ns until the last was answered
	Void    string      `json:"void,omitempty"`   // why the point is not valid
	Write   worker.Part `json:"-"`                // of all launches
	Read    worker.Part `json:"-"`
	LateP50 float64     `json:"late_p50"` // ns by which the generator was late
	LateP99 float64     `json:"late_p99"`
	CPU     float64     `json:"cpu"`   // ns per request, of the client's process without the generator
	Alloc   float64     `json:"alloc"` // bytes per request

	// The memory of the client's process after a visit, in bytes: the mean of all visits.
	Heap     float64 `json:"heap"`
	Mapped   float64 `json:"mapped"`
	Resident float64 `json:"resident"`

	Launches []Launch `json:"launches"`

	late openloop.Histogram
}

// full reports whether requests came faster than they were answered in any launch.
func (p *Point) full() bool {
	return slices.ContainsFunc(p.Launches, func(l Launch) bool { return l.full() })
}

// steep is the factor between the P50 of two neighbouring rates that shows that requests pile up. A
// queue that grew during the load may be empty soon after the last request was due, so full does
// not see it.
const steep = 5

// climbs returns the largest factor by which P50 grew since a lower rate in any launch.
func (p *Point) climbs(from *Point) (most float64) {
	for i := range p.Launches {
		for k := range from.Launches {
			if p.Launches[i].Launch == from.Launches[k].Launch {
				most = max(most, share(p.Launches[i].responses("").Quantile(0.5), from.Launches[k].responses("").Quantile(0.5)))
			}
		}
	}
	return most
}

// done returns the number of requests answered per second.
func (p *Point) done() float64 { return share(float64(p.N), p.Wall/1e9) }

// finish turns sums into means and decides whether the point is valid.
func (p *Point) finish() {
	n, visits := max(float64(p.N), 1), float64(p.Visits)
	p.CPU, p.Alloc = p.CPU/n, p.Alloc/n
	p.Heap, p.Mapped, p.Resident = p.Heap/visits, p.Mapped/visits, p.Resident/visits
	p.LateP50, p.LateP99 = p.late.Quantile(0.5), p.late.Quantile(0.99)
	p.Void = experiment.Late(&p.late, p.responses(""))
}

// part returns the requests of one operation.
func (p *Point) part(op string) *worker.Part {
	if op == opWrite {
		return &p.Write
	}
	return &p.Read
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

// codecOf returns the codec's part of the time of all requests.
func (p *Point) codecOf() float64 {
	own, all := 0.0, 0.0
	for _, op := range ops {
		h := p.part(op)
		own += h.Codec
		all += h.Response.Mean() * float64(h.Response.N())
	}
	return share(own, all)
}

// quantiles are the percentiles that tables show.
var quantiles = []float64{0.5, 0.99, 0.999}

// percentile returns a percentile of an operation with its interval over the launches, or a dash.
func percentile(p *Point, op string, q float64) run.Item {
	if !p.sound(op, q) {
		return experiment.None("–")
	}
	return item(p.located(quantile(op, q))).Marked("doubt", p.doubtful(op, q))
}

// responses returns the response times of all launches; see Launch.responses.
func (p *Point) responses(op string) *openloop.Histogram {
	var all openloop.Histogram
	for i := range p.Launches {
		all.Add(p.Launches[i].responses(op))
	}
	return &all
}

// sound reports whether enough requests of all launches lie beyond a percentile.
func (p *Point) sound(op string, q float64) bool { return p.responses(op).Sound(q) }

// doubtful reports whether too few launches have the percentile, or the generator's lateness is a
// large part of it.
func (p *Point) doubtful(op string, q float64) bool {
	return p.known(quantile(op, q)).N() < leastLaunches || !openloop.Punctual(&p.late, p.responses(op), q)
}
