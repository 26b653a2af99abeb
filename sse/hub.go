package sse

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/codec"
)

// NOTE: the way of an event. The goroutine of follow gets records from the tail, makes frames of
// them, and hands these to the ring and to every shard. The goroutine of a shard puts them into the
// queues of its connections and never waits for one. The goroutine of a request's handler takes
// frames out of its queue and writes them (conn.go). Events that its queue did not get are read
// from the ring or the broker (catchup.go).
//
// A goroutine that needs several locks locks a shard first, and then the ring or a queue.

// Hub passes the events of a broker on to connections. It follows the whole log with one tail. It
// makes one frame of each event and shares the frame among all connections that get the event.
type Hub struct {
	opts   options
	broker Broker
	owned  bool // Open made the broker, so the hub closes it
	ring   ring
	shards []*shard
	next   atomic.Uint32 // index of the shard for the next connection, modulo their number
	slots  chan struct{} // one element for each connection that is reading history from the broker
	count  counters
	start  time.Time

	stop    context.CancelFunc // ends following the broker
	running sync.WaitGroup     // the goroutines of the hub

	mu      sync.Mutex
	serving int
	closing bool
	idle    chan struct{} // closed when closing is set and serving is 0
}

// Open returns a hub that follows b from the end of its log on. If b is nil, the hub makes a
// [Memory] of its own. ctx is used for opening only. Close or Shutdown end the hub; they do not
// close b.
func Open(ctx context.Context, b Broker, opts ...Option) (*Hub, error) {
	h := &Hub{opts: defaults(), broker: b, start: time.Now(), idle: make(chan struct{})}
	for _, set := range opts {
		set(&h.opts)
	}
	if b == nil {
		h.broker, h.owned = NewMemory(MemoryOptions{}), true
	}
	tail, err := h.broker.Tail(ctx, ID{})
	if err != nil {
		return nil, fmt.Errorf("sse: open hub: %w", err)
	}
	h.slots = make(chan struct{}, h.opts.replays)
	h.ring.maxFrames, h.ring.maxBytes = h.opts.ringFrames, h.opts.ringByte
	gen := h.ring.reset(tail.After())
	for range min(runtime.GOMAXPROCS(0), 16) {
		s := &shard{hub: h, inbox: make(chan []*frame, 16), last: tail.After(), gen: gen, topics: map[string]*audience{}}
		h.shards = append(h.shards, s)
		h.running.Go(s.run)
	}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	h.stop = stop
	h.running.Go(func() { h.follow(following, tail) })
	return h, nil
}

// clock returns the time since the hub was opened, in nanoseconds.
func (h *Hub) clock() int64 { return int64(time.Since(h.start)) }

// Publish adds m to the log of topic. It returns the ID once the broker has stored m. m.Data must
// not be changed afterwards.
func (h *Hub) Publish(ctx context.Context, topic string, m Message) (ID, error) {
	err := CheckTopic(topic)
	if err == nil {
		err = checkType(m.Type)
	}
	if err == nil && len(m.Data) > h.opts.maxEvent {
		err = fmt.Errorf("sse: publish to %q: %w: %d bytes of data, of at most %d; raise WithMaxEvent or publish less",
			topic, ErrTooLarge, len(m.Data), h.opts.maxEvent)
	}
	if err != nil {
		return ID{}, err
	}
	begin := time.Now()
	id, err := h.broker.Append(ctx, topic, m)
	if f := h.opts.metrics.Publish; f != nil {
		f(len(m.Data), time.Since(begin), err)
	}
	if err != nil {
		return ID{}, fmt.Errorf("sse: publish to %q: %w", topic, err)
	}
	h.count.published.Add(1)
	return id, nil
}

// PublishValue marshals v with c and publishes it: as text if c's media type is a text type (see
// [IsText]), else as binary data. A codec that uses a context is given ctx. The other fields of the
// message are those of m; m.Data is ignored.
func (h *Hub) PublishValue(ctx context.Context, topic string, m Message, c codec.Codec, v any) (ID, error) {
	data, err := codec.WithContext(ctx, c).Marshal(v)
	if err != nil {
		return ID{}, fmt.Errorf("sse: publish to %q: %w", topic, err)
	}
	m.Data, m.Binary = data, !IsText(c)
	return h.Publish(ctx, topic, m)
}

// follow passes on the tail's records until ctx ends or the broker is closed.
func (h *Hub) follow(ctx context.Context, tail Tail) {
	defer func() {
		_ = tail.Close()
		for _, s := range h.shards {
			close(s.inbox)
		}
	}()
	at := tail.After()
	var records []Record
	var scratch []byte
	pause := newBackoff(50*time.Millisecond, 5*time.Second)
	lost := false // the live log was lost, and no record has come since
	for {
		var err error
		records, err = tail.Next(ctx, records[:0])
		if len(records) > 0 {
			lost = false
			pause.reset()
			at = records[len(records)-1].ID
			scratch = h.pass(records, scratch)
			clear(records)
		}
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrClosed):
			h.opts.log.Error("sse: the broker is closed; the hub ends", "error", err)
			h.endAll(ReasonBroker)
			return
		case errors.Is(err, ErrTrimmed), errors.Is(err, ErrEpoch):
			h.opts.log.Warn("sse: the live log was lost; all connections are reset", "after", at.String(), "error", err)
			why := ResetTrimmed
			if errors.Is(err, ErrEpoch) {
				why = ResetEpoch
			}
			_ = tail.Close()
			if lost { // lost again: do not make clients fetch their state over and over without a pause
				pause.wait(ctx)
			}
			lost = true
			anew, err := h.tailAnew(ctx, pause)
			if err != nil {
				return
			}
			tail = anew
			at = tail.After()
			h.resetAll(at, why)
		default:
			h.opts.log.Warn("sse: the broker fails; trying again", "after", at.String(), "error", err)
			pause.wait(ctx)
		}
	}
}

