package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Session is a worker's process that has made its values. One that stalls in Go's runtime is
// started anew, once, and asked again: commands need nothing of one another but the values.
type Session struct {
	*Process
	Made *worker.Reply // the answer to the request that made the values

	life  context.Context // of its processes
	make  worker.Request
	extra time.Duration
	note  func(text string)
	again bool // it was started anew
}

// Opening says how a session begins.
type Opening struct {
	Values worker.Request    // makes the values
	Extra  time.Duration     // which that may take beyond the worker's limit
	Note   func(text string) // is told when a process had to be started anew; nil for nobody
}

// Open starts a process and has it make its values. It ends with ctx, or by Close.
func (wk *Worker) Open(ctx context.Context, o Opening) (*Session, error) {
	s := &Session{life: ctx, make: o.Values, extra: o.Extra, note: o.Note}
	err := s.start(ctx, wk)
	if s.stalled(err) {
		err = s.start(ctx, wk)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Session) start(ctx context.Context, wk *Worker) error {
	p, err := wk.Start(s.life)
	if err != nil {
		return err
	}
	a, err := p.Do(ctx, s.make, s.extra)
	if err != nil {
		p.Close()
		return err
	}
	s.Process, s.Made = p, a
	return nil
}

// stalled reports an error after which the process is worth another try, and notes it.
func (s *Session) stalled(err error) bool {
	var dead *Dead
	if s.again || !errors.As(err, &dead) || !dead.Stalled() {
		return false
	}
	s.again = true
	if s.note != nil {
		s.note(fmt.Sprintf("a process of %s stalled in Go's runtime (%s during %s) and was started anew: the machine has too much else to do",
			dead.Worker, dead.How, dead.Cmd))
	}
	return true
}

// Do sends a command and waits for its answer, as that of a process does.
func (s *Session) Do(ctx context.Context, q worker.Request, extra time.Duration) (*worker.Reply, error) {
	a, err := s.Process.Do(ctx, q, extra)
	if !s.stalled(err) {
		return a, err
	}
	s.Close()
	if err := s.start(ctx, s.Worker); err != nil {
		return nil, err
	}
	return s.Process.Do(ctx, q, extra)
}
