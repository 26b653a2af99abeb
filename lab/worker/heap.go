package worker

import "runtime"

// heap keeps the garbage collector's share in the figures honest.
//
// What a codec allocates is paid for later, when a collection runs. Left alone, that is
// in another cell's batch: of the same worker, or, as a collection runs on by itself
// after the answer, of the worker that is timed next. So every batch begins where no
// collection is under way, and what it leaves behind is collected untimed before its
// answer is sent.
//
// Beginning right after a collection would favour codecs that allocate: a batch whose
// garbage does not fill the heap would pay for none at all, one that fills it 2.9 times
// for two. In the long run each pays for its share. The batch therefore begins halfway
// to the next collection, so that the number of collections in it is its share rounded
// to the nearest instead of down: right within half a collection, for all codecs alike.
// Beginning at random would be right on average, but times are medians over rounds, and
// the median of a rounding at random is the same rounding with more noise. Batches
// that the budget makes longer hold more collections and make the rest small.
//
// GOGC stays what the user set: it is a part of what the program will run with.
type heap struct {
	collected bool   // no collection runs, and nothing was allocated since the last one
	ready     bool   // it stands halfway to the next collection
	way       uint64 // bytes from one collection to the next
	used      uint64 // bytes that batches allocated since it was made ready
}

// settle waits for a collection under way and goes halfway to the next.
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

// ballast makes the compiler lay the garbage down on the heap.
var ballast []byte

// little is the part of the way that may be used up before settling anew: the loops of
// codecs that do not allocate need not wait for collections.
const little = 64

// drain collects what a batch that allocated n bytes left behind.
func (h *heap) drain(n uint64) {
	if h.used += n; h.used > h.way/little {
		runtime.GC()
		h.ready, h.collected = false, true
	}
}
