package harness

import (
	"context"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// On is the worker for processes that run on the given processors only.
func (o *Worker) On(cpus []int) *Worker {
	w := *o
	w.cpus = slices.Clone(cpus)
	return &w
}

// Under is the worker for processes that another program runs, such as valgrind with its
// arguments, and that get these variables added to their environment. The program must
// hand the descriptors 3 and 4 on. Without a program the processes run by themselves.
func (o *Worker) Under(program, env []string) *Worker {
	w := *o
	w.under, w.env = slices.Clone(program), slices.Clone(env)
	return &w
}

// End has the process end by itself, so that what runs it can write down what it saw, and
// waits at most as long as given.
func (p *Process) End(ctx context.Context, wait time.Duration) error {
	if _, err := p.in.Write((&worker.Request{Cmd: worker.CmdExit}).Line()); err != nil {
		return p.dead(ctx, worker.CmdExit)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		p.kill("stopped")
		return ctx.Err()
	case <-timer.C:
		p.kill("did not end within " + wait.String())
		return p.dead(ctx, worker.CmdExit)
	}
}

// Keep sets how many bytes of the end of what the process prints are kept.
func (p *Process) Keep(most int) { p.printed.keep(most) }

// Printed is the end of what it printed.
func (p *Process) Printed() string {
	text, _ := p.printed.tail()
	return text
}
