package sse_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/sse"
)

// sink is a response that forgets what it is sent.
type sink struct {
	header  http.Header
	flushed *atomic.Int64
}

func (s *sink) Header() http.Header            { return s.header }
func (*sink) WriteHeader(int)                  {}
func (*sink) Write(b []byte) (int, error)      { return len(b), nil }
func (*sink) SetWriteDeadline(time.Time) error { return nil }
func (*sink) SetReadDeadline(time.Time) error  { return nil }
func (s *sink) FlushError() error              { s.flushed.Add(1); return nil }

// crowd connects n sinks to a hub; the returned function publishes one event and waits until all
// have it.
func crowd(t testing.TB, n int, opts ...sse.Option) (*sse.Hub, func()) {
	h := openHub(t, nil, opts...)
	var flushed atomic.Int64
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	for range n {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		wg.Go(func() { _ = h.Serve(&sink{http.Header{}, &flushed}, r, "a") })
	}
	until(t, "connections", func() bool { return flushed.Load() == int64(n) })
	m := sse.Message{Type: "order", Data: make([]byte, 200)}
	return h, func() {
		flushed.Store(0)
		if _, err := h.Publish(ctx, "a", m); err != nil {
			t.Fatal(err)
		}
		for flushed.Load() < int64(n) {
			runtime.Gosched()
		}
	}
}

// An event is encoded once and costs no allocation for any of those that are sent it: a thousand
// take as many as ten.
func TestHubAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	cost := func(n int) float64 {
		h, publish := crowd(t, n)
		for range 100 { // queues and pools take their size
			publish()
		}
		// A collection empties the runtime's caches, which goroutines that wait then fill anew.
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		before := h.Stats()
		allocs := testing.AllocsPerRun(100, publish)
		for range 4 { // others of this process allocate as well: the least counts
			allocs = min(allocs, testing.AllocsPerRun(100, publish))
		}
		after := h.Stats()
		if made := after.Encoded - before.Encoded; made != after.Published-before.Published {
			t.Errorf("%d frames for %d events", made, after.Published-before.Published)
		}
		return allocs
	}
	few, many := cost(10), cost(1000)
	t.Logf("%v allocations for 10 connections, %v for 1,000", few, many)
	if many-few > 5 {
		t.Errorf("%v allocations an event for 1,000 connections, %v for 10", many, few)
	}
}

// BenchmarkFanOut publishes one event to connections that cost nothing themselves.
func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h, publish := crowd(b, n)
			for range 100 { // queues and pools take their size
				publish()
			}
			before := h.Stats()
			b.ReportAllocs()
			for b.Loop() {
				publish()
			}
			after := h.Stats()
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/delivery")
			b.ReportMetric(float64(after.Encoded-before.Encoded)/float64(after.Published-before.Published), "frames/event")
		})
	}
}
