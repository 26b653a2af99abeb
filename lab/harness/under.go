package harness

import (
	"context"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// On returns the worker for processes that run only on the given processors.
func (o *Worker) On(cpus []int) *Worker {
	w := *o
	w.cpus = slices.Clone(cpus)
	return &w
}

// Under returns the worker for processes that another program runs, such as valgrind with its
// arguments. env is added to their environment. The program must pass on the file descriptors 3 and
// 4. If program is empty, the processes run directly.
func (o *Worker) Under(program, env []string) *Worker {
	w := *o
	w.under, w.env = slices.Clone(program), slices.Clone(env)
	return &w
}

// End asks the process to exit and waits for that, so that a program which runs it can write its
// results. After wait, it kills the process and returns an error.
func (p *Process) End(ctx context.Context, wait time.Duration) error {
	if _, err := p.in.Write((&worker.Request{Cmd: worker.CmdExit}).Line()); err != nil {
		return p.dead(ctx, worker.CmdExit)
	}
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		p.kill("stopped")
		return ctx.Err()
	case <-time.After(wait):
		p.kill("did not end within " + wait.String())
		return p.dead(ctx, worker.CmdExit)
	}
}

// Keep sets how many bytes are kept from the end of the process's output.
func (p *Process) Keep(most int) { p.printed.keep(most) }

// Printed returns the end of the process's output.
func (p *Process) Printed() string {
	text, _ := p.printed.tail()
	return text
}
