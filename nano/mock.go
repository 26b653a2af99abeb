package nano

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The header fields by which a load test asks [Mock] for an answer, and the one that marks it.
const (
	MockLatency = "X-Latency-Ms"  // how long the answer takes
	MockType    = "X-Resp-Type"   // ok or error: the answer; without it the handler's own
	MockRate    = "X-QPS-Target"  // at most so many of the requests with this value pass in a second, the rest are errors
	MockedField = "X-Nano-Mocked" // of answers that were delayed or made up
)

// MockOptions say which requests may ask for mocked answers, and how far. A zero limit has the
// value that its comment names.
type MockOptions struct {
	// Allow says whether the fields of a request are heeded; those of others are
	// ignored. It must be set: a client that is allowed can hold connections and have the service
	// answer with errors. Never decide by something that a client sends without proof.
	Allow func(*http.Request) bool
	// MaxLatency clamps X-Latency-Ms; 2 s.
	MaxLatency time.Duration
	// MaxRate clamps X-QPS-Target; 100,000.
	MaxRate int
}

// Mock is middleware for load tests, for any handler of net/http, go-kit's transport/http.Server
// among them. It is off wherever it is not written. With X-Resp-Type the answer is 200
// {"data":"mock"} or 503 {"error":"busy"}, without it that of the handler, late by X-Latency-Ms,
// and 503 beyond X-QPS-Target. Each value of X-QPS-Target is a rate of its own, so that load at
// several rates may run at once. A field that is malformed is answered with 400.
func Mock(o MockOptions) func(http.Handler) http.Handler {
	if o.Allow == nil {
		panic("nano: Mock without MockOptions.Allow: say which requests may ask for mocked answers")
	}
	if o.MaxLatency <= 0 {
		o.MaxLatency = 2 * time.Second
	}
	if o.MaxRate <= 0 {
		o.MaxRate = 100_000
	}
	return func(next http.Handler) http.Handler {
		return &mock{MockOptions: o, next: next}
	}
}

type mock struct {
	MockOptions
	next  http.Handler
	rates pacers
}

// mockOrder is what the fields of a request ask for.
type mockOrder struct {
	latency time.Duration
	kind    string // ok, error or ""
	rate    int    // a second, 0 for any
}

func (m *mock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !mocking(r.Header) || !m.Allow(r) {
		m.next.ServeHTTP(w, r)
		return
	}
	order, err := m.order(r.Header)
	if err != nil {
		(&Service{settings: defaults()}).Fail(w, r, err)
		return
	}
	if !sleep(r, order.latency) {
		panic(http.ErrAbortHandler) // the client has gone
	}
	w.Header().Set(MockedField, order.String())
	switch {
	case order.kind == "error", order.rate > 0 && !m.rates.take(order.rate):
		mocked(w, http.StatusServiceUnavailable, mockBusy)
	case order.kind == "ok":
		mocked(w, http.StatusOK, mockOK)
	default:
		m.next.ServeHTTP(w, r)
	}
}

func mocking(h http.Header) bool {
	return h.Get(MockLatency) != "" || h.Get(MockType) != "" || h.Get(MockRate) != ""
}

func (m *mock) order(h http.Header) (o mockOrder, err error) {
	ms, err := mockNumber(h, MockLatency, int(m.MaxLatency/time.Millisecond))
	if err != nil {
		return o, err
	}
	if o.rate, err = mockNumber(h, MockRate, m.MaxRate); err != nil {
		return o, err
	}
	if o.rate == 0 && h.Get(MockRate) != "" {
		return o, Problemf(http.StatusBadRequest, "%s is 0, want at least 1 a second", MockRate)
	}
	o.latency = time.Duration(ms) * time.Millisecond
	switch o.kind = strings.ToLower(h.Get(MockType)); o.kind {
	case "", "ok", "error":
		return o, nil
	}
	return o, Problemf(http.StatusBadRequest, "%s is %q, want ok or error", MockType, clip(o.kind))
}

// mockNumber reads a field of digits, clamped to most.
func mockNumber(h http.Header, name string, most int) (int, error) {
	s := h.Get(name)
	if s == "" {
		return 0, nil
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, Problemf(http.StatusBadRequest, "%s is %q, want a whole number", name, clip(s))
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil { // out of range
		n = most
	}
	return min(n, most), nil
}

// String is the value of the field that marks the answer: what was done, after clamping.
func (o mockOrder) String() string {
	return fmt.Sprintf("latency-ms=%d; type=%s; qps=%d", o.latency.Milliseconds(), o.kind, o.rate)
}

// sleep waits for d, or until the request ends, which it reports with false.
func sleep(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

const (
	mockOK   = `{"data":"mock"}`
	mockBusy = `{"error":"busy"}`
)

func mocked(w http.ResponseWriter, status int, body string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // the client has gone: nobody to tell
}

// pacers has a pacer for each rate a second that was asked for lately.
type pacers struct {
	mu sync.Mutex
	of map[int]*pacer
}

// maxPacers bounds what a sweep over rates leaves behind; those of a load test are fewer.
const maxPacers = 256

func (p *pacers) take(rate int) bool {
	p.mu.Lock()
	pace := p.of[rate]
	if pace == nil {
		if p.of == nil || len(p.of) >= maxPacers {
			p.of = make(map[int]*pacer)
		}
		pace = newPacer()
		p.of[rate] = pace
	}
	p.mu.Unlock()
	return pace.take(time.Second / time.Duration(rate))
}

// pacer admits one call per interval, and as many at once as fit in a tenth of a second: the
// generic cell rate algorithm, as one word without a lock.
type pacer struct {
	epoch time.Time    // differences from it are monotonic: clocks that jump do not matter
	due   atomic.Int64 // when the next call is due, since epoch
}

func newPacer() *pacer { return &pacer{epoch: time.Now()} }

const pacerBurst = 100 * time.Millisecond

func (p *pacer) take(interval time.Duration) bool {
	for {
		now, due := int64(time.Since(p.epoch)), p.due.Load()
		if due-now > int64(max(pacerBurst-interval, 0)) {
			return false
		}
		if p.due.CompareAndSwap(due, max(due, now)+int64(interval)) {
			return true
		}
	}
}
