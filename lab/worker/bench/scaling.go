package bench

import (
	"errors"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Scaling times q.N operations on one goroutine, and q.N operations on each of two goroutines at
// once. If q.From is odd, the two goroutines come first.
func (b *Bench[N]) Scaling(q *worker.Request) (*worker.Scaling, error) {
	loops, err := b.pair(q.Op, q.Mode)
	if err != nil {
		return nil, err
	}
	out := &worker.Scaling{N: q.N}
	one := func() error {
		t0 := time.Now()
		err := Repeat(loops[0], b.Units(q.N, 0, 0), q.N, nil, nil)
		out.One = float64(time.Since(t0).Nanoseconds())
		return err
	}
	two := func() error {
		errs := make([]error, len(loops))
		start := LineUp(len(loops), func(i int) func() {
			units := b.Units(q.N, 0, i) // so that the two do not use the same value at the same time
			return func() { errs[i] = Repeat(loops[i], units, q.N, nil, nil) }
		})
		t0 := time.Now()
		start()()
		out.Two = float64(time.Since(t0).Nanoseconds())
		return errors.Join(errs...)
	}
	if q.From%2 == 1 {
		return out, errors.Join(two(), one())
	}
	return out, errors.Join(one(), two())
}

// pair returns two loops of one cell, each with its own state.
func (b *Bench[N]) pair(op, mode string) (loops [2]func([]int32) error, err error) {
	c, err := b.Cell(op, mode)
	if err != nil {
		return loops, err
	}
	for i := range c.pair {
		if c.pair[i] == nil {
			t, err := c.open()
			if err != nil {
				return loops, err
			}
			c.pair[i] = t.Loop
		}
	}
	return c.pair, nil
}
