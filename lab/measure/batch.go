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

// batch runs n operations of j on block number from, and checks the reading. It gives up at the
// timeout even if the worker ignores its context. That call is then left running, and the session
// never calls the worker again.
func (s *session) batch(ctx context.Context, j *job, n, block, from int) (Reading, error) {
	return s.ask(ctx, j, Batch{Op: j.cell.Op, Mode: j.cell.Mode, N: n, Block: block, From: from})
}

// ask is like batch, but takes the whole request.
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

// grace is how long a worker may take to return after its context has ended.
const grace = 100 * time.Millisecond

// lastWord waits a moment longer for an answer, so that a worker which respects its context is not
// abandoned. If none comes, it returns otherwise.
func lastWord[T any](done <-chan T, otherwise T) T {
	select {
	case a := <-done:
		return a
	case <-time.After(grace):
		return otherwise
	}
}

// calibrate finds an n for which a batch takes at least MinBatch. As testing.B does, it computes
// the next n from the time of the last batch, adds a fifth, and grows n at most a hundredfold at a
// time. Its batches also warm up the process.
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

// A block holds at least leastBlock values, unless the slowest cell takes longer than longestBlock
// for them. Without this minimum, one slow cell could reduce the blocks of all cells to a single
// value.
const (
	leastBlock   = 16
	longestBlock = time.Second
)

// blocks decides how many values a batch goes over: all, if the slowest cell gets through them in
// MaxPass, else about as many as that cell gets through. Every n becomes a multiple of that number,
// so that all batches of a round use the same values.
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

// Batches that count allocations. A single one of few operations may hold what refills a pool that a collection has emptied.
const (
	countBatches = 3
	countSpan    = 200 * time.Millisecond // no further batch begins after this time
)

// count fills in allocations per operation: the least of several batches, over the same values
// in every cell, each after one pass in which the codec fills its pools and buffers. So they are what it
// allocates in the long run.
func (s *session) count(ctx context.Context, j *job) error {
	began := time.Now()
	for i := 0; i < countBatches && (i == 0 || time.Since(began) < countSpan); i++ {
		read, err := s.ask(ctx, j, Batch{Op: j.cell.Op, Mode: j.cell.Mode, N: s.counted, Block: s.counted, Warm: true})
		if err != nil {
			return err
		}
		allocs, bytes := read.Allocs/float64(read.N), read.Bytes/float64(read.N)
		if i == 0 {
			j.row.Allocs, j.row.Bytes = allocs, bytes
		}
		j.row.Allocs, j.row.Bytes = min(j.row.Allocs, allocs), min(j.row.Bytes, bytes)
		if read.Wire > 0 {
			j.row.Wire = read.Wire
		}
	}
	return nil
}

// warm runs about half a batch of a cell without recording it, so that caches, pools and the branch
// predictor of a new process settle.
func (s *session) warm(ctx context.Context, j *job) error {
	_, err := s.batch(ctx, j, whole(float64(j.n)/2, s.block), s.block, 0)
	return err
}

// adapt learns from a batch. It changes n only if batches have become clearly shorter than their
// goal, for example because calibration ran cold; otherwise n stays, so that rounds are alike. cost
// becomes a moving average of what batches take, including the collection of their garbage.
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
