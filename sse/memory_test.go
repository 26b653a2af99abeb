package sse_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/sse/ssetest"
)

var memory = ssetest.Config{
	Open: func(_ *testing.T, history int) sse.Broker { return sse.NewMemory(sse.MemoryOptions{History: history}) },
}

func TestMemory(t *testing.T) { ssetest.Run(t, memory) }

// TestMemoryResumes: hubs that end and begin on one log.
func TestMemoryResumes(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	ssetest.Resumes(t, memory, n)
}

// A log within its limit of bytes keeps the newest records, whichever topics they are of.
func TestMemoryBytes(t *testing.T) {
	ctx := t.Context()
	b := sse.NewMemory(sse.MemoryOptions{MaxBytes: 10_000, History: 5})
	defer b.Close()
	var all []sse.ID
	for i := range 5000 { // busy topics, and many that are used once
		topic := fmt.Sprint("once ", i)
		if i%2 == 0 {
			topic = "busy"
		}
		id, err := b.Append(ctx, topic, sse.Message{Data: make([]byte, 100)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	if _, err := b.Read(ctx, nil, []string{"busy"}, all[4985], 100); !errors.Is(err, sse.ErrTrimmed) {
		t.Errorf("7 records later, of which 5 are kept: %v", err)
	}
	if got, err := b.Read(ctx, nil, []string{"busy"}, all[4988], 100); err != nil || len(got) != 5 {
		t.Errorf("%d records, %v", len(got), err)
	}
	if got, err := b.Read(ctx, nil, []string{"once 4999"}, all[4990], 100); err != nil || len(got) != 1 {
		t.Errorf("%d records, %v", len(got), err)
	}
	if _, err := b.Read(ctx, nil, []string{"once 1"}, all[0], 100); !errors.Is(err, sse.ErrTrimmed) {
		t.Errorf("a topic that was forgotten: %v", err)
	}
	// One record beyond the limit is kept while it is the newest.
	id, err := b.Append(ctx, "huge", sse.Message{Data: make([]byte, 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.Read(ctx, nil, []string{"huge"}, all[4999], 100); err != nil || len(got) != 1 || got[0].ID != id {
		t.Errorf("%d records, %v", len(got), err)
	}
	if _, err := b.Read(ctx, nil, []string{"busy"}, all[4988], 100); !errors.Is(err, sse.ErrTrimmed) {
		t.Errorf("what gave way to it: %v", err)
	}
}

// A tail that is further behind than allowed ends instead of taking memory.
func TestMemoryLag(t *testing.T) {
	ctx := t.Context()
	b := sse.NewMemory(sse.MemoryOptions{Lag: 10})
	defer b.Close()
	tail, err := b.Tail(ctx, sse.ID{})
	if err != nil {
		t.Fatal(err)
	}
	var last sse.ID
	for range 11 {
		if last, err = b.Append(ctx, "a", sse.Message{}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := tail.Next(ctx, nil); !errors.Is(err, sse.ErrTrimmed) || len(got) > 0 {
		t.Errorf("%d records, %v", len(got), err)
	}
	again, err := b.Tail(ctx, sse.ID{Epoch: last.Epoch, Seq: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Next(ctx, nil); err != nil || len(got) != 10 {
		t.Errorf("%d records, %v", len(got), err)
	}
}

func BenchmarkMemoryAppend(b *testing.B) {
	broker := sse.NewMemory(sse.MemoryOptions{})
	defer broker.Close()
	tail, err := broker.Tail(b.Context(), sse.ID{})
	if err != nil {
		b.Fatal(err)
	}
	go func() {
		var buf []sse.Record
		for err == nil {
			buf, err = tail.Next(context.Background(), buf[:0])
		}
	}()
	m := sse.Message{Data: make([]byte, 100)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := broker.Append(b.Context(), "a", m); err != nil {
			b.Fatal(err)
		}
	}
}
