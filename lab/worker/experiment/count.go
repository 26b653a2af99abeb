package experiment

import (
	"runtime"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// count does the rounds of all cells. Only the loop of a cell runs between the two marks of a
// round: the loop that is timed, too. The operations before the first round fill what a codec makes
// once and keeps.
func (b *Bench[N]) count(a *worker.Count) (*worker.Counted, error) {
	runtime.LockOSThread() // only this thread's instructions are counted
	defer runtime.UnlockOSThread()
	makeRoom()
	out := &worker.Counted{}
	for _, c := range a.Cells {
		loop, err := b.Loop(c.Op, c.Mode)
		if err != nil {
			return nil, err
		}
		units := b.Units(c.N, len(b.Vals), 0)
		if err := bench.Repeat(loop, units, c.N, nil, nil); err != nil {
			return nil, err
		}
		var rounds []worker.Allocated
		for range a.Rounds {
			var m bench.Meter
			m.Start()
			countMark()
			err := bench.Repeat(loop, units, c.N, nil, nil)
			countMark()
			m.Stop()
			if err != nil {
				return nil, err
			}
			rounds = append(rounds, worker.Allocated{Objects: m.Allocs(), Bytes: m.Bytes()})
		}
		out.Cells = append(out.Cells, rounds)
	}
	return out, nil
}

// Sizes of the free part of the heap when the rounds begin, and of the holes in the heap, generously.
const (
	room  = 128 << 20
	holes = 16 << 20
	page  = 8 << 10
)

// filler makes the compiler allocate on the heap.
var filler []byte

// makeRoom gives all rounds memory of the same kind: free, in one piece, and to be zeroed when it is
// used. Without it the heap would grow in some rounds, and each time the runtime would search the
// address space, which takes tens of thousands of instructions. Other rounds would get memory that
// is zero already. Most of the memory is never touched.
func makeRoom() {
	filler = make([]byte, room)
	filler = nil
	runtime.GC()
	for range holes / page {
		filler = make([]byte, page)
	}
	filler = nil
}

// countMark does nothing. A counter of instructions ends one count and begins the next when it is
// called, so it must stay a call: its name is in worker.Marks.
//
//go:noinline
func countMark() {}
