package sse

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// conn is one connection. Only the goroutine of its handler writes to it.
type conn struct {
	hub    *Hub
	shard  *shard
	topics topicSet
	queue  queue
	out    out
	at     ID   // ID of the last frame that was written
	recent bool // it was slow, and is to end when it falls behind the hub's recent events

	// Guarded by the shard's lock.
	index int
	live  bool
	gen   uint64 // generation of the ring to which skip belongs
	skip  ID     // the client already has the frames of gen up to here
	seats []seat

	lastWrite atomic.Int64 // time of the last write, by Hub.clock
}

// wants reports whether c, which must be live, has not been sent f yet. The caller holds the
// shard's lock.
func (c *conn) wants(f *frame) bool {
	return c.live && (f.gen > c.gen || f.gen == c.gen && f.id.Seq > c.skip.Seq)
}

// serve writes events until the connection ends, and returns why it ended.
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
	if h.isClosing() { // endAll may have run before the shard knew c
		c.queue.stop(ReasonShutdown)
	}
	// The first bytes are a comment, so that proxies and clients see the headers at once.
	hello := AppendRetry(AppendComment(nil, "ok"), spread(h.opts.retry, h.opts.retry/3))
	if err := c.begin(ctx, last, hello); err != nil {
		return c.why(ctx, err)
	}
	return c.why(ctx, c.follow(ctx))
}

// errEnded says that the connection was told to end; the queue knows the reason.
var errEnded = errors.New("ended")

// why returns the reason for the end of a connection whose serving returned err.
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

// follow writes the frames that the shard puts into the queue, until the connection ends.
func (c *conn) follow(ctx context.Context) error {
	var t taken
	var held *time.Timer // runs while the flush policy holds events back
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

// writeTaken writes what was taken out of the queue together.
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
			break // a client that reads slowly could delay the end at each frame
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

// settle ends a run of writes: it flushes unless the policy holds events back, and clears the
// deadline.
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

// account updates the hub's counts after a write and flush.
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
			lag = max(time.Since(o.oldest), 0) // the time of a broker's record is by another machine's clock
		}
		f(o.events, o.written, lag)
	}
	o.events, o.written, o.oldest = 0, 0, time.Time{}
	return nil
}

// farewell flushes. If the hub is being closed, it first tells the client when to reconnect.
func (c *conn) farewell(why Reason) {
	if why == ReasonShutdown {
		c.out.write(AppendRetry(nil, spread(c.hub.opts.retry, c.hub.opts.retry/3)))
	}
	c.out.flush()
}
