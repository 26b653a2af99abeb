package sse

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// conn is one connection: its handler's goroutine is the only one that writes.
type conn struct {
	hub    *Hub
	shard  *shard
	topics topicSet
	queue  queue
	out    out
	at     ID   // of what was written last
	recent bool // it is slow, and ends when it falls behind the hub's recent events

	// Guarded by the shard's lock.
	index int
	live  bool
	gen   uint64 // of the ring that its place belongs to
	skip  ID     // frames of gen up to here were sent when it became live
	seats []seat

	lastWrite atomic.Int64 // by the hub's clock
}

// wants reports whether f lies behind all that c had when it became live. The shard's lock is held.
func (c *conn) wants(f *frame) bool {
	return c.live && (f.gen > c.gen || f.gen == c.gen && f.id.Seq > c.skip.Seq)
}

// serve writes events until the connection ends.
func (c *conn) serve(ctx context.Context, last string) (Reason, error) {
	h := c.hub
	c.lastWrite.Store(h.clock())
	if f := h.opts.metrics.Connect; f != nil {
		f()
	}
	c.shard = h.shards[int(h.next.Add(1))%len(h.shards)]
	_, c.gen = h.ring.end()
	c.shard.enter(c)
	defer c.shard.leave(c)
	select {
	case <-h.ending: // all that were known were told before c was
		c.queue.stop(ReasonShutdown)
	default:
	}
	// The first bytes are a comment, so that proxies and clients see the headers at once.
	hello := AppendRetry(AppendComment(nil, "ok"), spread(h.opts.retry, h.opts.retry/3))
	if err := c.begin(ctx, last, hello); err != nil {
		return c.why(ctx, err)
	}
	return c.why(ctx, c.follow(ctx))
}

// errEnded says that the queue tells why.
var errEnded = errors.New("ended")

// why gives the end of a connection its reason.
func (c *conn) why(ctx context.Context, err error) (Reason, error) {
	if c.out.late() {
		return ReasonWrite, c.out.failed
	}
	if ctx.Err() != nil || c.out.failed != nil {
		return ReasonClient, nil
	}
	end := c.queue.ended()
	switch {
	case errors.Is(err, errEnded) && end == ReasonSlow:
		return end, errors.New("the client reads more slowly than events come; it is to come back with its last event ID")
	case errors.Is(err, errEnded):
		return end, err
	}
	return ReasonBroker, err
}

func (c *conn) ended(why Reason, open time.Duration) {
	c.out.last()
	if why == ReasonSlow || why == ReasonWrite {
		c.hub.count.slow.Add(1)
	}
	if f := c.hub.opts.metrics.Disconnect; f != nil {
		f(why, open)
	}
}

// follow writes what the queue gets.
func (c *conn) follow(ctx context.Context) error {
	var t taken
	var held *time.Timer // runs while events are held back
	var due <-chan time.Time
	for {
		t = c.queue.take(t.frames)
		switch {
		case t.end != "":
			c.farewell(t.end)
			return errEnded
		case len(t.frames) > 0 || t.gap.dropped > 0 || t.behind:
			if err := c.writeTaken(ctx, t); err != nil {
				return err
			}
			continue // more may have come
		}
		if delay := c.out.policy.MaxDelay; c.out.unflushed > 0 && delay > 0 {
			if due == nil {
				if held == nil {
					held = time.NewTimer(delay)
					defer held.Stop()
				} else {
					held.Reset(delay)
				}
				due = held.C
			}
		} else if due != nil {
			held.Stop()
			due = nil
		}
		select {
		case <-c.queue.wake:
		case <-due:
			due = nil
			if err := c.send(); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// writeTaken writes what was taken out of the queue at once.
func (c *conn) writeTaken(ctx context.Context, t taken) error {
	frames := t.frames
	if len(frames) > 0 && frames[0].kind == resetFrame {
		c.frame(frames[0])
		frames = frames[1:]
	}
	if t.gap.dropped > 0 {
		c.frame(t.gap.frame())
	}
	for i, f := range frames {
		if i > 0 && c.queue.ended() != "" {
			break // one that reads slowly is not waited for again and again
		}
		c.frame(f)
	}
	if err := c.settle(); err != nil || !t.behind {
		return err
	}
	return c.returnToHistory(ctx)
}

func (c *conn) frame(f *frame) {
	if f.kind == resetFrame {
		c.hub.wasReset(f.why)
	}
	if f != comment {
		c.at = f.id
	}
	c.out.frame(f)
}

// settle ends a run of writes: what may not be held back is flushed, and the deadline is cleared.
func (c *conn) settle() error {
	if c.out.policy.MaxDelay == 0 {
		return c.send()
	}
	c.out.rest()
	return c.account()
}

func (c *conn) send() error {
	c.out.flush()
	c.out.rest()
	return c.account()
}

// account adds what was written to the hub's counts.
func (c *conn) account() error {
	o, h := &c.out, c.hub
	if o.failed != nil {
		return o.failed
	}
	c.lastWrite.Store(h.clock())
	if o.unflushed > 0 {
		return nil
	}
	c.shard.delivered.Add(uint64(o.events))
	c.shard.bytes.Add(uint64(o.written))
	if f := h.opts.metrics.Write; f != nil {
		lag := time.Duration(0)
		if !o.oldest.IsZero() {
			lag = max(time.Since(o.oldest), 0) // a broker's time is another machine's clock
		}
		f(o.events, o.written, lag)
	}
	o.events, o.written, o.oldest = 0, 0, time.Time{}
	return nil
}

// farewell tells those who are sent away by a hub that ends when to come back.
func (c *conn) farewell(why Reason) {
	if why == ReasonShutdown {
		c.out.write(AppendRetry(nil, spread(c.hub.opts.retry, c.hub.opts.retry/3)))
	}
	c.out.flush()
}
