package natsx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/zmylab/zmy/sse"
)

// Read implements [sse.Broker]: it appends to dst the records of the topics whose ID is greater
// than after, at most limit of them.
func (b *Broker) Read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	out, err := b.read(ctx, dst, topics, after, limit)
	if err != nil {
		return dst, b.fail("read after "+after.String(), err)
	}
	return out, nil
}

func (b *Broker) read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	l, err := b.current(ctx)
	if err != nil {
		return dst, err
	}
	if err := l.check(after); err != nil {
		return dst, err
	}
	if len(topics) == 0 || limit <= 0 || after.Seq == l.last {
		return dst, nil
	}
	subjects := make([]string, 0, len(topics))
	for _, topic := range topics {
		if s := b.subject(l.epoch, escape(topic)); !slices.Contains(subjects, s) {
			subjects = append(subjects, s)
		}
	}
	out, err := b.consume(ctx, dst, l, subjects, after.Seq, limit)
	if err == nil && l.replicas > 1 && len(out)-len(dst) < limit {
		out, err = b.rest(ctx, out, len(dst), l, subjects, after.Seq, limit)
	}
	if err != nil {
		return dst, err
	}
	// The consumer skips records that were trimmed meanwhile, without an error. So check again.
	now, err := b.current(ctx)
	if err != nil {
		return dst, err
	}
	if err := now.check(after); err != nil {
		return dst, err
	}
	return out, nil
}

// consume reads with a consumer of its own, up to l.last, the log's end when Read was called.
func (b *Broker) consume(ctx context.Context, dst []sse.Record, l log, subjects []string, after uint64, limit int) ([]sse.Record, error) {
	c, err := b.js.OrderedConsumer(ctx, b.o.stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: subjects, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, MaxResetAttempts: 3,
		InactiveThreshold: time.Minute,
	})
	if err != nil {
		return dst, b.wrongEpoch(ctx, l.epoch, err)
	}
	defer b.dismiss(c)
	if c.CachedInfo().NumPending == 0 {
		return dst, nil
	}
	it, err := c.Messages(jetstream.PullMaxMessages(min(limit, 500)))
	if err != nil {
		return dst, err
	}
	defer it.Stop()
	out := dst
	for len(out)-len(dst) < limit {
		m, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			return dst, err
		}
		s, pending, err := delivered(m)
		if err != nil {
			return dst, err
		}
		r, err := b.record(l.epoch, s)
		if err != nil {
			return dst, err
		}
		if s.seq > l.last {
			break
		}
		if out = append(out, r); pending == 0 || s.seq == l.last {
			break
		}
	}
	return out, nil
}

// dismiss tells the server to delete a consumer, and does not wait for an answer. Stopping to read
// does not delete it. If the connection is gone, the server is not told, and keeps the consumer for
// a minute.
func (b *Broker) dismiss(c jetstream.Consumer) {
	if info := c.CachedInfo(); info != nil {
		_ = b.conn.Publish("$JS.API.CONSUMER.DELETE."+b.o.stream+"."+info.Name, nil)
	}
}

// rest reads the records up to l.last that consume has not returned, one by one from the stream's
// leader. Such records exist if the consumer runs on a server that lags behind the leader.
func (b *Broker) rest(ctx context.Context, out []sse.Record, from int, l log, subjects []string, after uint64,
	limit int) ([]sse.Record, error) {
	if n := len(out); n > from {
		after = out[n-1].ID.Seq
	}
	stream, err := b.js.Stream(ctx, b.o.stream)
	if err != nil {
		return out, err
	}
	begin := len(out)
	for _, subject := range subjects {
		for seq := after + 1; seq <= l.last; {
			m, err := stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				break
			}
			if err != nil {
				return out, err
			}
			if m.Sequence > l.last {
				break
			}
			r, err := b.record(l.epoch, stored{m.Sequence, m.Time, m.Subject, m.Header, m.Data})
			if err != nil {
				return out, err
			}
			out, seq = append(out, r), m.Sequence+1
		}
	}
	slices.SortFunc(out[begin:], func(a, b sse.Record) int { return int(int64(a.ID.Seq) - int64(b.ID.Seq)) })
	return out[:min(len(out), from+limit)], nil
}

// wrongEpoch returns ErrEpoch if the log has another epoch now, else err.
func (b *Broker) wrongEpoch(ctx context.Context, epoch uint64, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	now, nerr := b.current(ctx)
	switch {
	case nerr != nil:
		return fmt.Errorf("%w; %w", err, nerr)
	case now.epoch != epoch:
		return sse.ErrEpoch
	}
	return err
}
