package sse_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/zmylab/zmy/sse"
)

// restored is a broker whose log can step back without a change of its epoch, as that of a
// server that is restored from a backup.
type restored struct {
	log   []sse.Record
	tails chan struct{} // closed and made anew at each step back
	grown chan struct{} // the same whenever the log grows
}

func (b *restored) last() sse.ID { return sse.ID{Epoch: 1, Seq: uint64(len(b.log))} }

func (b *restored) grow(n int, text string) {
	for range n {
		id := sse.ID{Epoch: 1, Seq: b.last().Seq + 1}
		b.log = append(b.log, sse.Record{ID: id, Topic: "a", Message: sse.Message{Data: fmt.Append(nil, text, id.Seq)}})
	}
	waking := b.grown
	b.grown = make(chan struct{})
	close(waking)
}

func (b *restored) stepBack(to int) {
	b.log = b.log[:to:to]
	ending := b.tails
	b.tails = make(chan struct{})
	close(ending)
}

func (b *restored) Append(context.Context, string, sse.Message) (sse.ID, error) {
	return sse.ID{}, sse.ErrClosed
}

func (b *restored) Last(context.Context) (sse.ID, error) { return b.last(), nil }

func (b *restored) Read(_ context.Context, dst []sse.Record, _ []string, after sse.ID, limit int) ([]sse.Record, error) {
	if after.Seq > b.last().Seq {
		return dst, sse.ErrFuture
	}
	behind := b.log[after.Seq:]
	return append(dst, behind[:min(limit, len(behind))]...), nil
}

func (b *restored) Tail(context.Context, sse.ID) (sse.Tail, error) {
	return &restoredTail{b, b.last(), b.last(), b.tails}, nil
}

func (b *restored) Close() error { return nil }

type restoredTail struct {
	b         *restored
	after, at sse.ID
	end       chan struct{}
}

func (t *restoredTail) After() sse.ID { return t.after }

func (t *restoredTail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	for {
		select {
		case <-t.end:
			return dst, sse.ErrTrimmed
		default:
		}
		if t.b.last().Seq > t.at.Seq {
			dst = append(dst, t.b.log[t.at.Seq:]...)
			t.at = t.b.last()
			return dst, nil
		}
		select {
		case <-t.b.grown:
		case <-t.end:
		case <-ctx.Done():
			return dst, ctx.Err()
		}
	}
}

func (t *restoredTail) Close() error { return nil }

// A log that steps back within its epoch resets connections, and what it then adds under IDs that
// were there before is sent.
func TestHubLogStepsBack(t *testing.T) {
	const reset = `reset:{"reason":"trimmed"}`
	for _, policy := range []sse.SlowPolicy{sse.Disconnect, sse.DropOldest, sse.ConflateByKey, sse.CatchUp} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &restored{tails: make(chan struct{}), grown: make(chan struct{})}
				b.grow(100, "old ")
				h := openHub(t, b, sse.WithSlowPolicy(policy))
				v, resumed := watch(t, h, "", "a"), watch(t, h, "1-98", "a")
				resumed.wants("old 99 old 100")
				b.stepBack(90)
				v.wants(reset)
				b.grow(3, "new ")
				v.wants(reset + " new 91 new 92 new 93")
				resumed.wants("old 99 old 100 " + reset + " new 91 new 92 new 93")
			})
		})
	}
}

// One that has left the live log for the history when the log steps back is reset as well.
func TestHubLogStepsBackBehind(t *testing.T) {
	for _, policy := range []sse.SlowPolicy{sse.Disconnect, sse.CatchUp} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &restored{tails: make(chan struct{}), grown: make(chan struct{})}
				h := openHub(t, b, sse.WithSlowPolicy(policy), sse.WithQueue(1, 1<<20))
				v := watch(t, h, "", "a")
				synctest.Wait()
				b.grow(1, "old ")
				synctest.Wait()
				v.stall()
				b.grow(5, "old ") // the second is being written, or waits
				synctest.Wait()
				b.stepBack(1)
				synctest.Wait()
				b.grow(6, "new ")
				synctest.Wait()
				v.read()
				synctest.Wait()
				if got, want := v.data(), `reset:{"reason":"trimmed"} new 2 new 3 new 4 new 5 new 6 new 7`; len(got) < len(want) ||
					got[len(got)-len(want):] != want {
					t.Errorf("events %q, want %q at the end", got, want)
				}
			})
		})
	}
}

// Events that are dropped behind a reset leave it in its place: reset, gap, events.
func TestHubDropsBehindReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &restored{tails: make(chan struct{}), grown: make(chan struct{})}
		h := openHub(t, b, sse.WithSlowPolicy(sse.DropOldest), sse.WithQueue(2, 1<<20))
		v := watch(t, h, "", "a")
		synctest.Wait()
		v.stall()
		b.grow(1, "old ") // is being written
		synctest.Wait()
		b.grow(1, "old ")
		synctest.Wait()
		b.stepBack(1)
		synctest.Wait()
		b.grow(5, "new ")
		synctest.Wait()
		v.read()
		v.wants(`old 1 reset:{"reason":"trimmed"} gap:{"from":"1-2","to":"1-5","dropped":4} new 6`)
	})
}
