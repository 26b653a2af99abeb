package serve

import (
	"runtime"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// run times one batch of q.N operations, block by block, and has q.Looks of them judged.
func (b *binding[T, N]) run(q *worker.Request) (*worker.Batch, error) {
	c, err := b.Cell(q.Op, q.Mode)
	if err != nil {
		return nil, err
	}
	idle := b.keeper.sinceLast() // before anything else, since the rest of this command takes CPU time too
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
	// CheckNovel compares the times of values that the codec never saw with the quickest batch over
	// all values. A smaller block may hold only quick values.
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

// heap makes each cell pay for its share of garbage collection.
//
// Allocations of a codec are paid for later, when a collection runs. Without care, that is in the
// batch of another cell: of the same worker or, since a collection may go on after the answer, of
// the worker that is timed next. So no collection runs when a batch begins, and the garbage of a
// batch is collected, untimed, before its answer is sent.
//
// To begin right after a collection would favour codecs that allocate. A batch whose garbage does
// not fill the heap would pay for no collection, and one that fills it 2.9 times for two, while in
// the long run each pays for its share. So a batch begins halfway to the next collection. The
// number of collections in it is then its share rounded to the nearest integer instead of down:
// right within half a collection, for all codecs alike. To begin at random would be right on
// average, but times are medians over rounds, and the median of randomly rounded numbers is the
// same rounding with more noise. Longer batches, if the budget allows them, hold more collections,
// and the error of rounding is a smaller part of them.
//
// GOGC stays as the user set it, since the program will run with it too.
type heap struct {
	collected bool   // no collection runs, and nothing was allocated since the last one
	ready     bool   // allocation is halfway to the next collection
	way       uint64 // bytes allocated from one collection to the next
	used      uint64 // bytes that batches have allocated since ready was set
}

// settle runs a collection, unless drain has just done so, and allocates halfway to the next one.
// If the heap is ready, it does nothing.
func (h *heap) settle() {
	if h.ready {
		return
	}
	if !h.collected {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.way = 0
	if m.NextGC > m.HeapAlloc {
		h.way = m.NextGC - m.HeapAlloc
		ballast = make([]byte, h.way/2)
		ballast = nil
	}
	h.ready, h.collected, h.used = true, false, 0
}

// ballast makes the compiler allocate settle's garbage on the heap.
var ballast []byte

// little is the divisor of heap.way that drain uses. Batches may allocate way/little bytes before
// the heap must settle again, so loops of codecs that do not allocate need not wait for
// collections.
const little = 64

// drain counts the n bytes that a batch allocated. Once batches have allocated more than way/little
// bytes, it runs a collection.
func (h *heap) drain(n uint64) {
	if h.used += n; h.used > h.way/little {
		runtime.GC()
		h.ready, h.collected = false, true
	}
}
