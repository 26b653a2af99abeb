package sse_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// replaceable is a broker whose log can be lost, and whose calls can be made to fail.
type replaceable struct {
	mu   sync.Mutex
	log  *sse.Memory
	fail error // of the next calls of Read, Last and Tail.Next
}

func (b *replaceable) now() (*sse.Memory, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log, b.fail
}

// replace puts an empty log in the place of the present one.
func (b *replaceable) replace() {
	b.mu.Lock()
	old := b.log
	b.log = sse.NewMemory(sse.MemoryOptions{})
	b.mu.Unlock()
	old.Close()
}

func (b *replaceable) setFail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

func (b *replaceable) Append(ctx context.Context, topic string, m sse.Message) (sse.ID, error) {
	log, _ := b.now()
	return log.Append(ctx, topic, m)
}

func (b *replaceable) Last(ctx context.Context) (sse.ID, error) {
	log, err := b.now()
	if err != nil {
		return sse.ID{}, err
	}
	return log.Last(ctx)
}

func (b *replaceable) Read(ctx context.Context, dst []sse.Record, topics []string, after sse.ID, limit int) ([]sse.Record, error) {
	log, err := b.now()
	if err != nil {
		return dst, err
	}
	return log.Read(ctx, dst, topics, after, limit)
}

func (b *replaceable) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	log, err := b.now()
	if err != nil {
		return nil, err
	}
	t, err := log.Tail(ctx, after)
	return &replaceableTail{Tail: t, of: log, b: b}, err
}

func (b *replaceable) Close() error {
	log, _ := b.now()
	return log.Close()
}

type replaceableTail struct {
	sse.Tail
	of *sse.Memory
	b  *replaceable
}

func (t *replaceableTail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	if _, err := t.b.now(); err != nil {
		return dst, err
	}
	dst, err := t.Tail.Next(ctx, dst)
	if log, _ := t.b.now(); err != nil && log != t.of {
		err = sse.ErrEpoch
	}
	return dst, err
}

// A log that is lost while connections are open resets them all, and those that come back with the
// old one's IDs.
func TestHubLosesLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &replaceable{log: sse.NewMemory(sse.MemoryOptions{})}
		h := openHub(t, b)
		v, stalled := watch(t, h, "", "a"), watch(t, h, "", "a", "b")
		synctest.Wait()
		old := publish(t, h, "a", "1")[0]
		synctest.Wait()
		stalled.stall()
		publish(t, h, "a", "2")
		synctest.Wait()
		publish(t, h, "a", "3", "4") // wait in the queue, and are superseded
		synctest.Wait()
		b.replace()
		synctest.Wait()
		fresh := publish(t, h, "a", "5")[0]
		const reset = `reset:{"reason":"epoch"}`
		v.wants("1 2 3 4 " + reset + " 5")
		stalled.read()
		stalled.wants("1 2 " + reset + " 5")
		if e := v.events(); e[4].id != (sse.ID{Epoch: fresh.Epoch}).String() {
			t.Errorf("the reset has ID %q", e[4].id)
		}
		again := watch(t, h, old.String(), "a")
		again.wants(reset)
		publish(t, h, "a", "6")
		again.wants(reset + " 6")
	})
}

// losing is a broker whose tails are lost as soon as they are asked, up to a limit.
type losing struct {
	*sse.Memory
	left atomic.Int64
}

func (b *losing) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	t, err := b.Memory.Tail(ctx, after)
	return &losingTail{t, b}, err
}

type losingTail struct {
	sse.Tail
	b *losing
}

func (t *losingTail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	if t.b.left.Add(-1) < 0 {
		return t.Tail.Next(ctx, dst)
	}
	return dst, sse.ErrTrimmed
}

// A broker that loses its log again and again resets clients once in a while, and is followed as
// soon as it can be.
func TestHubLosesLogAllTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const losses = 1000
		b := &losing{Memory: sse.NewMemory(sse.MemoryOptions{})}
		b.left.Store(losses)
		h := openHub(t, b, sse.WithHeartbeat(0))
		v := watch(t, h, "", "a")
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := losses - b.left.Load(); n < 10 || n > 50 {
			t.Errorf("the log was lost %d times within a minute", n)
		}
		if n := h.Stats().Resets; n > 50 {
			t.Errorf("%d resets within a minute", n)
		}
		b.left.Store(0)
		time.Sleep(10 * time.Second)
		publish(t, h, "a", "live")
		synctest.Wait()
		if !strings.HasSuffix(v.data(), " live") {
			t.Errorf("events end with %.100q", v.data())
		}
	})
}

