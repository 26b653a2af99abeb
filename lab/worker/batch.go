package worker

import "runtime"

// run times one batch of q.N operations, block by block, and has q.Looks of them judged.
func (b *binding[T, N]) run(q *Request) (*Batch, error) {
	c, err := b.cell(q.Op, q.Mode)
	if err != nil {
		return nil, err
	}
	idle := b.keeper.sinceLast()
	units := b.units(q.N, q.Block, q.From)
	b.heap.settle()
	if q.Warm {
		if err := c.batch.loop(units[0]); err != nil {
			return nil, err
		}
	}
	look := b.lookout(c, q)
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	var w stopwatch
	w.start()
	err = repeat(c.batch.loop, units, q.N, look.stops, func(i int32) {
		w.stop()
		look.at(i)
		w.start()
	})
	w.stop()
	runtime.ReadMemStats(&m1)
	if err != nil {
		return nil, err
	}
	b.heap.drain(m1.TotalAlloc - m0.TotalAlloc)
	odd, err := look.judge(w.wall)
	if err != nil {
		return nil, err
	}
	if ns := float64(w.cpu) / float64(q.N); !q.Warm && len(units[0]) == len(b.vals) && q.N >= len(b.vals) && (c.best == 0 || ns < c.best) {
		c.best = ns
	}
	b.keeper.busy += w.cpu
	b.keeper.idle += idle
	b.keeper.mark()
	return &Batch{
		N: q.N, Wall: float64(w.wall.Nanoseconds()), CPU: float64(w.cpu.Nanoseconds()),
		Allocs: float64(m1.Mallocs - m0.Mallocs), Bytes: float64(m1.TotalAlloc - m0.TotalAlloc),
		Wire: c.Wire, Odd: odd,
	}, nil
}
