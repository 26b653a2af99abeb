package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// maxN bounds the operations of one batch.
const maxN = 1 << 30

// batch runs n operations of j over the from-th block and checks the reading. It gives
// up at the time-out, also when the worker ignores its context: the call is then left
// behind, and the session never calls that worker again.
func (s *session) batch(ctx context.Context, j *job, n, block, from int) (Reading, error) {
	return s.ask(ctx, j, Batch{Op: j.cell.Op, Mode: j.cell.Mode, N: n, Block: block, From: from})
}

// ask is batch for a request with all its fields.
func (s *session) ask(ctx context.Context, j *job, b Batch) (Reading, error) {
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
		r, err := j.w.Run(ctx, b)
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
		return a.r, fmt.Errorf("no answer within %s for %d operations of %s %s", s.cfg.Timeout, b.N, b.Op, b.Mode)
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
		read, err := s.batch(ctx, j, n, min(n, s.cfg.Values), 0)
		if err != nil {
			return err
		}
		if j.row.First == 0 {
			j.row.First = read.First
		}
		if read.Wire > 0 {
			j.row.Wire = read.Wire
		}
		n = max(n, read.N)
		if read.WallNS >= goal || n >= maxN {
			j.n, j.cost, j.goal = n, time.Duration(read.WallNS), s.cfg.MinBatch
			return nil
		}
		next := 1.2 * goal * float64(n) / max(read.WallNS, 1)
		n = int(min(max(next, float64(n)+1), 100*float64(n), maxN))
	}
}

// A block holds at least leastBlock values, unless the slowest cell takes longer than
// longestBlock for them: one slow cell must not cut the fast ones down to a single
// value.
const (
	leastBlock   = 16
	longestBlock = time.Second
)

// blocks decides how many values a batch goes over: all of them, pass after pass, where
// the slowest cell gets through them in MaxPass, else as many as it does. Every n becomes
// a multiple, so that no batch of any cell is about other values than those of the round.
func (s *session) blocks() {
	slowest := 1.0 // ns per operation
	for _, j := range s.jobs {
		if !j.w.out && j.n > 0 {
			slowest = max(slowest, float64(j.cost)/float64(j.n))
		}
	}
	fit := func(d time.Duration) int { return int(min(float64(d)/slowest, maxN)) }
	least := min(leastBlock, fit(longestBlock))
	s.block = min(s.cfg.Values, max(1, least, fit(s.cfg.MaxPass)))
	s.counted = min(s.cfg.Values, max(s.block, fit(5*s.cfg.MaxPass)))
	for _, j := range s.jobs {
		if j.block = s.block; j.n > 0 {
			n := whole(float64(j.n), s.block)
			j.cost = time.Duration(float64(j.cost) * float64(n) / float64(j.n))
			j.n = n
		}
	}
	if s.block < s.cfg.Values {
		s.warn("the slowest cell takes %s for one of the %d values: each round times %d of them, the same in every cell",
			time.Duration(slowest).Round(time.Microsecond), s.cfg.Values, s.block)
	}
}

// whole rounds n up to a multiple of block, but not beyond maxN.
func whole(n float64, block int) int {
	return int(max(1, min(math.Ceil(n/float64(block)), float64(maxN/block)))) * block
}

// count fills in allocations per operation, from a batch of their own over the same
// values in every cell, once a codec has filled its pools and buffers with them: what it
// allocates is what it goes on allocating.
func (s *session) count(ctx context.Context, j *job) error {
	read, err := s.ask(ctx, j, Batch{Op: j.cell.Op, Mode: j.cell.Mode, N: s.counted, Block: s.counted, Warm: true})
	if err == nil {
		j.row.Allocs, j.row.Bytes = read.Allocs/float64(read.N), read.Bytes/float64(read.N)
		if read.Wire > 0 {
			j.row.Wire = read.Wire
		}
	}
	return err
}

// warm runs a cell once, unrecorded: caches, pools and the branch predictor of a new
// process come to where they stay.
func (s *session) warm(ctx context.Context, j *job) error {
	_, err := s.batch(ctx, j, whole(float64(j.n)/2, s.block), s.block, 0)
	return err
}

// adapt learns from a batch. n itself changes only when batches became clearly
// shorter than their goal (a cold calibration), so that rounds stay alike.
// The plan reckons with what the batch took all in all, the collection of its garbage
// included.
func (s *session) adapt(j *job, read Reading, took time.Duration) {
	wall := time.Duration(read.WallNS)
	j.cost = (3*j.cost + max(wall, took)) / 4
	if wall < j.goal*9/10 {
		j.stretch(1.15 * float64(j.goal) / max(float64(wall), 1))
	}
}

// stretch makes batches longer by a factor.
func (j *job) stretch(factor float64) {
	j.n = whole(max(factor*float64(j.n), float64(j.n)+1), j.block)
}
