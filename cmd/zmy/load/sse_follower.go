package load

import (
	"context"
	"sync"
	"time"

	"github.com/zmylab/zmy/sse"
)

// follower is one connection, over all that it takes to keep it.
type follower struct {
	g      *group
	t      *counts
	seq    sequence // under t.mu
	opened bool     // under t.mu: it has been
	told   bool     // under t.mu: what is missing before the next event was told of
	retry  time.Duration
	lastID string
	cancel context.CancelFunc
}

// follow keeps a connection until ctx ends.
func (f *follower) follow(ctx context.Context) {
	for ctx.Err() == nil {
		err := f.stream(ctx)
		if ctx.Err() != nil {
			return
		}
		f.t.mu.Lock()
		if f.t.errors == nil {
			f.t.errors = map[string]int{}
		}
		f.t.errors[sseClass(err)]++
		f.t.mu.Unlock()
		select {
		case <-time.After(f.retry):
		case <-ctx.Done():
		}
	}
}

// stream is one attempt to connect, and what comes of it. It ends with an error.
func (f *follower) stream(ctx context.Context) error {
	select {
	case f.g.dial <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	release := sync.OnceFunc(func() { <-f.g.dial })
	defer release()
	begin := time.Now()
	st, err := connect(ctx, f.g.url, f.lastID, f.g.o.Timeout)
	if err != nil {
		return err
	}
	defer st.conn.Close()
	defer context.AfterFunc(ctx, func() { st.conn.Close() })()
	st.begun = func() {
		release()
		f.isOpen(st.at.Sub(begin))
	}
	for {
		e, first, err := st.next()
		f.lastID = st.events.LastID()
		if err != nil {
			if d, ok := st.events.Retry(); ok {
				f.retry = min(d, f.g.o.Timeout/2)
			}
			return err
		}
		f.take(e, first, time.Now())
	}
}

func (f *follower) isOpen(after time.Duration) {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if f.opened {
		f.t.reconnects++
		return
	}
	f.opened = true
	f.t.open++
	f.t.opened.Record(int64(after))
}

// take counts an event.
func (f *follower) take(e sse.Event, first, whole time.Time) {
	var known fact
	ours := e.Type != sse.ResetEvent && e.Type != sse.GapEvent
	if ours {
		known = f.g.seen.look(e)
	}
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case e.Type == sse.ResetEvent:
		t.resets++
		f.told = true
		return
	case e.Type == sse.GapEvent:
		t.gaps++
		f.told = true
		return
	case !known.good:
		t.damaged++
		return
	}
	if f.told && known.number >= f.seq.next {
		t.told += int64(known.number - f.seq.next)
		f.told = false
	}
	how := f.seq.add(known.number)
	t.came[how]++
	if how == duplicate {
		return
	}
	t.delivered++
	t.sent += int64(len(e.Data))
	t.last = whole
	t.latency.Record(whole.UnixNano() - known.due)
	begin := first.UnixNano()
	if begin < known.due { // a heartbeat stood before it
		begin = whole.UnixNano()
	}
	t.first.Record(begin - known.due)
}
