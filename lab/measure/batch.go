package measure

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// maxN bounds the operations of one batch.
const maxN = 1 << 30

// batch runs n operations of j within the time-out and checks the reading.
func (s *session) batch(ctx context.Context, j *job, n int) (Reading, error) {
	return s.guarded(ctx, j, n, j.w.Run)
}

type runFunc func(ctx context.Context, op, mode string, n int) (Reading, error)

// guarded calls run and gives up on it at the time-out, also when run ignores its
// context: the call is then left behind, and the session never calls that worker again.
func (s *session) guarded(ctx context.Context, j *job, n int, run runFunc) (Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	type answer struct {
		r   Reading
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- answer{err: fmt.Errorf("panic: %v", p)}
			}
		}()
		r, err := run(ctx, j.cell.Op, j.cell.Mode, n)
		done <- answer{r, err}
	}()
	var a answer
	select {
	case a = <-done:
	case <-ctx.Done():
		a = lastWord(done, answer{err: ctx.Err()})
	}
	switch {
	case errors.Is(a.err, context.DeadlineExceeded):
		return a.r, fmt.Errorf("no answer within %s for %d operations of %s %s", s.cfg.Timeout, n, j.cell.Op, j.cell.Mode)
	case a.err != nil:
		return a.r, a.err
	case a.r.N <= 0 || a.r.WallNS < 0 || a.r.CPUNS < 0:
		return a.r, fmt.Errorf("senseless reading: %d operations in %g ns", a.r.N, a.r.WallNS)
	}
	return a.r, nil
}

// grace is how long a worker may take to come back once its context ended.
const grace = 100 * time.Millisecond

// lastWord waits for an answer a moment longer, so that a worker which heeds its
// context is not left running behind.
func lastWord[T any](done <-chan T, otherwise T) T {
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case a := <-done:
		return a
	case <-t.C:
		return otherwise
	}
}

// calibrate finds n such that a batch takes at least MinBatch, growing it as
// testing.B does: from what the last batch took, with a fifth to spare, at most a
// hundredfold at a time. What it runs also warms the process up.
func (s *session) calibrate(ctx context.Context, j *job) error {
	goal := float64(s.cfg.MinBatch.Nanoseconds())
	for n := 1; ; {
		read, err := s.batch(ctx, j, n)
		if err != nil {
			return err
		}
		if j.row.First == 0 {
			j.row.First = read.First
		}
		if read.Wire > 0 {
			j.row.Wire = read.Wire
		}
		n = max(n, read.N) // workers may round n up to whole passes over their values
		if read.WallNS >= goal || n >= maxN {
			j.n, j.cost, j.goal = n, time.Duration(read.WallNS), s.cfg.MinBatch
			return nil
		}
		next := 1.2 * goal * float64(n) / max(read.WallNS, 1)
		n = int(min(max(next, float64(n)+1), 100*float64(n), maxN))
	}
}

// count fills in allocations per operation, from a batch of their own.
func (s *session) count(ctx context.Context, j *job) error {
	run := runFunc(j.w.Run)
	if c, ok := unwrap(j.w.Worker).(Counter); ok {
		run = c.Count
	}
	read, err := s.guarded(ctx, j, min(j.n, 2048), run)
	if err == nil {
		j.row.Allocs, j.row.Bytes = read.Allocs/float64(read.N), read.Bytes/float64(read.N)
		if read.Wire > 0 {
			j.row.Wire = read.Wire
		}
	}
	return err
}

func unwrap(w Worker) Worker {
	if n, ok := w.(noRelaunch); ok {
		return n.Worker
	}
	return w
}

// warm runs a cell once, unrecorded: caches, pools and the branch predictor of a new
// process come to where they stay.
func (s *session) warm(ctx context.Context, j *job) error {
	_, err := s.batch(ctx, j, max(1, j.n/2))
	return err
}

// adapt learns from a batch. n itself changes only when batches became clearly
// shorter than their goal (a cold calibration), so that rounds stay alike.
func (s *session) adapt(j *job, read Reading) {
	wall := time.Duration(read.WallNS)
	j.cost = (3*j.cost + wall) / 4
	if wall < j.goal*9/10 {
		j.stretch(1.15 * float64(j.goal) / max(float64(wall), 1))
	}
}

// stretch makes batches longer by a factor.
func (j *job) stretch(factor float64) {
	j.n = int(min(max(factor*float64(j.n), float64(j.n)+1), maxN))
}
