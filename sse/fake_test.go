package sse_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// viewer is a client of a hub without a network: the response that the hub writes to.
// It complains about writes without a deadline.
type viewer struct {
	t      testing.TB
	header http.Header
	leave  context.CancelFunc
	done   chan error // what Serve returned

	mu       sync.Mutex
	status   int
	buffer   []byte // written, not flushed
	sent     []byte // flushed
	flushes  int
	deadline time.Time
	stalled  chan struct{} // closed when the viewer reads again; nil while it does
	pace     time.Duration // that each write takes
}

// watch connects to the hub.
func watch(t testing.TB, h *sse.Hub, lastID string, topics ...string) *viewer {
	t.Helper()
	return newViewer(t).connect(h, lastID, topics...)
}

func newViewer(t testing.TB) *viewer {
	return &viewer{t: t, header: http.Header{}, done: make(chan error, 1)}
}

func (v *viewer) connect(h *sse.Hub, lastID string, topics ...string) *viewer {
	ctx, leave := context.WithCancel(context.Background())
	v.leave = leave
	v.t.Cleanup(leave)
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/events", nil)
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	go func() { v.done <- h.Serve(v, r, topics...) }()
	return v
}

func (v *viewer) Header() http.Header { return v.header }

func (v *viewer) WriteHeader(status int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.status = status
}

func (v *viewer) SetReadDeadline(time.Time) error { return nil }

func (v *viewer) SetWriteDeadline(d time.Time) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deadline = d
	return nil
}

func (v *viewer) Write(b []byte) (int, error) {
	if err := v.wait(); err != nil {
		return 0, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.buffer = append(v.buffer, b...)
	return len(b), nil
}

func (v *viewer) FlushError() error {
	if err := v.wait(); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sent = append(v.sent, v.buffer...)
	v.buffer = v.buffer[:0]
	v.flushes++
	return nil
}

// wait is for the time of a stall, or until the deadline.
func (v *viewer) wait() error {
	v.mu.Lock()
	stalled, deadline, status := v.stalled, v.deadline, v.status
	v.mu.Unlock()
	time.Sleep(v.pace)
	if deadline.IsZero() && status == http.StatusOK {
		v.t.Error("a write without a deadline")
	}
	if stalled == nil {
		return nil
	}
	if v.status != http.StatusOK {
		return nil
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-stalled:
		return nil
	case <-timer.C:
		return os.ErrDeadlineExceeded
	}
}

func (v *viewer) stall() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stalled = make(chan struct{})
}

func (v *viewer) read() {
	v.mu.Lock()
	defer v.mu.Unlock()
	close(v.stalled)
	v.stalled = nil
}

// text is what has arrived.
func (v *viewer) text() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return string(v.sent)
}

// forget makes text begin anew.
func (v *viewer) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sent = nil
}

func (v *viewer) events() []parsed {
	s, err := drain(sse.NewReader(strings.NewReader(v.text()), 0, ""))
	if err != io.EOF {
		v.t.Errorf("the stream is broken: %v", err)
	}
	return s.events
}

// lastID is what the client would send when it comes back.
func (v *viewer) lastID() string {
	r := sse.NewReader(strings.NewReader(v.text()), 0, "")
	_, _ = drain(r)
	return r.LastID()
}

// data joins the data of all events, with the types of those that are not messages.
func (v *viewer) data() string {
	var out []string
	for _, e := range v.events() {
		if e.typ != "message" {
			e.data = e.typ + ":" + e.data
		}
		out = append(out, e.data)
	}
	return strings.Join(out, " ")
}

// resting fails if a deadline is set while nothing is written.
func (v *viewer) resting() {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.deadline.IsZero() {
		v.t.Error("a deadline is set although nothing is being written")
	}
}

func (v *viewer) wants(data string) {
	v.t.Helper()
	synctest.Wait()
	if got := v.data(); got != data {
		v.t.Errorf("events %q, want %q", got, data)
	}
}

// ended returns what Serve returned, and fails if it has not.
func (v *viewer) ended() error {
	v.t.Helper()
	synctest.Wait()
	select {
	case err := <-v.done:
		return err
	default:
		v.t.Fatal("still served")
		return nil
	}
}

func (v *viewer) open() bool {
	synctest.Wait()
	return len(v.done) == 0
}

// bubble runs f in a synctest bubble with a hub on a broker of its own, and closes both at the end.
func bubble(t *testing.T, f func(t *testing.T, h *sse.Hub, b *sse.Memory), opts ...sse.Option) {
	t.Helper()
	bubbleOn(t, sse.MemoryOptions{}, f, opts...)
}

func bubbleOn(t *testing.T, o sse.MemoryOptions, f func(t *testing.T, h *sse.Hub, b *sse.Memory), opts ...sse.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := sse.NewMemory(o)
		h := openHub(t, b, opts...)
		f(t, h, b)
	})
}

// openHub opens a hub that the test closes, which fails if a goroutine of it stays.
func openHub(t testing.TB, b sse.Broker, opts ...sse.Option) *sse.Hub {
	t.Helper()
	h, err := sse.Open(context.Background(), b, append([]sse.Option{sse.WithLogger(quiet)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// publish publishes texts to a topic; each returns its ID.
func publish(t testing.TB, h *sse.Hub, topic string, texts ...string) (ids []sse.ID) {
	t.Helper()
	for _, text := range texts {
		id, err := h.Publish(context.Background(), topic, sse.Message{Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// numbers are "0", "1" … below n.
func numbers(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

func count(text, part string) int { return bytes.Count([]byte(text), []byte(part)) }
