package load

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/nano"
)

func settings(url string) *HTTP {
	return &HTTP{URL: url, Method: http.MethodGet, Header: http.Header{}, QPS: []float64{400},
		For: 500 * time.Millisecond, Conns: 64, Timeout: 10 * time.Second, Seed: 1}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*HTTP)
		remote bool
		want   string // part of the error, "" for none
	}{
		{"fine", func(*HTTP) {}, false, ""},
		{"localhost", func(h *HTTP) { h.URL = "https://localhost/x" }, false, ""},
		{"ipv6", func(h *HTTP) { h.URL = "http://[::1]:80/" }, false, ""},
		{"elsewhere", func(h *HTTP) { h.URL = "http://example.com/" }, false, "-remote"},
		{"elsewhere, allowed", func(h *HTTP) { h.URL = "http://example.com/" }, true, ""},
		{"no scheme", func(h *HTTP) { h.URL = "127.0.0.1:80" }, false, "no URL"},
		{"other scheme", func(h *HTTP) { h.URL = "ftp://127.0.0.1" }, false, "no URL"},
		{"no rate", func(h *HTTP) { h.QPS = nil }, false, "-qps"},
		{"rate 0", func(h *HTTP) { h.QPS = []float64{1, 0} }, false, "-qps 0"},
		{"short", func(h *HTTP) { h.For = time.Millisecond }, false, "-for"},
		{"conns", func(h *HTTP) { h.Conns = 0 }, false, "-conns"},
		{"timeout", func(h *HTTP) { h.Timeout = 0 }, false, "-timeout"},
		{"latency", func(h *HTTP) { h.Latency = []time.Duration{time.Microsecond} }, false, "-latency"},
	} {
		h := settings("http://127.0.0.1:1/")
		c.change(h)
		err := h.Check(c.remote)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestOpen: requests are sent when they are due, whether or not earlier ones were answered. The
// server answers none until thirty wait at the same time: a closed loop of fewer would wait for
// ever.
func TestOpen(t *testing.T) {
	const together = 30
	var waiting atomic.Int64
	gate := make(chan struct{})
	var once sync.Once
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Probe") == "" && waiting.Add(1) == together+1 { // and the probe
			once.Do(func() { close(gate) })
		}
		if waiting.Load() > 1 {
			<-gate
		}
		_, _ = io.WriteString(w, "good")
	}))
	defer srv.Close()
	points, err := settings(srv.URL).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := points[0]
	if p.Open < together || p.OK != p.Sent || p.Sent == 0 || p.Failed() != 0 || p.Bytes != int64(4*p.OK) || p.Response.N() != uint64(p.OK) {
		t.Errorf("%d sent, %d good, %d open at most, %d bytes, %d responses", p.Sent, p.OK, p.Open, p.Bytes, p.Response.N())
	}
}

// TestFailures are counted by what became of the request, and have no latency.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		want string
		bad  http.HandlerFunc
	}{
		{"503", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }},
		{"302", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }},
		{"timeout", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "half")
			panic(http.ErrAbortHandler)
		}},
	} {
		var n atomic.Int64
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) > 1 {
				c.bad(w, r)
			}
		}))
		h := settings(srv.URL)
		h.QPS, h.For = []float64{100}, 200*time.Millisecond
		if c.want == "timeout" {
			h.Timeout = 3 * time.Second // for the probe, on a busy machine
			h.Conns = 1000
		}
		points, err := h.Run(t.Context())
		srv.Close()
		if err != nil {
			t.Fatalf("%s: %v", c.want, err)
		}
		p := points[0]
		if p.Sent == 0 {
			t.Fatalf("%s: nothing was sent", c.want)
		}
		if p.OK != 0 || p.Errors[c.want] != p.Sent || p.Response.N() != 0 || p.Valid() {
			t.Errorf("%s: %d sent, %d good, %v", c.want, p.Sent, p.OK, p.Errors)
		}
	}
}

