package nano_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/nano"
)

// gate is a Limiter and Breaker that a test opens and shuts.
type gate struct {
	mu       sync.Mutex
	shut     bool
	outcomes []error
}

func (g *gate) Allow(nano.Key) (func(error), time.Duration, bool) {
	if g.shut {
		return nil, 1500 * time.Millisecond, false
	}
	return func(err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.outcomes = append(g.outcomes, err)
	}, 0, true
}

type limit struct{ left map[string]int }

func (l limit) Allow(k nano.Key) (time.Duration, bool) {
	l.left[k.Tenant]--
	return 0, l.left[k.Tenant] >= 0
}

func tenant(r *http.Request) nano.Key { return nano.Key{Tenant: r.Header.Get("Tenant")} }

func TestLimiter(t *testing.T) {
	h := nano.Handle(registry(), greet, nano.WithKey(tenant), nano.WithLimiter(limit{map[string]int{"a": 2, "b": 1}}))
	for i, c := range []struct {
		tenant string
		status int
	}{{"a", 200}, {"b", 200}, {"a", 200}, {"a", 429}, {"b", 429}, {"", 429}} {
		w := do(t, h, "GET", "/", "", "Tenant", c.tenant)
		if w.Code != c.status || (w.Header().Get("Retry-After") == "1") != (c.status == 429) {
			t.Errorf("%d: %d %v", i, w.Code, w.Header())
		}
	}
}

// TestBreakerOutcomes: what a breaker hears of each exchange.
func TestBreakerOutcomes(t *testing.T) {
	other := errors.New("no database")
	for _, c := range []struct {
		name   string
		f      func(ctx context.Context) (any, error)
		failed error // nil for a success
	}{
		{"success", func(context.Context) (any, error) { return 1, nil }, nil},
		{"client's fault", func(context.Context) (any, error) { return nil, nano.Problemf(404, "") }, nil},
		{"server's fault", func(context.Context) (any, error) { return nil, other }, other},
		{"cannot be encoded", func(context.Context) (any, error) { return make(chan int), nil }, errAny},
		{"contract", func(context.Context) (any, error) { return "bad", nil }, errAny},
		{"panic", func(context.Context) (any, error) { panic("x") }, errAny},
		{"abort", func(context.Context) (any, error) { panic(http.ErrAbortHandler) }, http.ErrAbortHandler},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &gate{}
			h := nano.Handle(registry(), func(ctx context.Context, _ nano.Empty) (any, error) { return c.f(ctx) },
				quiet(), nano.WithBreaker(g), nano.WithChecker(refuse{"bad"}))
			func() {
				defer func() { _ = recover() }()
				do(t, h, "GET", "/", "")
			}()
			if len(g.outcomes) != 1 {
				t.Fatalf("told %d times", len(g.outcomes))
			}
			got := g.outcomes[0]
			if (got == nil) != (c.failed == nil) || c.failed != nil && !errors.Is(c.failed, errAny) && !errors.Is(got, c.failed) {
				t.Errorf("%v, want %v", got, c.failed)
			}
		})
	}
	g := &gate{}
	ctx, cancel := context.WithCancel(t.Context())
	h := nano.Handle(registry(), func(ctx context.Context, _ nano.Empty) (any, error) { cancel(); return nil, ctx.Err() },
		quiet(), nano.WithBreaker(g))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/", nil))
	if len(g.outcomes) != 1 || !errors.Is(g.outcomes[0], context.Canceled) || w.Code != nano.StatusClientGone {
		t.Errorf("client gone: %v, status %d", g.outcomes, w.Code)
	}
}

var errAny = errors.New("any")

func TestSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		n := 0
		h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { n++; return answer{"x", n}, nil },
			quiet(), nano.WithKey(tenant), nano.WithBreaker(g), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil))
		get := func(fields ...string) *httptest.ResponseRecorder { return do(t, h, "GET", "/a?b", "", fields...) }
		get("Tenant", "a")
		get("Tenant", "secret", "Authorization", "me")
		g.shut = true
		time.Sleep(7 * time.Second)
		w := get("Tenant", "a")
		if w.Code != 200 || w.Body.String() != `{"text":"x","n":1}` || w.Header().Get("Age") != "7" ||
			w.Header().Get("Cache-Status") != "nano; hit; detail=breaker-open" {
			t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
		}
		for _, fields := range [][]string{
			{"Tenant", "b"}, // another tenant
			{"Tenant", "a", "Accept", "application/vnd.zmy"}, // another form
			{"Tenant", "secret", "Authorization", "me"},      // whoever may see it
			{"Tenant", "secret"},
		} {
			w := get(fields...)
			if w.Code != 503 || w.Header().Get("Retry-After") != "2" {
				t.Errorf("%q: %d %v %s", fields, w.Code, w.Header(), w.Body)
			}
		}
		time.Sleep(time.Minute)
		if w := get("Tenant", "a"); w.Code != 503 {
			t.Errorf("too old: %d", w.Code)
		}
		g.shut = false
		get("Tenant", "a")
		g.shut = true
		if w := get("Tenant", "a"); w.Body.String() != `{"text":"x","n":3}` {
			t.Errorf("not renewed: %s", w.Body)
		}
	})
}