// tailAnew opens a tail at the log's end. It tries until it succeeds, ctx ends or the broker is
// closed.
func (h *Hub) tailAnew(ctx context.Context, pause *backoff) (Tail, error) {
	for {
		tail, err := h.broker.Tail(ctx, ID{})
		if err == nil {
			return tail, nil
		}
		if ctx.Err() != nil || errors.Is(err, ErrClosed) {
			h.endAll(ReasonBroker)
			return nil, err
		}
		h.opts.log.Warn("sse: the broker cannot be followed; trying again", "error", err)
		pause.wait(ctx)
	}
}

// pass makes one frame of each record and hands the frames to the ring and to every shard. It
// returns scratch for the next call.
func (h *Hub) pass(records []Record, scratch []byte) []byte {
	frames := make([]*frame, 0, len(records))
	for i := range records {
		f, buf, err := newFrame(&records[i], scratch)
		scratch = buf
		if err != nil {
			h.count.invalid.Add(1)
			h.opts.log.Warn("sse: a record in the log is no event and is left out", "id", records[i].ID.String(),
				"topic", records[i].Topic, "error", err)
			continue
		}
		frames = append(frames, f)
	}
	h.count.events.Add(uint64(len(records)))
	h.count.encoded.Add(uint64(len(frames)))
	h.ring.add(frames, records[len(records)-1].ID) // before the shards, see the NOTE in catchup.go
	for _, s := range h.shards {
		s.inbox <- frames
	}
	return scratch
}

func (h *Hub) resetAll(at ID, why ResetReason) {
	f := newReset(at, why)
	f.gen = h.ring.reset(at)
	for _, s := range h.shards {
		s.inbox <- []*frame{f}
	}
}

func (h *Hub) wasReset(why ResetReason) {
	h.count.resets.Add(1)
	if f := h.opts.metrics.Reset; f != nil {
		f(why)
	}
}

func (h *Hub) drop(events int) {
	h.count.dropped.Add(uint64(events))
	if f := h.opts.metrics.Drop; f != nil {
		f(events)
	}
}

// Shutdown ends all connections, spread over the time of [WithDrain] or until ctx ends, so that
// their clients do not all reconnect at once. Requests that come meanwhile are told to come back
// later. Shutdown returns when all connections and the hub have ended. If ctx ends first, it ends
// the remaining connections at once and returns an error that wraps the context's. Call it before
// the HTTP server's Shutdown, which waits for open responses.
func (h *Hub) Shutdown(ctx context.Context) error {
	h.refuseMore()
	h.drainConns(ctx)
	h.endAll(ReasonShutdown)
	return h.finish(ctx)
}

// Close ends all connections at once and returns when the hub has ended. That takes at most the
// time that one write may take ([WithWriteTimeout]).
func (h *Hub) Close() error {
	h.refuseMore()
	h.endAll(ReasonShutdown)
	return h.finish(context.Background())
}

func (h *Hub) refuseMore() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return
	}
	h.closing = true
	if h.serving == 0 {
		close(h.idle)
	}
}

func (h *Hub) isClosing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closing
}

// drainConns ends the connections one by one, in random order, evenly spread over the drain time.
func (h *Hub) drainConns(ctx context.Context) {
	conns := h.conns()
	rand.Shuffle(len(conns), func(i, j int) { conns[i], conns[j] = conns[j], conns[i] })
	begin := time.Now()
	for i, c := range conns {
		due := begin.Add(h.opts.drain * time.Duration(i) / time.Duration(len(conns)))
		if d := time.Until(due); d > 0 {
			select {
			case <-time.After(d):
			case <-ctx.Done():
				return
			case <-h.idle: // all have left by themselves
				return
			}
		}
		c.queue.stop(ReasonShutdown)
	}
}

func (h *Hub) conns() (all []*conn) {
	for _, s := range h.shards {
		s.mu.Lock()
		all = append(all, s.conns...)
		s.mu.Unlock()
	}
	return all
}

func (h *Hub) endAll(why Reason) {
	h.refuseMore()
	for _, c := range h.conns() {
		c.queue.stop(why)
	}
}

// finish waits for the handlers, and then for the hub's own goroutines.
func (h *Hub) finish(ctx context.Context) error {
	var err error
	select {
	case <-h.idle:
	case <-ctx.Done():
		err = fmt.Errorf("sse: shutdown: %w", ctx.Err())
	}
	h.stop()
	h.running.Wait()
	if h.owned {
		_ = h.broker.Close()
	}
	return err
}

// backoff is a waiting time that doubles with each wait, up to most. Each wait is randomly up to
// half shorter or longer.
type backoff struct{ now, first, most time.Duration }

func newBackoff(first, most time.Duration) *backoff { return &backoff{first, first, most} }

func (b *backoff) reset() { b.now = b.first }

func (b *backoff) wait(ctx context.Context) {
	d := spread(b.now, b.now/2)
	b.now = min(2*b.now, b.most)
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// spread returns a random time from [d-by, d+by).
func spread(d, by time.Duration) time.Duration {
	if by <= 0 {
		return d
	}
	return d - by + rand.N(2*by)
}

func dedup(topics []string) []string {
	out := make([]string, 0, len(topics))
	seen := make(map[string]bool, len(topics))
	for _, t := range topics {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
