package cpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// place is a set of processors to which a process is pinned.
type place struct {
	name string
	cpus []int
}

// Load is one codec with one number of processors or in one place, with the readings of all
// launches.
type Load struct {
	Codec  string    `json:"codec"`
	Place  string    `json:"place,omitempty"` // "" if not pinned
	Procs  int       `json:"procs"`           // GOMAXPROCS
	Rate   []float64 `json:"rate"`            // round trips per second
	CPU    []float64 `json:"cpu"`             // CPU time of a round trip, in ns
	P99    float64   `json:"p99,omitempty"`   // ns of the codec's own work; 0 if fewer than 100 round trips were slower
	Waited float64   `json:"waited"`          // voluntary context switches per 1000 round trips
	Taken  float64   `json:"taken"`           // involuntary context switches per 1000 round trips

	service openloop.Histogram
	n       float64
	worker  *harness.Worker
}

// scale runs a closed loop of each codec with different values of GOMAXPROCS, up to twice the
// number of processors, and in every place. A load ends after a given time and not after a given
// number of round trips, since the rates of two codecs may differ by a factor of ten.
func (e *Experiment) scale(ctx context.Context, b *experiment.Bench, res *Result, places []place) error {
	procs := b.Run().Host.Procs
	var loads []*Load
	for _, c := range b.Contenders {
		for _, p := range steps(procs) {
			loads = append(loads, &Load{Codec: c.Name, Procs: p, worker: c.Worker})
		}
		for _, p := range places {
			loads = append(loads, &Load{Codec: c.Name, Place: p.name, Procs: len(p.cpus), worker: c.Worker.On(p.cpus)})
		}
	}
	long := min(max(b.Budget()/time.Duration(2*b.Launches()*len(loads)), 50*time.Millisecond), 10*time.Second)
	var turns []experiment.Turn
	for _, k := range loads {
		turns = append(turns, experiment.Turn{Codec: k.Codec, Doing: fmt.Sprintf("%s on %d processors", k.Codec, k.Procs),
			Do: func(int) error { return k.measure(ctx, b, long) }})
	}
	broken, err := b.Turns(ctx, "cpu", turns)
	for _, c := range b.Contenders {
		if !broken[c.Name] {
			res.Codecs = append(res.Codecs, c.Name)
		}
	}
	for _, k := range loads {
		if len(k.Rate) == 0 || broken[k.Codec] {
			continue
		}
		k.Waited, k.Taken = 1000*k.Waited/k.n, 1000*k.Taken/k.n
		if k.service.Sound(0.99) {
			k.P99 = k.service.Quantile(0.99)
		}
		if k.Place == "" {
			res.Scale = append(res.Scale, k)
		} else {
			res.Places = append(res.Places, k)
		}
	}
	return err
}

// steps returns the powers of two below n, then n and 2n. With GOMAXPROCS = 2n the system's
// scheduler decides which of Go's threads run.
func steps(n int) (out []int) {
	for p := 1; p < n; p *= 2 {
		out = append(out, p)
	}
	return append(out, n, 2*n)
}

// perProc is the number of goroutines for each processor. It is high enough that no processor is
// idle.
const perProc = 2

func (k *Load) measure(ctx context.Context, b *experiment.Bench, long time.Duration) error {
	got, err := experiment.Once[worker.Load](ctx, b, k.worker, worker.CmdClosed, worker.ClosedLoop{Task: worker.Task{Op: worker.OpTrip},
		Goroutines: perProc * k.Procs, Rounds: 1 << 30, Most: long, Procs: k.Procs}, 2*long)
	if err != nil {
		return err
	}
	if got.N == 0 {
		return errors.New("no round trip was done in time")
	}
	k.Rate = append(k.Rate, 1e9*float64(got.N)/got.Wall)
	k.CPU = append(k.CPU, got.CPU/float64(got.N))
	k.service.Add(&got.Service)
	k.n, k.Waited, k.Taken = k.n+float64(got.N), k.Waited+float64(got.Waited), k.Taken+float64(got.Preempted)
	return nil
}

// traceEvery is the period of the scheduler's trace.
const traceEvery = 10 * time.Millisecond

// traced runs 16 goroutines of a codec under GODEBUG=schedtrace. The runtime prints the trace to
// the process's standard error, so traced drops the lines that were printed before the load. A
// trace costs time, so it runs in a process of its own, which is not timed.
func traced(ctx context.Context, b *experiment.Bench, w *harness.Worker) (*Sched, error) {
	p, err := b.Start(ctx, w.Under(nil, []string{fmt.Sprintf("GODEBUG=schedtrace=%d", traceEvery/time.Millisecond)}), nil)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	p.Keep(1 << 20)
	before := len(p.Printed())
	if _, err := experiment.Ask[worker.Load](ctx, p, worker.CmdClosed, worker.ClosedLoop{Task: worker.Task{Op: worker.OpTrip},
		Goroutines: 16, Rounds: 1 << 30, Most: max(300*time.Millisecond, b.Budget()/50)}, b.Budget()); err != nil {
		return nil, err
	}
	s := schedTrace(p.Printed()[min(before, len(p.Printed())):])
	if s.Lines == 0 {
		return nil, errors.New("the runtime printed no trace")
	}
	return &s, nil
}

// rateOf returns a codec's load with this number of processors and no fixed place, or nil.
func (res *Result) rateOf(codec string, procs int) *Load {
	return experiment.First(res.Scale, func(k *Load) bool { return k.Codec == codec && k.Procs == procs })
}

func (k *Load) rate() run.Estimate { return experiment.Estimate(k.Rate) }