// TestLate: an answer that took too long to encode is none.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.Handle(registry(), func(context.Context, nano.Empty) (any, error) { return slowpoke{}, nil },
			quiet(), nano.WithBudget(nano.NewBudget(10)))
		w := do(t, h, "GET", "/", "")
		if p := problem(t, w); w.Code != 503 || p.Detail != "the answer took too long to encode" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		r := httptest.NewRequest("GET", "/", nil)
		r = r.WithContext(nano.Prioritize(r.Context(), nano.High))
		for range 2 {
			w := httptest.NewRecorder()
			quick := nano.Handle(registry(), func(context.Context, nano.Empty) (any, error) { time.Sleep(time.Hour); return 1, nil },
				quiet(), nano.WithBudget(nano.NewBudget(10)))
			if quick.ServeHTTP(w, r); w.Code != 200 {
				t.Errorf("the function's own time counts: %d %s", w.Code, w.Body)
			}
		}
	})
}

// TestSnapshotsApart: answers of other hosts, schemes and mount points are no answers.
func TestSnapshotsApart(t *testing.T) {
	g := &gate{}
	s := nano.NewService(registry(), quiet(), nano.WithBreaker(g), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil))
	at := func(path string) http.Handler {
		return http.StripPrefix(path, nano.HandleBy(s, func(context.Context, nano.Empty) (string, error) { return path, nil }))
	}
	mux := http.NewServeMux()
	mux.Handle("a.example/v1/", at("/v1"))
	mux.Handle("/v1/", at("/v1"))
	mux.Handle("/v2/", at("/v2"))
	const kept = "http://a.example/v1/x"
	do(t, mux, "GET", kept, "")
	g.shut = true
	for target, status := range map[string]int{
		kept:                     200,
		"https://a.example/v1/x": 503,
		"http://b.example/v1/x":  503,
		"http://a.example/v2/x":  503,
		"http://a.example/v1/y":  503,
	} {
		if w := do(t, mux, "GET", target, ""); w.Code != status {
			t.Errorf("%s: %d %s, want %d", target, w.Code, w.Body, status)
		}
	}
}

// TestSnapshotsOfNobody: what was made for somebody is nobody else's, however he says who he is.
func TestSnapshotsOfNobody(t *testing.T) {
	secure := &tls.ConnectionState{}
	known := &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{Raw: []byte("Ada")}}}
	field := func(name string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, "Ada") }
	}
	for _, c := range []struct {
		name  string
		state *tls.ConnectionState
		made  func(*http.Request)
		kept  bool
	}{
		{"nobody", nil, nil, true},
		{"nobody, TLS", secure, nil, true},
		{"another field", secure, field("User-Agent"), true},
		{"Authorization", nil, field("Authorization"), false},
		{"Proxy-Authorization", nil, field("Proxy-Authorization"), false},
		{"Cookie", nil, field("Cookie"), false},
		{"client certificate", secure, func(r *http.Request) { r.TLS = known }, false},
	} {
		g := &gate{}
		h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) { return answer{"for Ada", 1}, nil },
			quiet(), nano.WithBreaker(g), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil))
		get := func(change func(*http.Request)) int {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
			r.TLS = c.state
			if change != nil {
				change(r)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		if code := get(c.made); code != 200 {
			t.Fatalf("%s: %d", c.name, code)
		}
		g.shut = true
		if code := get(nil); (code == 200) != c.kept {
			t.Errorf("%s: then anybody gets %d", c.name, code)
		}
		g.shut = false
		if code := get(nil); code != 200 {
			t.Fatal(code)
		}
		g.shut = true
		if code := get(c.made); (code == 200) != c.kept {
			t.Errorf("%s: gets %d of what was made for nobody", c.name, code)
		}
	}
}

// TestSnapshotHeader: a snapshot has no header fields of the answer that it replaces, but those of
// middleware.
func TestSnapshotHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out any = answer{"old", 1}
		h := nano.Handle(registry(), func(ctx context.Context, _ nano.Empty) (any, error) {
			h := nano.FromContext(ctx).Header()
			h.Set("ETag", `"new"`)
			h.Add("Vary", "Cookie")
			h.Set("Server-Timing", "f")
			return out, nil
		}, quiet(), nano.WithBudget(nano.NewBudget(10)), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil))
		outer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Server-Timing", "middleware")
			h.ServeHTTP(w, r)
		})
		if w := do(t, outer, "GET", "/", ""); w.Code != 200 || w.Header().Get("ETag") != `"new"` {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		out = slowpoke{}
		w := do(t, outer, "GET", "/", "")
		if w.Code != 200 || w.Body.String() != `{"text":"old","n":1}` {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		got := w.Header()
		if got.Get("ETag") != "" || fmt.Sprint(got["Vary"]) != "[Accept]" || fmt.Sprint(got["Server-Timing"]) != "[middleware]" ||
			got.Get("Cache-Status") != "nano; hit; detail=encode-timeout" {
			t.Errorf("%v", got)
		}
	})
}

// slowpoke takes 300 ms to encode.
type slowpoke struct{}

func (slowpoke) MarshalJSON() ([]byte, error) {
	time.Sleep(300 * time.Millisecond)
	return []byte("1"), nil
}

func TestSnapshotsAreBounded(t *testing.T) {
	c := nano.NewSnapshots(100<<10, time.Minute)
	g := &gate{}
	h := nano.Handle(registry(), func(context.Context, nano.Empty) (answer, error) {
		return answer{string(make([]byte, 100)), 1}, nil
	}, quiet(), nano.WithBreaker(g), nano.WithSnapshots(c, nil))
	for i := range 10_000 {
		do(t, h, "GET", fmt.Sprintf("/%d", i), "")
	}
	g.shut = true
	kept := 0
	for i := range 10_000 {
		if do(t, h, "GET", fmt.Sprintf("/%d", i), "").Code == 200 {
			kept++
		}
	}
	if kept == 0 || kept > 200 {
		t.Errorf("%d answers are kept in 100 KiB", kept)
	}
}