// A tail that falls behind what the broker keeps resets all as well.
func TestHubLags(t *testing.T) {
	bubbleOn(t, sse.MemoryOptions{Lag: 10}, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		v := watch(t, h, "", "a")
		synctest.Wait()
		for !strings.Contains(v.data(), "reset") { // outrun the hub
			publish(t, h, "b", numbers(1000)...)
			synctest.Wait()
		}
		time.Sleep(10 * time.Second) // the hub waits when it has lost the log twice
		publish(t, h, "a", "live")
		synctest.Wait()
		if rest := strings.ReplaceAll(v.data(), `reset:{"reason":"trimmed"} `, ""); rest != "live" {
			t.Errorf("beside resets: %q", rest)
		}
	})
}

// A broker that fails for a while delays events and loses none.
func TestHubBrokerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &replaceable{log: sse.NewMemory(sse.MemoryOptions{})}
		h := openHub(t, b, sse.WithRecent(2, 1<<20, 0))
		v := watch(t, h, "", "a")
		synctest.Wait()
		first := publish(t, h, "a", "1")[0]
		synctest.Wait()
		b.setFail(errors.New("out of order"))
		publish(t, h, "a", "2")
		v.wants("1 2") // the tail was waiting already
		publish(t, h, "a", "3", "4", "5")
		time.Sleep(time.Minute)
		v.wants("1 2")
		b.setFail(nil)
		time.Sleep(10 * time.Second)
		v.wants("1 2 3 4 5")
		// History that cannot be read ends the connection; the client comes back.
		b.setFail(errors.New("out of order"))
		again := watch(t, h, first.String(), "a")
		if err := again.ended(); err == nil || !strings.Contains(err.Error(), "broker: out of order") {
			t.Errorf("ended with %v", err)
		}
		b.setFail(nil)
		again = watch(t, h, first.String(), "a")
		again.wants("2 3 4 5")
	})
}

// The end of the broker ends the hub.
func TestHubBrokerCloses(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, b *sse.Memory) {
		v := watch(t, h, "", "a")
		synctest.Wait()
		b.Close()
		if err := v.ended(); err == nil || !strings.Contains(err.Error(), "broker") {
			t.Errorf("ended with %v", err)
		}
		if _, err := h.Publish(t.Context(), "a", sse.Message{}); !errors.Is(err, sse.ErrClosed) {
			t.Errorf("publish: %v", err)
		}
	})
}

// held is a broker whose tail returns nothing until it is let go: a process that is behind.
type held struct {
	*sse.Memory
	gate chan struct{}
}

func (b *held) Tail(ctx context.Context, after sse.ID) (sse.Tail, error) {
	t, err := b.Memory.Tail(ctx, after)
	return &heldTail{t, b.gate}, err
}

type heldTail struct {
	sse.Tail
	gate chan struct{}
}

func (t *heldTail) Next(ctx context.Context, dst []sse.Record) ([]sse.Record, error) {
	select {
	case <-t.gate:
		return t.Tail.Next(ctx, dst)
	case <-ctx.Done():
		return dst, ctx.Err()
	}
}

// A client that comes from a process that is ahead is not told of a future, and sees nothing twice.
func TestHubBehindAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := sse.NewMemory(sse.MemoryOptions{})
		ahead := openHub(t, log)
		b := &held{log, make(chan struct{})}
		behind := openHub(t, b)
		v := watch(t, ahead, "", "a")
		synctest.Wait()
		publish(t, ahead, "a", "1", "2", "3")
		v.wants("1 2 3")
		w := watch(t, behind, v.events()[1].id, "a")
		w.wants("")
		close(b.gate)
		w.wants("3")
		publish(t, behind, "a", "4")
		w.wants("3 4")
		v.wants("1 2 3 4")
	})
}

// Records that others put into the log and that are no events are left out.
func TestHubInvalidRecords(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, b *sse.Memory) {
		v := watch(t, h, "", "a")
		synctest.Wait()
		start := v.lastID()
		for _, typ := range []string{"x\n\ndata: evil", "reset", "\xff"} {
			if _, err := b.Append(t.Context(), "a", sse.Message{Type: typ}); err != nil {
				t.Fatal(err)
			}
		}
		publish(t, h, "a", "x")
		v.wants("x")
		watch(t, h, start, "a").wants("x")
		if s := h.Stats(); s.Invalid != 3 {
			t.Errorf("%+v", s)
		}
	}, sse.WithRecent(1, 1, 0))
}
