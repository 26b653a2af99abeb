package sse

import (
	"context"
	"slices"
	"sync"
)

// SlowPolicy says what happens to a connection whose queue is full because it is slower than its
// events. Under every policy a single write that takes longer than the write timeout ends the
// connection.
type SlowPolicy int

const (
	// Disconnect lets the connection follow at its own pace as long as the hub's recent events
	// ([WithRecent]) reach back far enough, and then ends it. The client reconnects with its last
	// event ID and is sent what it has missed. Nothing is lost.
	Disconnect SlowPolicy = iota
	// DropOldest drops the events that have waited longest. In their place it sends an event of
	// type [GapEvent].
	DropOldest
	// ConflateByKey removes a waiting event when a newer one with the same key arrives, even if the
	// queue is not full. So clients see the newest state of each key. Events without a key are all
	// kept. If the queue still has no room, the connection ends.
	ConflateByKey
	// CatchUp lets the connection follow at its own pace, also from the broker's history. Nothing
	// is lost unless it falls behind that history: then it is reset.
	CatchUp
)

// queue holds the frames that wait for one connection.
type queue struct {
	policy   SlowPolicy
	maxSlots int
	maxBytes int

	mu     sync.Mutex
	frames []*frame
	bytes  int
	gap    gap
	end    Reason // why the connection is to end, "" if it is not
	behind bool   // Disconnect, CatchUp: the queue was full; frames are left out until conn.detach
	wake   chan struct{}
	cancel context.CancelFunc // interrupts catching up, during which the connection does not look at the queue
}

// push adds f and returns how many events were dropped for it. It never waits.
func (q *queue) push(f *frame) (dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.end != "" || q.behind && f.kind != resetFrame {
		return 0
	}
	if f.kind == beatFrame && len(q.frames) > 0 {
		return 0
	}
	if len(q.frames) == 1 && q.frames[0].kind == beatFrame { // f replaces the waiting heartbeat
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
		// The newer one goes to the end, so that IDs stay in order.
		if i := slices.IndexFunc(q.frames, func(g *frame) bool { return g.key == f.key }); i >= 0 {
			q.remove(i)
		}
	}
	for len(q.frames) > 0 && (len(q.frames) >= q.maxSlots || q.bytes+len(f.bytes) > q.maxBytes) {
		switch q.policy {
		case DropOldest:
			oldest := 0
			if q.frames[0].kind == resetFrame { // a reset is never dropped; it is always first
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
			signal(q.wake)
			return dropped
		}
	}
	q.add(f)
	return dropped
}

func (q *queue) add(f *frame) {
	q.frames = append(q.frames, f)
	q.bytes += len(f.bytes)
	signal(q.wake)
}

func (q *queue) remove(i int) *frame {
	f := q.frames[i]
	q.frames = slices.Delete(q.frames, i, i+1)
	q.bytes -= len(f.bytes)
	return f
}

// signal makes a goroutine that waits for c look again. One element in c is enough for any number
// of signals.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// close tells the connection to end. Only the first reason counts. Waiting frames are not sent. The
// caller holds the lock.
func (q *queue) close(why Reason) {
	if q.end == "" {
		q.end = why
		q.frames, q.bytes, q.gap = nil, 0, gap{}
		signal(q.wake)
		if q.cancel != nil {
			q.cancel()
		}
	}
}

// stop is close for callers that do not hold the lock.
func (q *queue) stop(why Reason) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.close(why)
}

// ended returns why the connection is to end, "" if it is not.
func (q *queue) ended() Reason {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.end
}

// interruptible returns a context that ends with ctx or when the queue is closed. release frees it.
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

// taken is the content of a queue that was taken out at once.
type taken struct {
	frames []*frame // valid until the next take
	gap    gap      // to be sent before the frames, but after a reset, which is always the first frame
	behind bool     // after the frames, the connection must catch up
	end    Reason
}

// take empties the queue. It reuses the slice spare, which is the frames of the previous take.
func (q *queue) take(spare []*frame) taken {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := taken{q.frames, q.gap, q.behind, q.end}
	clear(spare)
	q.frames, q.bytes, q.gap = spare[:0], 0, gap{}
	return t
}