// TestProbe: what would measure errors is refused before it begins.
func TestProbe(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") == "image/png" {
			http.Error(w, "no pictures", http.StatusNotAcceptable)
		}
	}))
	defer srv.Close()
	h := settings(srv.URL)
	h.Accept = []string{"image/png"}
	if _, err := h.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no pictures") {
		t.Errorf("not acceptable: %v", err)
	}
	h = settings(srv.URL)
	h.Latency = []time.Duration{time.Millisecond}
	if _, err := h.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "nano.Mock") {
		t.Errorf("mocks nothing: %v", err)
	}
	srv.Close()
	if _, err := settings(srv.URL).Run(t.Context()); err == nil {
		t.Error("a server that is gone can be measured")
	}
}

// TestSurface: rates by latencies by codecs, in a report that keeps the lab's promises.
func TestSurface(t *testing.T) {
	mock := nano.Mock(nano.MockOptions{Allow: func(*http.Request) bool { return true }})
	var accepts sync.Map
	srv := httptest.NewServer(mock(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accepts.Store(r.Header.Get("Accept"), true)
		_, _ = io.WriteString(w, "x")
	})))
	defer srv.Close()
	h := settings(srv.URL)
	h.QPS, h.Latency, h.Accept, h.For = []float64{50, 100}, []time.Duration{0, time.Millisecond},
		[]string{"a/a", "b/b"}, 100*time.Millisecond
	var progress int
	h.Progress = func(string) { progress++ }
	points, err := h.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 8 || progress != 8 {
		t.Fatalf("%d points, %d steps of progress", len(points), progress)
	}
	for _, p := range points {
		if p.Latency > 0 && p.Service.N() > 0 && p.Service.Quantile(0) < float64(p.Latency) {
			t.Errorf("an answer after %g ns, mocked to take %s", p.Service.Quantile(0), p.Latency)
		}
		for range 20_000 { // enough for every percentile, as a longer run has
			p.Response.Record(1e6)
		}
	}
	if _, ok := accepts.Load("b/b"); !ok {
		t.Error("nobody asked for b/b")
	}
	x, err := h.Experiment(points, run.Host{}, []string{"zmy", "load", "http"}, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	if len(x.Charts) != 3 || len(x.Tables[0].Rows) != 8 {
		t.Errorf("%d charts, %d rows", len(x.Charts), len(x.Tables[0].Rows))
	}
	for _, write := range []func(io.Writer, *run.Experiment) error{report.ExperimentHTML, report.ExperimentMarkdown} {
		var b bytes.Buffer
		if err := write(&b, x); err != nil || !strings.Contains(b.String(), "P99.9") {
			t.Errorf("%v, %d bytes", err, b.Len())
		}
	}
}

// TestKeptUp: a server that needs longer than the requests take to come has not kept up, however
// quick each answer is.
func TestKeptUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		sent    int
		ok      int
		seconds float64
		p99     time.Duration
		want    bool
	}{
		{"in time", 1000, 1000, 5.01, time.Millisecond, true},
		{"behind", 1000, 1000, 5.9, 900 * time.Millisecond, false},
		{"failing", 1000, 990, 5, time.Millisecond, false},
		{"slow", 1000, 1000, 5, 2 * time.Second, false},
		{"nothing", 0, 0, 5, 0, false},
	} {
		p := &Point{For: 5 * time.Second, Sent: c.sent, OK: c.ok, Seconds: c.seconds, Response: new(Histogram)}
		for range c.ok {
			p.Response.Record(int64(c.p99))
		}
		if got := p.keptUp(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestStopped: Ctrl-C ends a measurement at once, and what was measured is kept.
func TestStopped(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer srv.Close()
	h := settings(srv.URL)
	h.QPS, h.For = []float64{100, 100}, 100*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	h.Progress = func(string) { stop() }
	points, err := h.Run(ctx)
	if err != context.Canceled || len(points) != 1 {
		t.Errorf("%d points, %v", len(points), err)
	}
}
