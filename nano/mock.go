package nano

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Header fields. In the first three a load test asks [Mock] for an answer; the last one marks such
// an answer.
const (
	MockLatency = "X-Latency-Ms"  // how long the answer is delayed, in milliseconds
	MockType    = "X-Resp-Type"   // which answer: ok or error; without it the handler's own
	MockRate    = "X-QPS-Target"  // how many requests with this value pass in a second; the others get errors
	MockedField = "X-Nano-Mocked" // set in answers that were delayed or mocked
)

// MockOptions limit which requests may ask for mocked answers, and for what. A limit of zero has
// the value that its comment names.
type MockOptions struct {
	// Allow reports whether the fields of a request count; those of other requests are ignored. It
	// must be set: a client that is allowed can hold connections and make the service answer with
	// errors. Never decide by something that a client sends without proof.
	Allow func(*http.Request) bool
	// MaxLatency limits X-Latency-Ms. The default is 2 s.
	MaxLatency time.Duration
	// MaxRate limits X-QPS-Target. The default is 100,000.
	MaxRate int
}

// Mock is middleware for load tests. It wraps any handler of net/http, also the Server of go-kit's
// transport/http. A handler without it is not affected.
//
// A request asks for an answer by its header. X-Resp-Type: ok asks for 200 {"data":"mock"}, and
// X-Resp-Type: error for 503 {"error":"busy"}. Without that field the handler answers. X-Latency-Ms
// delays the answer, and requests beyond X-QPS-Target get 503. Requests with different values of
// X-QPS-Target are counted separately, so that load at several rates may run at once. A malformed
// field is answered with 400.
func Mock(o MockOptions) func(http.Handler) http.Handler {
	if o.Allow == nil {
		panic("nano: Mock without MockOptions.Allow: say which requests may ask for mocked answers")
	}
	o.MaxLatency = cmp.Or(max(o.MaxLatency, 0), 2*time.Second)
	o.MaxRate = cmp.Or(max(o.MaxRate, 0), 100_000)
	return func(next http.Handler) http.Handler {
		return &mock{MockOptions: o, next: next}
	}
}

type mock struct {
	MockOptions
	next  http.Handler
	rates pacers
}

// mockOrder is what the header of a request asks for.
type mockOrder struct {
	latency time.Duration
	kind    string // ok, error or ""
	rate    int    // requests a second, 0 for no limit
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

// mockNumber reads a field of digits. A number above most becomes most.
func mockNumber(h http.Header, name string, most int) (int, error) {
	s := h.Get(name)
	if s == "" {
		return 0, nil
	}
	if strings.Trim(s, "0123456789") != "" {
		return 0, Problemf(http.StatusBadRequest, "%s is %q, want a whole number", name, clip(s))
	}
	n, err := strconv.Atoi(s)
	if err != nil { // out of range
		n = most
	}
	return min(n, most), nil
}

// String returns the value of the field that marks the answer: what was done, within the limits.
func (o mockOrder) String() string {
	return fmt.Sprintf("latency-ms=%d; type=%s; qps=%d", o.latency.Milliseconds(), o.kind, o.rate)
}

// sleep waits for d. It returns false if the request ends before that.
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
	_, _ = w.Write([]byte(body)) // an error means that the client has gone
}

// pacers has a pacer for each rate, in requests a second, that was asked for lately.
type pacers struct {
	mu sync.Mutex
	of map[int]*pacer
}

// maxPacers bounds the memory of a client that tries many rates. A load test uses fewer.
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

// pacer admits one call in each interval. Calls that come at once are admitted too, up to a tenth
// of a second's worth. It is the generic cell rate algorithm, in one atomic word without a lock.
type pacer struct {
	epoch time.Time    // times are measured from here by the monotonic clock, so jumps of the clock do not matter
	due   atomic.Int64 // when the next call is due, in nanoseconds since epoch
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
