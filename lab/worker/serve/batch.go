package serve

import (
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// run times one batch of q.N operations, block by block, and has q.Looks of them judged.
func (b *binding[T, N]) run(q *worker.Request) (*worker.Batch, error) {
	c, err := b.Cell(q.Op, q.Mode)
	if err != nil {
		return nil, err
	}
	idle := b.keeper.sinceLast()
	units := b.Units(q.N, q.Block, q.From)
	b.heap.settle()
	if q.Warm {
		if err := c.Batch.Loop(units[0]); err != nil {
			return nil, err
		}
	}
	look := b.lookout(c, q)
	var m bench.Meter
	m.Start()
	err = bench.Repeat(c.Batch.Loop, units, q.N, look.stops, func(i int32) {
		m.Stopwatch.Stop()
		look.at(i)
		m.Stopwatch.Start()
	})
	m.Stop()
	if err != nil {
		return nil, err
	}
	b.heap.drain(m.After.TotalAlloc - m.Before.TotalAlloc)
	odd, err := look.judge(m.Wall)
	if err != nil {
		return nil, err
	}
	if ns := float64(m.CPU) / float64(q.N); !q.Warm && len(units[0]) == len(b.Vals) && q.N >= len(b.Vals) && (c.Best == 0 || ns < c.Best) {
		c.Best = ns
	}
	b.keeper.busy += m.CPU
	b.keeper.idle += idle
	b.keeper.mark()
	return &worker.Batch{
		N: q.N, Wall: float64(m.Wall.Nanoseconds()), CPU: float64(m.CPU.Nanoseconds()),
		Allocs: m.Allocs(), Bytes: m.Bytes(),
		Wire: c.Wire, Odd: odd,
	}, nil
}
