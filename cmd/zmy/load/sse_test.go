package load

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/cmd/zmy/serve"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// demo is zmy serve -mock in this process, whose usage is made up.
func demo(t *testing.T, flush string) *Target {
	t.Helper()
	s, err := serve.New(t.Context(), serve.Options{Seed: 1, Mock: true, Flush: flush, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	})
	var asked int64
	return &Target{URL: srv.URL, Usage: func(context.Context) (Usage, error) {
		asked++ // alone, with connections, then before and after each point, and its memory
		return Usage{CPU: time.Duration(asked) * time.Second, RSS: 100_000 + 1000*asked}, nil
	}}
}

// TestSSE measures the demo service: every policy, codec and size, whose events all come, with
// numbers that are what they are said to be.
func TestSSE(t *testing.T) {
	t.Parallel()
	s := &SSE{Conns: 5, Rates: []float64{400}, Burst: 4, Sizes: []int{300, 6000}, Codecs: feed.Names(),
		For: 50 * time.Millisecond, Timeout: time.Minute, Rounds: 1, Seed: 3}
	for _, p := range serve.FlushPolicies {
		s.Targets = append(s.Targets, demo(t, p.Name))
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 4 || len(r.Points) != 4*2*6 || r.Wrong() != 0 {
		t.Fatalf("%d groups, %d points, %d deliveries are wrong", len(r.Groups), len(r.Points), r.Wrong())
	}
	for _, g := range r.Groups {
		bytes, known := g.PerConn(g.With)
		if g.Open != 5 || g.Opened.N() != 5 || bytes != 200 || known || g.Alone.RSS != 101_000 {
			t.Errorf("%+v: %g bytes a connection, known %t", g, bytes, known)
		}
	}
	for i, c := range (&sseView{SSE: s, r: r}).cells() {
		if c.Flush != serve.FlushPolicies[i%4].Name || c.Group != i%4 || c.Codec != feed.Names()[i/4%6] ||
			c.Size != s.Sizes[i/24] || len(c.rounds) != 1 {
			t.Fatalf("row %d is %s %s %d", i, c.Flush, c.Codec, c.Size)
		}
	}
	for _, p := range r.Points {
		n := uint64(p.Published * 5)
		if p.Published == 0 || p.Published%4 != 0 || p.Delivered != int64(n) || p.Latency.N() != n ||
			p.First.N() != n || p.Late.N() != uint64(p.Published) || p.Decode.N() != uint64(p.Published) {
			t.Errorf("%+v", p)
		}
		if p.Server.CPU != time.Second || p.Collected-p.Server.RSS != 1000 {
			t.Errorf("usage %+v, %d collected", p.Server, p.Collected)
		}
		if p.Latency.Max() > float64(time.Since(begin)) || p.First.Quantile(0.5) > p.Latency.Quantile(0.5)*1.02 ||
			p.Seconds <= 0 || p.Seconds > time.Since(begin).Seconds() {
			t.Errorf("first byte after %g ns, whole after %g and %g at most, %g s", p.First.Quantile(0.5),
				p.Latency.Quantile(0.5), p.Latency.Max(), p.Seconds)
		}
		mean, sent := float64(p.Bytes)/float64(p.Published), float64(p.Sent)/float64(p.Delivered)
		if text := strings.HasSuffix(p.Codec, "json"); text && (math.Abs(mean-float64(p.Size)) > 25 || sent != mean) ||
			!text && math.Abs(sent-mean*4/3) > 3 {
			t.Errorf("%s of %d: %g bytes, %g of them sent", p.Codec, p.Size, mean, sent)
		}
	}
	x, err := s.Experiment(r, run.Host{}, []string{"zmy", "load", "sse"}, begin)
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	if len(x.Tables) != 4 || len(x.Charts) == 0 || !strings.Contains(x.Findings[0], "once, whole and in order") ||
		x.Name != "load-sse-flush" {
		t.Errorf("%d tables, %d charts, %q", len(x.Tables), len(x.Charts), x.Findings)
	}
	var again SSEResult
	if err := json.Unmarshal(x.Data, &again); err != nil || len(again.Points) != len(r.Points) ||
		again.Points[3].Latency.Max() != r.Points[3].Latency.Max() {
		t.Errorf("%v: %d points", err, len(again.Points))
	}
	for _, write := range []func(io.Writer, *run.Experiment) error{report.ExperimentHTML, report.ExperimentMarkdown} {
		var b bytes.Buffer
		if err := write(&b, x); err != nil || !strings.Contains(b.String(), "CPU a delivery") {
			t.Errorf("%v, %d bytes", err, b.Len())
		}
	}
}

// TestPerConn: a connection's memory is told of many connections only, and where the server's is
// known.
func TestPerConn(t *testing.T) {
	for _, c := range []struct {
		open       int
		alone, rss int64
		want       float64
		known      bool
	}{
		{1000, 10e6, 37e6, 27e3, true},
		{499, 10e6, 37e6, 27e6 / 499.0, false},
		{1000, 0, 37e6, 37e3, false},
		{1000, 10e6, 0, -10e3, false},
		{0, 10e6, 37e6, 27e6, false},
	} {
		g := &SSEGroup{Open: c.open, Alone: Usage{RSS: c.alone}}
		if got, known := g.PerConn(Usage{RSS: c.rss}); got != c.want || known != c.known {
			t.Errorf("%+v: %g, %t", c, got, known)
		}
	}
}

// TestSSEStopped: Ctrl-C ends a point at once, and what came before is kept and not taken for lost.
func TestSSEStopped(t *testing.T) {
	s := &SSE{Targets: []*Target{demo(t, "")}, Conns: 3, Rates: []float64{100}, Burst: 1, Sizes: []int{0},
		Codecs: []string{"json", "zmy"}, For: time.Hour, Timeout: time.Minute, Rounds: 1, Seed: 1}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	seen := make(chan struct{})
	s.Progress = func(string) { close(seen) } // the connections are open
	go func() {
		<-seen
		for { // until something was delivered
			var st feed.State
			if err := call(ctx, "GET", s.Targets[0].URL+feed.StatePath, nil, &st); err != nil || st.Stats.Delivered > 10 {
				stop()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r, err := s.Run(ctx)
	if err != context.Canceled || len(r.Points) != 1 {
		t.Fatalf("%v, %d points", err, len(r.Points))
	}
	p := r.Points[0]
	if !p.Partial || p.Delivered == 0 || p.Published == 0 || p.Wrong() != 0 || p.Latency.N() != uint64(p.Delivered) {
		t.Errorf("%+v", p)
	}
	x, err := s.Experiment(r, run.Host{}, nil, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
}

// TestSSEGone: a server that goes in the middle ends the measurement with an error that says so.
func TestSSEGone(t *testing.T) {
	target := demo(t, "")
	s := &SSE{Targets: []*Target{target}, Conns: 3, Rates: []float64{100}, Burst: 1, Sizes: []int{0},
		Codecs: []string{"json"}, For: time.Hour, Timeout: time.Minute, Rounds: 1, Seed: 1}
	u, err := url.Parse(target.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, u.Host)
	target.URL = "http://" + p.l.Addr().String()
	s.Progress = func(string) { time.AfterFunc(300*time.Millisecond, p.end) }
	r, err := s.Run(t.Context())
	if err == nil || len(r.Groups) != 1 || len(r.Points) > 1 {
		t.Fatalf("%v, %d groups, %d points", err, len(r.Groups), len(r.Points))
	}
	if !strings.Contains(err.Error(), feed.EventsPath) {
		t.Errorf("%v", err)
	}
}

// TestSSENoServer: what is no zmy serve -mock is said before anything is measured.
func TestSSENoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + l.Addr().String()
	l.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/text" + feed.StatePath:
			_, _ = io.WriteString(w, "hello")
		case "/few" + feed.StatePath:
			_, _ = io.WriteString(w, `{"codecs":["json"]}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer other.Close()
	for _, c := range []struct{ url, want string }{
		{gone, "connection refused"},
		{other.URL, "404 Not Found: 404 page not found; want a server started by zmy serve -mock"},
		{other.URL + "/text", "something else"},
		{other.URL + "/few", `no events in codec "zmy"`},
	} {
		s := &SSE{Targets: []*Target{{URL: c.url}}, Conns: 1, Rates: []float64{1}, Burst: 1, Sizes: []int{0},
			Codecs: []string{"zmy"}, For: time.Second, Timeout: time.Second, Rounds: 1}
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.url, err, c.want)
		}
	}
}

func TestSSECheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*SSE)
		want   string // part of the error, "" for none
	}{
		{"fine", func(*SSE) {}, ""},
		{"no server", func(s *SSE) { s.Targets = nil }, "no server"},
		{"no URL", func(s *SSE) { s.Targets[0].URL = "localhost:80" }, "no URL"},
		{"https", func(s *SSE) { s.Targets[0].URL = "https://localhost" }, "no URL"},
		{"elsewhere", func(s *SSE) { s.Targets[0].URL = "http://example.com" }, "not this machine"},
		{"no connection", func(s *SSE) { s.Conns = 0 }, "-conns 0"},
		{"no timeout", func(s *SSE) { s.Timeout = 0 }, "-timeout"},
		{"no round", func(s *SSE) { s.Rounds = 0 }, "-rounds 0"},
		{"no codec", func(s *SSE) { s.Codecs = nil }, "-codecs"},
		{"other codec", func(s *SSE) { s.Codecs = []string{"json", "yaml"} }, `no codec "yaml"`},
		{"rate", func(s *SSE) { s.Rates = []float64{-1} }, "rate -1"},
		{"not a rate", func(s *SSE) { s.Rates = []float64{math.NaN()} }, "rate NaN"},
		{"size", func(s *SSE) { s.Sizes = []int{1 << 30} }, "size"},
		{"burst", func(s *SSE) { s.Burst = 0 }, "burst 0"},
		{"for", func(s *SSE) { s.For = 0 }, "for 0s"},
		{"nothing due", func(s *SSE) { s.Rates, s.Burst = []float64{10}, 100 }, "less than one event"},
	} {
		s := &SSE{Targets: []*Target{{URL: "http://127.0.0.1:1"}}, Conns: 1, Rates: []float64{10}, Burst: 1,
			Sizes: []int{0}, Codecs: []string{"zmy"}, For: time.Second, Timeout: time.Second, Rounds: 1}
		c.change(s)
		err := s.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestAffordable: files of both ends are those of two processes, and what cannot be reached is
// said.
func TestAffordable(t *testing.T) {
	for _, c := range []struct{ conns, targets, files, want int }{
		{10_000, 1, 20_000, 10_000},
		{10_000, 1, 0, 10_000},
		{10_000, 1, 1024, 960},
		{10_000, 4, 20_000, 4984},
		{5, 1, 65, 1},
		{5, 2, 10, 1},
	} {
		got, why := affordable(c.conns, c.targets, c.files)
		if got != c.want || (why == "") != (got == c.conns) || why != "" && !strings.Contains(why, "ulimit") {
			t.Errorf("%+v: %d, %q", c, got, why)
		}
	}
}

func TestReadMetrics(t *testing.T) {
	const text = "# HELP process_cpu_seconds_total x\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total " +
		"1.25\ngo_goroutines 8\nprocess_resident_memory_bytes 2.5e+07\n"
	u, err := readMetrics(strings.NewReader(text))
	if err != nil || u != (Usage{1250 * time.Millisecond, 25e6}) {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := readMetrics(strings.NewReader(text[:80])); err == nil {
		t.Error("metrics without a process's are enough")
	}
}
