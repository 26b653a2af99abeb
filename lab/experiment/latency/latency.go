// Package latency measures how long requests take under load, in two ways. In the closed loop each
// caller waits for its answer before it asks again. In the open loop requests are made when they
// are due, whether or not earlier ones were answered.
//
// The closed loop makes as many requests as the codecs can answer, so it shows throughput and how
// callers wait for a processor. It hides stalls: while one lasts no caller asks. The open loop does
// not: latency counts from when a request was due, so all requests that are due during a stall show
// it. Its rates depend on the capacity of each codec, so it comes second.
//
// NOTE, the map: latency.go is the experiment, closed.go and open.go its two halves, findings.go
// writes the conclusions.
package latency

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"time"

	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment measures latency under load. Make one with New.
type Experiment struct {
	Goroutines int
	Rounds     int
	QPS        []float64     // rates of the open loop, requests a second
	For        time.Duration // the duration of one visit to a rate; 0: what the depth allows
	Op         string
	qps        string
}

// New returns the experiment with its defaults.
func New() *Experiment {
	return &Experiment{Goroutines: 1000, Rounds: 100, Op: worker.OpTrip, qps: "100:10000"}
}

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "latency", Short: "how long requests take under load: percentiles in closed and open loop"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.IntVar(&e.Goroutines, "goroutines", e.Goroutines, "")
	fs.IntVar(&e.Rounds, "rounds", e.Rounds, "")
	fs.StringVar(&e.qps, "qps", e.qps, "")
	fs.DurationVar(&e.For, "for", 0, "")
	fs.StringVar(&e.Op, "op", e.Op, "")
	cmdline.Offer(fs, "op", "encode", "decode", worker.OpTrip)
	return `  -goroutines 1000 callers of the closed loop
  -rounds 100      requests of each of them
  -qps 100:10000   rates of the open loop, requests a second: from:to in five steps, or a list
                   100,1000; 25% to 95% of the measured capacity are added. 0: no open loop
  -for 1s          how long one visit to a rate lasts; by default what the budget allows
  -op trip         what a request does: encode, decode, or trip: both
`
}

// Check validates the flags and parses the rates.
func (e *Experiment) Check() (err error) {
	if e.Goroutines < 1 || e.Rounds < 1 {
		return errors.New("-goroutines and -rounds must be at least 1")
	}
	switch e.Op {
	case "encode", "decode", worker.OpTrip:
	default:
		return fmt.Errorf("-op %s: choose encode, decode or %s", e.Op, worker.OpTrip)
	}
	e.QPS, err = openloop.Rates("-qps", e.qps)
	return err
}

// Result is what run.json keeps of the experiment.
type Result struct {
	Op         string    `json:"op"`
	Goroutines int       `json:"goroutines"`
	Rounds     int       `json:"rounds"`
	Closed     []*Closed `json:"closed"`
	Open       []*Point  `json:"open,omitempty"`
}

// Run measures all contenders and returns the tables, charts and findings.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	x := &run.Experiment{Title: "Latency under load", Question: "How long does a request take when many come at once, and from which rate " +
		"on does it wait?"}
	res := &Result{Op: e.Op, Goroutines: e.Goroutines, Rounds: e.Rounds}
	err := e.closed(ctx, b, res)
	if err == nil && len(e.QPS) > 0 {
		err = e.open(ctx, b, x, res)
	}
	if len(res.Closed) == 0 {
		return nil, errors.Join(err, errors.New("no load was measured"))
	}
	x.Tables = []run.Table{closedTable(res), capacityTable(res), pointTable(res), memoryTable(res)}
	x.Charts = []run.Chart{closedChart(res), openChart(res, 0.5), openChart(res, 0.99)}
	x.Findings = findings(res)
	x.Warnings = append(x.Warnings, e.doubts(b, res)...)
	return experiment.With(x, res, err)
}

// quantiles are the percentiles that tables show.
var quantiles = []float64{0.5, 0.95, 0.99, 0.999}

// lacking says what a dash in a table means.
const lacking = "A dash stands where fewer than 100 requests lie beyond the percentile: P99 needs 10,000 requests, P99.9 100,000."

// item returns a percentile of all requests, with its range over the launches. It returns a dash if
// too few requests lie beyond the percentile.
func item(h *openloop.Histogram, launches []*openloop.Histogram, q float64) run.Item {
	if !h.Sound(q) {
		return experiment.None("–")
	}
	x := run.Num(h.Quantile(q))
	if len(launches) > 1 {
		lo, hi := math.Inf(1), 0.0
		for _, l := range launches {
			lo, hi = min(lo, l.Quantile(q)), max(hi, l.Quantile(q))
		}
		x.Lo, x.Hi = &lo, &hi
	}
	return x
}

// curve returns latencies at four percentiles for each power of ten, as far as enough requests lie
// beyond them. slower is 1 ÷ the share of requests that are slower: 2 for the median, 100 for P99.
func curve(h *openloop.Histogram) (slower, ns []float64) {
	for beyond := 0.5; beyond > 1e-7; beyond /= math.Pow(10, 0.25) {
		if !h.Sound(1 - beyond) {
			break
		}
		slower, ns = append(slower, 1/beyond), append(ns, h.Quantile(1-beyond))
	}
	return slower, ns
}

// doubts lists what a reader must know about this machine and this depth.
func (e *Experiment) doubts(b *experiment.Bench, res *Result) (out []string) {
	if b.Run().Host.Virtual != "" {
		out = append(out, "a virtual machine: what its host takes away shows in the far percentiles, of all codecs alike")
	}
	var refused []string
	for _, c := range res.Closed {
		if !c.Response.Sound(0.999) {
			refused = append(refused, c.Codec)
		}
	}
	if len(refused) > 0 {
		out = append(out, fmt.Sprintf("P99.9 rests on at least %d slower requests or is not printed: %s had too few; -rounds or -depth "+
			"standard makes more", openloop.LeastBeyond, experiment.List(refused)))
	}
	for _, p := range res.Open {
		if k := find(res, p.Codec); p.Of == 0 && p.valid() && k != nil && k.Capacity > 0 && p.QPS > 1.1*k.Capacity {
			out = append(out, fmt.Sprintf("%s kept up with %s requests a second, more than the capacity of %s that was measured: the machine was "+
				"slower then", p.Codec, quantity.Count(p.QPS), quantity.Count(k.Capacity)))
		}
	}
	if b.Depth == lab.Quick {
		out = append(out, "depth quick: percentiles of different codecs are told apart only where their ranges over the launches do not meet")
	}
	return out
}
