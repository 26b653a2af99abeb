package redisx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zmylab/zmy/sse"
)

// batch is how many entries are read at a time.
const batch = 500

// Read implements [sse.Broker]: it appends to dst the records of the topics whose ID is greater
// than after, at most limit of them.
func (b *Broker) Read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	in, done := b.within(ctx)
	defer done()
	out, err := b.read(in, dst, topics, after, limit)
	if err != nil {
		return dst, b.fail("read after "+after.String(), cause(ctx, err))
	}
	return out, nil
}

func (b *Broker) read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	l, err := b.current(ctx)
	if err == nil {
		err = l.check(after)
	}
	if err != nil || limit <= 0 || len(topics) == 0 {
		return dst, err
	}
	out, from, end := dst, id(after.Seq), id(l.last.Seq)
	for from != end && len(out)-len(dst) < limit {
		entries, err := b.redis.XRangeN(ctx, b.log, "("+from, end, batch).Result()
		if err != nil {
			return dst, err
		}
		if len(entries) == 0 {
			break
		}
		for _, e := range entries {
			r, ours, err := record(l.last.Epoch, e)
			if err != nil {
				return dst, err
			}
			if from = e.ID; ours && slices.Contains(topics, r.Topic) && len(out)-len(dst) < limit {
				out = append(out, r)
			}
		}
	}
	// Records that were trimmed meanwhile are missing without an error, so check again.
	if l, err = b.current(ctx); err == nil {
		err = l.check(after)
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

func id(seq uint64) string { return strconv.FormatUint(seq, 10) + "-0" }

// Tail returns a tail of the records whose ID is greater than after. If after is the zero ID, the
// tail begins at the log's end.
func (b *Broker) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	in, done := b.within(ctx)
	defer done()
	l, err := b.current(in)
	if err == nil && after == (sse.ID{}) {
		after = l.last
	}
	if err == nil {
		err = l.check(after)
	}
	if err == nil {
		l, err = b.look(in, after.Seq)
	}
	if err != nil {
		return nil, b.fail("tail after "+after.String(), cause(ctx, err))
	}
	t := &tail{b: b, after: after, batches: make(chan result), at: after, from: id(after.Seq), written: l.written}
	t.life, t.end = context.WithCancel(b.life)
	go t.follow()
	return t, nil
}

// tail has a goroutine that blocks in XREAD. A client of Redis cannot interrupt such a call, so the
// goroutine may end later than the tail, by at most the duration block.
type tail struct {
	b       *Broker
	after   sse.ID
	life    context.Context // ends with Close, or with the broker's Close
	end     context.CancelFunc
	batches chan result
	err     error // why the tail has ended; only the goroutine that calls Next uses it

	// Only the goroutine follow uses the fields below.
	at      sse.ID // ID of the last record read
	from    string // ID of the last entry read, which may be another program's
	written string // when the last record was published, as in its field; empty if that is not known
}

// result is records or an error. If the error says that the log was lost, it is the last result.
type result struct {
	records []sse.Record
	err     error
}

func (t *tail) After() sse.ID { return t.after }

func (t *tail) Close() error {
	t.end()
	return nil
}

const (
	// block is how long one XREAD waits. After it the tail checks its log.
	block = 2 * time.Second
	// again is the pause after an error of the connection.
	again = 250 * time.Millisecond
)

// Next waits for the next records.
func (t *tail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	if t.err != nil {
		return dst, t.err
	}
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	select {
	case r := <-t.batches:
		if lost(r.err) {
			t.err = r.err
		}
		return append(dst, r.records...), r.err
	case <-t.life.Done():
		t.err = fmt.Errorf("redisx: tail after %s: %w", t.after, sse.ErrClosed)
		return dst, t.err
	case <-ctx.Done():
		return dst, ctx.Err()
	}
}

func lost(err error) bool { return errors.Is(err, sse.ErrTrimmed) || errors.Is(err, sse.ErrEpoch) }

// follow reads until the tail is closed or its log is lost.
func (t *tail) follow() {
	for t.life.Err() == nil {
		records, err := t.read()
		if err == nil && len(records) == 0 {
			continue
		}
		if err != nil {
			err = fmt.Errorf("redisx: tail after %s: %w", t.at, err)
		}
		select {
		case t.batches <- result{records, err}:
		case <-t.life.Done():
			return
		}
		switch {
		case lost(err):
			return
		case err == nil:
			last := records[len(records)-1]
			t.at, t.written = last.ID, strconv.FormatInt(last.Time.UnixNano(), 10)
			continue
		}
		select {
		case <-t.life.Done():
		case <-time.After(again):
		}
	}
}

// read reads the entries that follow the last one read. It waits for them at most the duration
// block, and then checks that the log is still the same.
func (t *tail) read() ([]sse.Record, error) {
	streams, err := t.b.redis.XRead(t.life, &redis.XReadArgs{Streams: []string{t.b.log, t.from}, Count: batch, Block: block}).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	// This must come after XREAD: if the log was replaced before the entries were read, it has
	// another epoch by now.
	l, err := t.b.look(t.life, t.at.Seq)
	if err != nil {
		return nil, err
	}
	switch wrong := l.check(t.at); {
	case errors.Is(wrong, sse.ErrEpoch):
		return nil, wrong
	case errors.Is(wrong, sse.ErrFuture): // Redis has lost its last entries, and numbers will be assigned again
		return nil, sse.ErrTrimmed
	case l.written != t.written && l.written != "" && t.written != "": // numbers were assigned again already
		return nil, sse.ErrTrimmed
	}
	var out []sse.Record
	seq, from := t.at.Seq, t.from
	for _, s := range streams {
		for _, e := range s.Messages {
			r, ours, err := record(t.at.Epoch, e)
			if err != nil {
				return nil, err
			}
			if from = e.ID; !ours {
				continue
			}
			if r.ID.Seq != seq+1 {
				return nil, sse.ErrTrimmed // numbers are consecutive, so missing ones were trimmed
			}
			out, seq = append(out, r), r.ID.Seq
		}
	}
	t.from = from
	return out, nil
}
