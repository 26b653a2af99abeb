package nano

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// watch limits how long the bodies of a service may stand still and how long they may take. A deadline on
// the connection of each would be set and lifted for each request, though hardly one ever passes, and the runtime wakes
// a thread for many of them (docs/perf/nano.md). Here bodies that are being read are on a list, which a timer
// goes through as long as there are any; who is late by then has its read ended by a deadline that has passed. So limits are
// kept a tenth too late, or a second.
type watch struct {
	period time.Duration // of the timer; 0 if there is no limit
	idle   uint32        // periods that a body may stand still
	total  uint32        // … and take; both at least one
	shards [8]watchShard
}

// watchShard has some of the bodies, so that processors seldom meet.
type watchShard struct {
	w     *watch
	mu    sync.Mutex
	first *bodyReader
	timed bool // the timer runs
	_     [32]byte
}

func newWatch(idle, total time.Duration) *watch {
	w := new(watch)
	least := min(positive(idle), positive(total))
	if least == forever {
		return w
	}
	w.period = min(max(least/10, time.Millisecond), time.Second)
	w.idle, w.total = w.periods(idle), w.periods(total)
	for i := range w.shards {
		w.shards[i].w = w
	}
	return w
}

const forever = 1<<63 - 1

// positive is d, or forever where it is no limit.
func positive(d time.Duration) time.Duration {
	if d <= 0 {
		return forever
	}
	return d
}

func (w *watch) periods(d time.Duration) uint32 {
	return uint32(min((positive(d)-1)/w.period+1, 1<<32-1))
}

// begin has b watched until end.
func (w *watch) begin(b *bodyReader) {
	if w.period == 0 {
		return
	}
	s := &w.shards[rand.Uint32()%uint32(len(w.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	b.shard, b.next = s, s.first
	if b.next != nil {
		b.next.prev = b
	}
	s.first = b
	if !s.timed {
		s.timed = true
		time.AfterFunc(w.period, s.tick)
	}
}

// end takes b off the list, and what was done to its connection back.
func (b *bodyReader) end() {
	s := b.shard
	if s == nil {
		return
	}
	b.shard = nil
	s.mu.Lock()
	if b.next != nil {
		b.next.prev = b.prev
	}
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		s.first = b.next
	}
	b.prev, b.next = nil, nil
	s.mu.Unlock()
	if b.ended {
		setReadDeadline(b.w, time.Time{})
	}
}

// tick ends the reads that are late. Who is on the list has not left its handler: its response writer may
// be used until the lock is released, and waits for nothing.
func (s *watchShard) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := s.first; b != nil; b = b.next {
		b.age++
		b.still++
		if b.moved.Swap(false) {
			b.still = 0
		}
		if !b.late && (b.still > s.w.idle || b.age > s.w.total) {
			b.late, b.ended = true, setReadDeadline(b.w, time.Unix(1, 0))
		}
	}
	if s.timed = s.first != nil; s.timed {
		time.AfterFunc(s.w.period, s.tick)
	}
}

// limitDrain sets a deadline for what net/http reads of a body that was not read to its end: up to 256 KiB before it
// sends the status, and again behind the answer, however long the client takes. net/http lifts
// the deadline before the next request. HTTP/2 reads nothing. A request of length 0 has a body all the same where
// middleware has wrapped it (http.MaxBytesHandler).
func (x *Exchange) limitDrain() {
	if x.read || x.r.ContentLength == 0 || x.r.ProtoMajor != 1 || x.r.Body == nil || x.r.Body == http.NoBody || x.serverTimes() || x.decoded() {
		return
	}
	if d := min(positive(x.s.readIdle), positive(x.s.readTotal)); d != forever {
		x.limited = setReadDeadline(x.w, time.Now().Add(d))
	}
}

// liftDrain lifts limitDrain's deadline between the first write of an answer and its last: once the body is at its end,
// net/http reads on to notice that the client goes, and takes a deadline's passing for that.
func (x *Exchange) liftDrain() {
	if x.limited {
		x.limited = false
		setReadDeadline(x.w, time.Time{})
	}
}
