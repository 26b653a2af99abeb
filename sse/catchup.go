package sse

import (
	"context"
	"errors"
)

// NOTE: how a connection gets from its place in the past to the present without losing or repeating
// an event. Frames enter the ring before they are passed to the shards. A connection becomes live
// while it holds its shard's lock: it finds the ring's end, and from then on the shard passes it
// all later frames. The connection may have read frames from the ring that the shard has not yet
// passed on. Such frames are recognised by their IDs and skipped (conn.wants). A reset of the ring
// in between is recognised by the generation.

// batch is the maximum number of events that a connection reads at once while it catches up.
const batch = 256

// begin starts the connection after last, the ID of the last event that the client has seen, or at
// the log's end if last is empty.
func (c *conn) begin(ctx context.Context, last string, hello []byte) error {
	if last == "" {
		// The client gets the ID at once. If it is cut off before the first event, it still misses
		// none.
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

// tuneIn makes the connection live at the log's end. It returns the ID of that end.
func (c *conn) tuneIn() ID {
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	end, gen := c.hub.ring.end()
	c.shard.tune(c, end, gen)
	return end
}

// startAnew tells the client that it may have missed events, and continues at the log's end.
func (c *conn) startAnew(why ResetReason) error {
	c.frame(newReset(c.tuneIn(), why))
	return c.send()
}

// catchUp sends the events after cursor until the connection is live or is to end.
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

// approach does the work of catchUp, except the farewell if the connection is to end.
func (c *conn) approach(ctx context.Context, cursor ID) error {
	for ctx.Err() == nil {
		frames, next, done, at := c.hub.ring.after(nil, cursor, c.gen, c.topics, batch)
		if at == within && done {
			if frames, next, done, at = c.join(frames, next); at != within {
				next, done = cursor, false // the ring has moved on before the lock was taken: try again
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
		case severed: // the hub has lost the log that the cursor belongs to
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

// errReset is returned by the steps of approach if the client must be reset.
type errReset ResetReason

func (errReset) Error() string { return "reset" }

// join appends to frames what the ring has received after cursor, at most a batch. If that reaches
// the ring's end, join makes the connection live.
func (c *conn) join(frames []*frame, cursor ID) (_ []*frame, next ID, done bool, _ where) {
	c.shard.mu.Lock()
	defer c.shard.mu.Unlock()
	frames, next, done, at := c.hub.ring.after(frames, cursor, c.gen, c.topics, batch)
	if done {
		c.shard.tune(c, next, c.gen)
	}
	return frames, next, done, at
}

// replay sends frames that were sent to other connections before. broker says that they were read
// from the broker, not from the ring.
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

// fromBroker sends the next batch of events from the broker's history. It returns the cursor after
// them.
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
		// Hub.pass has logged the invalid ones
		if f, scratch, err = newFrame(&records[i], scratch); err == nil {
			frames = append(frames, f)
		}
		cursor = records[i].ID
	}
	if len(records) < batch && end.Epoch == cursor.Epoch && end.Seq > cursor.Seq {
		cursor = end
	}
	return cursor, c.replay(ctx, frames, true)
}

// read reads a batch of the history. It first waits until fewer connections read than WithRecent
// allows. end is the ID up to which the records are complete, unless a whole batch was read.
func (h *Hub) read(ctx context.Context, topics []string, cursor ID) (end ID, _ []Record, _ error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return ID{}, nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	end, _ = h.ring.end() // Broker.Read sees all records that the tail has returned
	records, err := h.broker.Read(ctx, nil, topics, cursor, batch)
	return end, records, err
}

// waitForHub handles a cursor beyond the last record that this hub has read. The client got that ID
// from another process, whose hub is further ahead. So the connection waits until this hub has
// caught up. If the log itself ends before the cursor, its end was lost, and the client is reset.
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
		return cursor, false, nil // the hub has caught up meanwhile
	}
	c.shard.tune(c, cursor, c.gen)
	c.at = cursor
	return cursor, true, nil
}

// returnToHistory lets a slow connection catch up once its queue has overflowed and has been
// emptied.
func (c *conn) returnToHistory(ctx context.Context) error {
	if !c.detach() {
		return nil
	}
	c.recent = c.queue.policy == Disconnect
	return c.catchUp(ctx, c.at)
}

// detach takes the connection off its topics so that it can catch up. It returns false if a reset
// has come since the queue overflowed. Then the frames that were left out no longer matter, and the
// queue has all frames after the reset.
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
