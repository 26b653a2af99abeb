package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Session is a worker's process that has made its values. If the process stalls in Go's runtime, it
// is started again, once, and the command is repeated. This is possible since commands depend only
// on the values.
type Session struct {
	*Process
	Made *worker.Reply // answer to the request that made the values

	life   context.Context // context of its processes
	opened Opening
	again  bool // it was started again
}

// Opening holds the arguments of Open.
type Opening struct {
	Values worker.Request    // request that makes the values
	Extra  time.Duration     // time that this may take beyond the worker's limit
	Note   func(text string) // called if a process had to be started again; may be nil
}

// Open starts a process and has it make its values. The session ends with ctx, or by Close.
func (wk *Worker) Open(ctx context.Context, o Opening) (*Session, error) {
	s := &Session{life: ctx, opened: o}
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
	a, err := p.Do(ctx, s.opened.Values, s.opened.Extra)
	if err != nil {
		p.Close()
		return err
	}
	s.Process, s.Made = p, a
	return nil
}

// stalled reports whether the error is a stall after which the process should be started again, and
// notes it.
func (s *Session) stalled(err error) bool {
	var dead *Dead
	if s.again || !errors.As(err, &dead) || !dead.Stalled() {
		return false
	}
	s.again = true
	if s.opened.Note != nil {
		s.opened.Note(fmt.Sprintf("a process of %s stalled in Go's runtime (%s during %s) and was started anew: the machine has too much else to do",
			dead.Worker, dead.How, dead.Cmd))
	}
	return true
}

// Do sends a command and waits for its answer, like Process.Do. If the process stalls, it is
// started again, once.
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

// Ask sends an experiment's command with its argument, as JSON, and returns the answer.
func Ask[R any](ctx context.Context, s *Session, cmd string, args any, extra time.Duration) (*R, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	a, err := s.Do(ctx, worker.Request{Cmd: cmd, Args: string(text)}, extra)
	if err != nil {
		return nil, err
	}
	r := new(R)
	if err := json.Unmarshal(a.Data, r); err != nil {
		return nil, fmt.Errorf("answer to %s: %w", cmd, err)
	}
	return r, nil
}
