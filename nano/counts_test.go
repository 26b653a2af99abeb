package nano_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/nano"
)

// TestCounts: each request that is not answered as usual counts once, under what it came to.
func TestCounts(t *testing.T) {
	fails := map[string]func(ctx context.Context, in string) (any, error){
		"panic":   func(context.Context, string) (any, error) { panic("boom") },
		"abort":   func(context.Context, string) (any, error) { panic(http.ErrAbortHandler) },
		"error":   func(context.Context, string) (any, error) { return nil, errors.New("any") },
		"missing": func(context.Context, string) (any, error) { return nil, nano.Problemf(http.StatusNotFound, "") },
		"late":    func(context.Context, string) (any, error) { return slowpoke{}, nil },
	}
	for _, c := range []struct {
		name, accept, body string
		opts               []nano.Option
		gone               bool
		want               string // "" for an answer as usual
	}{
		{name: "usual", body: `"x"`},
		{name: "limited", body: `"x"`, opts: []nano.Option{nano.WithLimiter(limit{map[string]int{}})}, want: "limited"},
		{name: "breaker", body: `"x"`, opts: []nano.Option{nano.WithBreaker(&gate{shut: true})}, want: "breaker-open"},
		{name: "late", body: `"late"`, opts: []nano.Option{nano.WithBudget(nano.NewBudget(10))}, want: "encode-timeout"},
		{name: "accept", body: `"x"`, accept: "text/html", want: "not-acceptable"},
		{name: "contract", body: `"bad"`, opts: []nano.Option{nano.WithChecker(refuse{"bad"})}, want: "contract-broken"},
		{name: "large", body: `"` + strings.Repeat("x", 200) + `"`, want: "too-large"},
		{name: "malformed", body: `"`, want: "client-error"},
		{name: "missing", body: `"missing"`, want: "client-error"},
		{name: "panic", body: `"panic"`, want: "panic"},
		{name: "error", body: `"error"`, want: "server-error"},
		{name: "cut off", body: `"abort"`, want: "cut-off"},
		{name: "gone", body: `"error"`, gone: true, want: "client-gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := nano.NewService(registry(), append(c.opts, quiet(), nano.WithMaxBody(100))...)
				h := nano.HandleBy(s, func(ctx context.Context, in string) (any, error) {
					if f := fails[in]; f != nil {
						return f(ctx, in)
					}
					return in, nil
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.gone {
					cancel()
				}
				r := httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(c.body))
				r.Header.Set("Content-Type", "application/json")
				if c.accept != "" {
					r.Header.Set("Accept", c.accept)
				}
				func() {
					defer func() { _ = recover() }() // what is cut off
					h.ServeHTTP(httptest.NewRecorder(), r)
				}()
				counted(t, s, c.want)
			})
		})
	}
	t.Run("unsupported", func(t *testing.T) {
		s := nano.NewService(registry(), quiet())
		do(t, nano.HandleBy(s, func(_ context.Context, in string) (string, error) { return in, nil }),
			"POST", "/", "x", "Content-Type", "text/csv")
		counted(t, s, "unsupported")
	})
	t.Run("stream", func(t *testing.T) {
		s := nano.NewService(registry(), quiet())
		do(t, nano.HandleStreamBy(s, func(context.Context, nano.Empty) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) {
				if yield(1, nil) {
					yield(0, errors.New("any"))
				}
			}
		}), "GET", "/", "")
		counted(t, s, "stream-failed")
	})
	t.Run("snapshot", func(t *testing.T) {
		g := &gate{}
		s := nano.NewService(registry(), quiet(), nano.WithBreaker(g), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Hour), nil))
		h := nano.HandleBy(s, func(context.Context, nano.Empty) (int, error) { return 42, nil })
		do(t, h, "GET", "/", "")
		counted(t, s, "")
		g.shut = true
		do(t, h, "GET", "/", "")
		counted(t, s, "snapshot")
	})
}

// counted fails unless one exchange has ended so and none otherwise.
func counted(t *testing.T, s *nano.Service, want string) {
	t.Helper()
	for outcome, n := range s.Counts() {
		if (n == 1) != (outcome == want) || n > 1 {
			t.Errorf("%s counts %d, want one of %q alone", outcome, n, want)
		}
	}
	if _, ok := s.Counts()[want]; want != "" && !ok {
		t.Errorf("there is no outcome %q", want)
	}
}
