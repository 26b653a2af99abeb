package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/worker"
)

// Process is a running worker with its values made.
type Process struct {
	*harness.Process
	Values *worker.Values

	bench *Bench
	make  worker.Request // of the values
	again bool           // it was started anew after it had stalled
}

// Start starts a process of a worker and has it make its values: those of the run where
// values is nil.
func (b *Bench) Start(ctx context.Context, w *harness.Worker, values *worker.Request) (*Process, error) {
	p := &Process{bench: b, make: b.Values()}
	if values != nil {
		p.make = *values
	}
	return p, p.start(ctx, w)
}

func (p *Process) start(ctx context.Context, w *harness.Worker) error {
	proc, err := w.Start(ctx)
	if err != nil {
		return err
	}
	a, err := proc.Do(ctx, p.make, 0)
	if err != nil {
		proc.Close()
		return err
	}
	p.Process, p.Values = proc, a.Values
	return nil
}

// Do sends a command. A process that stalls in Go's runtime is started anew, once, and
// asked again: commands of a worker need nothing of one another but the values.
func (p *Process) Do(ctx context.Context, q worker.Request, extra time.Duration) (*worker.Reply, error) {
	a, err := p.Process.Do(ctx, q, extra)
	var dead *harness.Dead
	if p.again || !errors.As(err, &dead) || !dead.Stalled() {
		return a, err
	}
	p.again = true
	p.bench.Warn("a process of %s stalled in Go's runtime (%s, %s) and was started anew: the machine has too much else to do", p.Worker.Name, dead.How, q.Cmd)
	p.Close()
	if err := p.start(ctx, p.Worker); err != nil {
		return nil, err
	}
	return p.Process.Do(ctx, q, extra)
}

// Ask sends the command of an experiment with its argument and reads its answer, which
// may take as long as the worker's limit and extra together.
func Ask[R any](ctx context.Context, p *Process, cmd string, args any, extra time.Duration) (*R, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	a, err := p.Do(ctx, worker.Request{Cmd: cmd, Args: string(text)}, extra)
	if err != nil {
		return nil, err
	}
	r := new(R)
	if err := json.Unmarshal(a.Data, r); err != nil {
		return nil, fmt.Errorf("answer to %s: %w", cmd, err)
	}
	return r, nil
}

// Once is Ask of a process that is started for this one question.
func Once[R any](ctx context.Context, b *Bench, w *harness.Worker, cmd string, args any, extra time.Duration) (*R, error) {
	p, err := b.Start(ctx, w, nil)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return Ask[R](ctx, p, cmd, args, extra)
}
