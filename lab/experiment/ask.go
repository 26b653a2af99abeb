package experiment

import (
	"context"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"
)

// Process is a running worker that has made its values; Made.Values describes them.
type Process = harness.Session

// Start starts a process of w and has it make its values as the request says. If values is nil,
// they are the run's values.
func (b *Bench) Start(ctx context.Context, w *harness.Worker, values *worker.Request) (*Process, error) {
	o := harness.Opening{Values: b.Values(), Note: func(text string) { b.Warn("%s", text) }}
	if values != nil {
		o.Values = *values
	}
	return w.Open(ctx, o)
}

// Ask sends an experiment's command with its argument, as JSON, and returns the answer. The process
// has the worker's usual time limit plus extra to answer.
func Ask[R any](ctx context.Context, p *Process, cmd string, args any, extra time.Duration) (*R, error) {
	return harness.Ask[R](ctx, p, cmd, args, extra)
}

// Once starts a process, asks it one question as Ask does, and stops it. The process is a new one,
// because an earlier load may leave a larger heap, which changes how often the garbage collector
// runs.
func Once[R any](ctx context.Context, b *Bench, w *harness.Worker, cmd string, args any, extra time.Duration) (*R, error) {
	p, err := b.Start(ctx, w, nil)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return Ask[R](ctx, p, cmd, args, extra)
}
