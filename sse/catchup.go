package sse

import (
	"context"
	"errors"
)

// NOTE: how a connection comes from its place in the past to the present without a loss or a
// repetition. Frames enter the ring before they are passed to the shards. A connection that,
// holding its shard's lock, finds the ring's end and becomes live there is passed all later frames;
// those it has read already and the shard has yet to pass are told by their IDs and skipped
// (conn.wants). A reset of the ring between the two is told by the generation.

// batch is how many events are sent again at once.
const batch = 256

// begin brings the connection to life behind the event that the client has seen last.
func (c *conn) begin(ctx context.Context, last string, hello []byte) error {
	if last == "" {
		// The ID lets a client that sees no event before it is cut off miss none.
		c.at = c.tuneIn()
		hello, _ = AppendID(hello, c.at.String())
		c.out.write(hello)
		return c.send()
	}
	c.out.write(hello)
	if err := c.send(); err != nil {
		return err
	}
	id, ok := ParseID(last)
	if !ok {
		return c.startAnew(ResetUnknown)
	}
	return c.catchUp(ctx, id)
}

// tuneIn makes the connection live at the log's end, which it returns.
func (c *conn) tuneIn() ID {
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	end, gen := c.hub.ring.end()
	c.shard.tune(c, end, gen)
	return end
}

// startAnew tells the client that it may have missed something, and continues with
// what comes from now on.
func (c *conn) startAnew(why ResetReason) error {
	c.frame(newReset(c.tuneIn(), why))
	return c.send()
}

// catchUp sends what lies behind cursor until the connection is live, or is to end.
func (c *conn) catchUp(ctx context.Context, cursor ID) error {
	ctx, release := c.queue.interruptible(ctx)
	defer release()
	err := c.approach(ctx, cursor)
	if end := c.queue.ended(); end != "" && c.out.failed == nil {
		c.farewell(end)
		return errEnded
	}
	return err
}

// approach is catchUp without its end.
func (c *conn) approach(ctx context.Context, cursor ID) error {
	for ctx.Err() == nil {
		frames, next, done, at := c.hub.ring.after(nil, cursor, c.gen, c.topics, batch)
		if at == within && done {
			if frames, next, done, at = c.join(frames, next); at != within {
				next, done = cursor, false // a moment of bad luck: once more
				frames = nil
			}
		}
		var err error
		switch at {
		case within:
			err = c.replay(ctx, frames, false)
		case below:
			if c.recent {
				c.queue.stop(ReasonSlow)
				return errEnded
			}
			next, err = c.fromBroker(ctx, cursor)
		case beyond:
			next, done, err = c.waitForHub(ctx, cursor)
		case apart:
			err = errReset(ResetEpoch)
		case severed: // the hub has lost the log in which the cursor is a place
			err = errReset(ResetTrimmed)
		}
		if why, ok := err.(errReset); ok {
			return c.startAnew(ResetReason(why))
		}
		if err != nil || done {
			return err
		}
		cursor = next
	}
	return ctx.Err()
}

// errReset ends catching up.
type errReset ResetReason

func (errReset) Error() string { return "reset" }

// join adds what came meanwhile to frames and, unless that is too much, makes the
// connection live.
func (c *conn) join(frames []*frame, cursor ID) (_ []*frame, next ID, done bool, _ where) {
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	frames, next, done, at := c.hub.ring.after(frames, cursor, c.gen, c.topics, batch)
	if done {
		c.shard.tune(c, next, c.gen)
	}
	return frames, next, done, at
}

// replay sends frames that had been sent to others before.
func (c *conn) replay(ctx context.Context, frames []*frame, broker bool) error {
	if len(frames) == 0 {
		return nil
	}
	for _, f := range frames {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.frame(f)
	}
	c.hub.count.replayed.Add(uint64(len(frames)))
	if f := c.hub.opts.metrics.Replay; f != nil {
		f(len(frames), broker)
	}
	return c.settle()
}

// fromBroker sends the next events of the history.
func (c *conn) fromBroker(ctx context.Context, cursor ID) (ID, error) {
	end, records, err := c.hub.read(ctx, c.topics.list, cursor)
	switch {
	case errors.Is(err, ErrTrimmed):
		return cursor, errReset(ResetTrimmed)
	case errors.Is(err, ErrEpoch):
		return cursor, errReset(ResetEpoch)
	case errors.Is(err, ErrFuture):
		return cursor, errReset(ResetFuture)
	case err != nil:
		return cursor, err
	}
	frames := make([]*frame, 0, len(records))
	var scratch []byte
	for i := range records {
		var f *frame
		if f, scratch, err = newFrame(&records[i], scratch); err == nil { // the live log has told of others
			frames = append(frames, f)
		}
		cursor = records[i].ID
	}
	if len(records) < batch && end.Epoch == cursor.Epoch && end.Seq > cursor.Seq {
		cursor = end
	}
	return cursor, c.replay(ctx, frames, true)
}

// read reads a batch of the history, as soon as few enough do. end is up to where it sees all that
// there is.
func (h *Hub) read(ctx context.Context, topics []string, cursor ID) (end ID, _ []Record, _ error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return ID{}, nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	end, _ = h.ring.end() // what the tail has returned, reading sees
	records, err := h.broker.Read(ctx, nil, topics, cursor, batch)
	return end, records, err
}

// waitForHub is for a client that has seen more than this hub: of another process whose
// tail is ahead, unless it is of a log that has lost its end.
func (c *conn) waitForHub(ctx context.Context, cursor ID) (next ID, done bool, _ error) {
	last, err := c.hub.broker.Last(ctx)
	switch {
	case err != nil:
		return cursor, false, err
	case last.Epoch != cursor.Epoch:
		return cursor, false, errReset(ResetEpoch)
	case last.Seq < cursor.Seq:
		return cursor, false, errReset(ResetFuture)
	}
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	if _, _, _, at := c.hub.ring.after(nil, cursor, c.gen, topicSet{}, 0); at != beyond {
		return cursor, false, nil // the hub has come so far meanwhile
	}
	c.shard.tune(c, cursor, c.gen)
	c.at = cursor
	return cursor, true, nil
}

// returnToHistory is how a slow connection goes on once its queue has overflowed and is empty
// again.
func (c *conn) returnToHistory(ctx context.Context) error {
	if !c.detach() {
		return nil
	}
	c.recent = c.queue.policy == Disconnect
	return c.catchUp(ctx, c.at)
}

// detach is false if a reset has come since: what was left out does not matter any more, and what
// has come behind the reset is in the queue.
func (c *conn) detach() bool {
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	if !c.queue.behind || len(c.queue.frames) > 0 {
		return false
	}
	c.queue.behind = false
	c.shard.mute(c)
	return true
}
