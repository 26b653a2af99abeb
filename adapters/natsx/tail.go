package natsx

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/sse"
)

// NOTE: what a tail can lose. If its consumer is lost, final drops it, and next makes another one,
// which begins after the last record. If the log was replaced or trimmed, log.check finds that, and
// the tail ends. Servers that have lost their last records assign the numbers again. As long as the
// log ends before the last record of the tail, log.check finds that. Once the log has grown beyond
// that record's number, recognise finds it.

// Tail returns a tail of the records whose ID is greater than after. If after is the zero ID, the
// tail begins at the log's end.
func (b *Broker) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	l, err := b.current(ctx)
	if err == nil && after == (sse.ID{}) {
		after = sse.ID{Epoch: l.epoch, Seq: l.last}
	}
	if err == nil {
		err = l.check(after)
	}
	if err != nil {
		return nil, b.fail("tail after "+after.String(), err)
	}
	t := &tail{b: b, after: after, at: after, connection: b.connection()}
	t.life, t.end = context.WithCancel(b.life)
	if t.written, err = b.written(ctx, after); err == nil {
		err = t.open(ctx)
	}
	if err != nil {
		t.end()
		return nil, b.fail("tail after "+after.String(), err)
	}
	return t, nil
}

// tail has one consumer of the whole stream. If the consumer is lost, the tail makes another one
// that begins after the last record.
type tail struct {
	b     *Broker
	after sse.ID
	life  context.Context // ends with Close, or with the broker's Close
	end   context.CancelFunc

	// Only the goroutine that calls Next uses the fields below.
	at    sse.ID // ID of the last record returned
	it    jetstream.MessagesContext
	leave func()    // stops the iterator it and deletes its consumer
	held  *stored   // a message taken from the iterator, but not yet returned
	heard time.Time // when a record came, the log was checked or waiting began, whichever is latest
	err   error     // why the tail has ended

	written    time.Time // when the last record was published, zero if that is not known
	connection uint64    // the connection for which recognise has checked the last record
}

func (t *tail) After() sse.ID { return t.after }

// Close ends the tail and its consumer.
func (t *tail) Close() error {
	t.end()
	return nil
}

func (t *tail) open(ctx context.Context) error {
	c, err := t.b.js.OrderedConsumer(ctx, t.b.o.stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{t.b.subject(t.at.Epoch, ">")}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq: t.at.Seq + 1, MaxResetAttempts: 2, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return t.b.wrongEpoch(ctx, t.at.Epoch, err)
	}
	it, err := c.Messages(jetstream.PullMaxMessages(1000))
	if err != nil {
		t.b.dismiss(c)
		return err
	}
	end := sync.OnceFunc(func() {
		it.Stop()
		t.b.dismiss(c)
	})
	detach := context.AfterFunc(t.life, end) // Close must stop the iterator even if Next is not waiting
	t.it, t.leave, t.held = it, func() { detach(); end() }, nil
	return nil
}

const (
	// lookAfter is the time without a record after which the tail checks its log.
	lookAfter = 5 * time.Second
	// again is the least time that next waits for a record. It is also the pause before a lost
	// consumer is made again.
	again = 250 * time.Millisecond
)

// Next waits for the next record.
func (t *tail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	if t.err != nil {
		return dst, t.err
	}
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	wait, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(t.life, stop)()
	if t.heard.IsZero() {
		t.heard = time.Now()
	}
	for {
		r, err := t.next(wait)
		if err == nil {
			t.at, t.written, t.heard = r.ID, r.Time, time.Now()
			return append(dst, r), nil
		}
		if final := t.final(ctx, err); final != nil {
			return dst, final
		}
	}
}

// next returns one record, or an error that final judges.
func (t *tail) next(ctx context.Context) (sse.Record, error) {
	if t.it == nil {
		if err := t.open(ctx); err != nil {
			return sse.Record{}, err
		}
	}
	wait := max(time.Until(t.heard.Add(lookAfter)), again) // counts across calls, as each call may wait for less
	look, stop := context.WithTimeout(ctx, wait)
	defer stop()
	if t.held == nil {
		m, err := t.it.Next(jetstream.NextContext(look))
		if err != nil {
			return sse.Record{}, err
		}
		s, _, err := delivered(m)
		if err != nil {
			return sse.Record{}, err
		}
		t.held = &s
	}
	r, err := t.b.record(t.at.Epoch, *t.held)
	if err == nil && r.ID.Seq != t.at.Seq+1 {
		err = sse.ErrTrimmed // the tail gets all records of the stream, so missing ones were trimmed
	}
	if err == nil {
		err = t.recognise(ctx)
	}
	if err == nil {
		t.held = nil
	}
	return r, err
}

// recognise checks, once after each loss of the connection, whether the log still has the last
// record. Servers that come back without their unsynced records assign the number of a lost record
// to a new one.
func (t *tail) recognise(ctx context.Context) error {
	now := t.b.connection()
	if now == t.connection {
		return nil
	}
	if !t.written.IsZero() {
		written, err := t.b.written(ctx, t.at)
		if err != nil {
			return err
		}
		if !written.IsZero() && !written.Equal(t.written) {
			return sse.ErrTrimmed
		}
	}
	t.connection = now
	return nil
}

// connection returns a number that changes whenever the broker reconnects.
func (b *Broker) connection() uint64 { return b.conn.Stats().Reconnects }

// written returns when the record with the ID at was published, or the zero time if the log no
// longer has it.
func (b *Broker) written(ctx context.Context, at sse.ID) (time.Time, error) {
	if at.Seq == 0 {
		return time.Time{}, nil
	}
	stream, err := b.js.Stream(ctx, b.o.stream)
	if err != nil {
		return time.Time{}, err
	}
	m, err := stream.GetMsg(ctx, at.Seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	r, err := b.record(at.Epoch, stored{m.Sequence, m.Time, m.Subject, m.Header, m.Data})
	return r.Time, err
}

// final decides what to do after an error. It returns nil to continue, an error that ends the tail,
// or an error after which the caller may try again.
func (t *tail) final(ctx context.Context, err error) error {
	end := func(err error) error {
		if t.it != nil {
			t.leave()
		}
		t.err = t.b.fail("tail after "+t.at.String(), err)
		return t.err
	}
	if t.life.Err() != nil {
		return end(sse.ErrClosed)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, sse.ErrTrimmed) || errors.Is(err, sse.ErrEpoch) {
		return end(err)
	}
	quiet := errors.Is(err, context.DeadlineExceeded) // no record has come
	t.heard = time.Now()
	l, lerr := t.b.current(ctx)
	if lerr == nil {
		switch wrong := l.check(t.at); wrong {
		case sse.ErrEpoch, sse.ErrTrimmed:
			return end(wrong)
		case sse.ErrFuture: // servers have lost unsynced records, and numbers will be assigned again
			return end(sse.ErrTrimmed)
		}
	}
	if quiet && lerr == nil && l.last == t.at.Seq {
		return nil
	}
	// The consumer is lost, or does not deliver what is there: drop it. Next makes another one that
	// begins after the last record.
	if t.it != nil {
		t.leave()
		t.it = nil
	}
	select {
	case <-ctx.Done():
	case <-t.life.Done():
	case <-time.After(again):
	}
	if lerr != nil && ctx.Err() == nil {
		return t.b.fail("tail after "+t.at.String(), lerr)
	}
	return nil
}
