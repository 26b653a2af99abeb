package sse

import (
	"context"
	"sync"
)

// SlowPolicy says what becomes of a connection that is slower than its events, so that its queue is
// full. In any case a single write that takes longer than the write timeout ends it.
type SlowPolicy int

const (
	// Disconnect lets the connection follow at its own pace while it is not further behind than the
	// hub's recent events ([WithRecent]) reach, and then ends it: the client comes back with its
	// last event ID and is sent what it has missed. Nothing is lost.
	Disconnect SlowPolicy = iota
	// DropOldest drops the events that have waited longest. An event of type [GapEvent]
	// stands in their place.
	DropOldest
	// ConflateByKey lets an event take the place of the one with the same key that still waits,
	// also before the queue is full: clients see the newest state of each key. Events without a key
	// are all kept. If that does not make room, it disconnects.
	ConflateByKey
	// CatchUp lets the connection follow at its own pace from the broker's history too. Nothing is
	// lost unless it falls behind that: it is then reset.
	CatchUp
)

// queue is what waits for one connection.
type queue struct {
	policy   SlowPolicy
	maxSlots int
	maxBytes int

	mu     sync.Mutex
	frames []*frame
	bytes  int
	gap    gap
	end    Reason // why the connection is to end, "" while it is not
	behind bool   // Disconnect, CatchUp: frames are left out since the queue was full, until conn.detach
	wake   chan struct{}
	cancel context.CancelFunc // of what the connection does instead of looking at the queue, see interruptible
}

// push adds f and returns how many events gave way to it. It never waits.
func (q *queue) push(f *frame) (dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.end != "" || q.behind && f.kind != resetFrame {
		return 0
	}
	if f.kind == beatFrame && len(q.frames) > 0 {
		return 0
	}
	if len(q.frames) == 1 && q.frames[0].kind == beatFrame { // f does what it was to do
		q.remove(0)
	}
	switch {
	case f.kind == resetFrame:
		for _, g := range q.frames {
			if g.kind == eventFrame {
				dropped++
			}
		}
		clear(q.frames)
		q.frames, q.bytes, q.gap, q.behind = q.frames[:0], 0, gap{}, false
	case q.policy == ConflateByKey && f.key != "":
		q.conflate(f.key)
	}
	for len(q.frames) > 0 && (len(q.frames) >= q.maxSlots || q.bytes+len(f.bytes) > q.maxBytes) {
		switch q.policy {
		case DropOldest:
			oldest := 0
			if q.frames[0].kind == resetFrame { // which is never dropped, and always first
				oldest = 1
			}
			if oldest == len(q.frames) {
				q.add(f)
				return dropped
			}
			q.gap.add(q.remove(oldest))
			dropped++
		case ConflateByKey:
			q.close(ReasonSlow)
			return dropped
		default:
			q.behind = true
			q.signal()
			return dropped
		}
	}
	q.add(f)
	return dropped
}

func (q *queue) add(f *frame) {
	q.frames = append(q.frames, f)
	q.bytes += len(f.bytes)
	q.signal()
}

// conflate removes the frame of that key: the newer one goes to the end, so that IDs stay in order.
func (q *queue) conflate(key string) {
	for i, f := range q.frames {
		if f.key == key {
			q.remove(i)
			return
		}
	}
}

func (q *queue) remove(i int) *frame {
	f := q.frames[i]
	copy(q.frames[i:], q.frames[i+1:])
	q.frames[len(q.frames)-1] = nil
	q.frames = q.frames[:len(q.frames)-1]
	q.bytes -= len(f.bytes)
	return f
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close makes the connection end; the first reason stays. Frames that wait are not sent.
func (q *queue) close(why Reason) {
	if q.end == "" {
		q.end = why
		q.frames, q.bytes, q.gap = nil, 0, gap{}
		q.signal()
		if q.cancel != nil {
			q.cancel()
		}
	}
}

// stop is close for those that do not hold the lock.
func (q *queue) stop(why Reason) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.close(why)
}

// ended is why the connection is to end, "" while it is not.
func (q *queue) ended() Reason {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.end
}

// interruptible returns a context that ends with ctx or with the connection; release frees it.
func (q *queue) interruptible(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancel(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.end != "" {
		cancel()
	}
	q.cancel = cancel
	return ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.cancel = nil
		cancel()
	}
}

// taken is what a writer takes out of a queue at once.
type taken struct {
	frames []*frame // valid until the next take
	gap    gap      // stands before the frames, but behind a reset that is the first of them
	behind bool     // after the frames, the connection has to catch up
	end    Reason
}

// take empties the queue; spare, the frames of the take before, is used for the next ones.
func (q *queue) take(spare []*frame) taken {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := taken{q.frames, q.gap, q.behind, q.end}
	clear(spare)
	q.frames, q.bytes, q.gap = spare[:0], 0, gap{}
	return t
}
