package experiment

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
)

// openLoop serves the load with all processors but one, which the generator occupies.
func (b *Bench[N]) openLoop(a *worker.OpenLoop) (*worker.Load, error) {
	procs := runtime.GOMAXPROCS(0)
	if procs < 2 {
		return nil, errors.New("an open loop needs two processors: its generator holds one")
	}
	if err := a.Check(); err != nil {
		return nil, err
	}
	task, err := b.Task(a.Task)
	if err != nil {
		return nil, err
	}
	if err := b.warmUp(task()); err != nil {
		return nil, err
	}
	tallies := make([]tally, procs-1)
	servers := make([]func(*openloop.Call) error, len(tallies))
	for i := range servers {
		t, do := &tallies[i], task()
		servers[i] = func(c *openloop.Call) error {
			n, err := do(int(b.Order[c.N%len(b.Order)]))
			now := c.Now()
			if err == nil {
				t.service.Record(int64(now - c.From))
				t.response.Record(int64(now - c.At))
				t.bytes += n
			}
			return err
		}
	}
	l := &worker.Load{Procs: procs}
	g := &openloop.Generator{Schedule: a.Schedule, Spin: openloop.Long}
	err = generate(context.Background(), l, g, servers)
	return l, errors.Join(err, add(l, tallies))
}

// generate puts a generator's load on servers, and measures the process meanwhile.
func generate(ctx context.Context, l *worker.Load, g *openloop.Generator, servers []func(*openloop.Call) error) error {
	var finish func(time.Duration)
	g.Counting = func() {
		debug.FreeOSMemory() // memory that earlier loads left behind does not count
		finish = watch(l)
	}
	var err error
	l.Served, err = g.Serve(ctx, servers)
	finish(g.Spun)
	l.Late = g.Late
	return err
}
