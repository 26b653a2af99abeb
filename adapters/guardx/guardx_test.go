package guardx_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/adapters/guardx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

var failure = errors.New("down")

// ask sends n requests with that outcome and returns how many were admitted.
func ask(b *guardx.Breakers, k nano.Key, n int, outcome error) (admitted int) {
	for range n {
		if done, _, ok := b.Allow(k); ok {
			admitted++
			done(outcome)
		}
	}
	return admitted
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes []string
		b := guardx.NewBreakers(guardx.BreakerOptions{OnChange: func(k nano.Key, from, to guardx.State) {
			changes = append(changes, fmt.Sprintf("%s %v-%v", k.Tenant, from, to))
		}})
		a1, a2, other := nano.Key{Tenant: "a", Version: "1"}, nano.Key{Tenant: "a", Version: "2"}, nano.Key{Tenant: "b", Version: "1"}
		ask(b, a1, 40, nil)
		if n := ask(b, a1, 60, failure); n != 60 || b.State(a1) != guardx.Closed { // 60% is not more than 60%
			t.Fatalf("%d of 60 admitted, %v", n, b.State(a1))
		}
		ask(b, a1, 1000, context.Canceled) // says nothing
		if b.State(a1) != guardx.Closed {
			t.Fatal("opened by clients that went away")
		}
		if n := ask(b, a1, 10, failure); n != 1 || b.State(a1) != guardx.Open {
			t.Fatalf("%d of 10 admitted, %v", n, b.State(a1))
		}
		for _, k := range []nano.Key{a2, other} {
			if ask(b, k, 10, nil) != 10 {
				t.Errorf("%+v suffers with %+v", k, a1)
			}
		}
		if got := fmt.Sprint(b.Counts()); got != "map[closed:2 half-open:0 open:1]" {
			t.Errorf("counts %s", got)
		}
		time.Sleep(10 * time.Second)
		if _, retry, ok := b.Allow(a1); ok || retry != 20*time.Second {
			t.Errorf("retry in %v, want 20 s", retry)
		}
		time.Sleep(21 * time.Second)
		if n := ask(b, a1, 1, failure); n != 1 || b.State(a1) != guardx.Open {
			t.Errorf("a trial that fails: %d, %v", n, b.State(a1))
		}
		time.Sleep(31 * time.Second)
		var dones []func(error)
		for range 10 {
			if done, retry, ok := b.Allow(a1); ok {
				dones = append(dones, done)
			} else if retry != time.Second {
				t.Errorf("half-open: retry in %v", retry)
			}
		}
		if len(dones) != 5 {
			t.Errorf("%d trials", len(dones))
		}
		for _, done := range dones {
			done(nil)
		}
		if b.State(a1) != guardx.Closed || ask(b, a1, 10, nil) != 10 {
			t.Errorf("not closed: %v", b.State(a1))
		}
		want := "[a closed-open a open-half-open a half-open-open a open-half-open a half-open-closed]"
		if got := fmt.Sprint(changes); got != want {
			t.Errorf("changes %s, want %s", got, want)
		}
	})
}

// TestOf: a tenant of its own kind opens sooner and is tried again sooner, the others are as ever.
func TestOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		b := guardx.NewBreakers(guardx.BreakerOptions{Open: time.Minute, Trials: 2, Of: func(k nano.Key) (guardx.BreakerOptions, bool) {
			asked++
			return guardx.BreakerOptions{Least: 4, Failures: 0.25, Open: 5 * time.Second}, k.Tenant == "batch"
		}})
		batch, other := nano.Key{Tenant: "batch"}, nano.Key{Tenant: "other"}
		for _, k := range []nano.Key{batch, other} {
			ask(b, k, 2, nil)
			ask(b, k, 2, failure)
		}
		if b.State(batch) != guardx.Open || b.State(other) != guardx.Closed {
			t.Fatalf("after half of four have failed: batch %v, other %v", b.State(batch), b.State(other))
		}
		ask(b, other, 20, failure)
		for k, want := range map[nano.Key]time.Duration{batch: 5 * time.Second, other: time.Minute} {
			if _, retry, ok := b.Allow(k); ok || retry != want {
				t.Errorf("%s: retry in %v, want %v", k.Tenant, retry, want)
			}
		}
		time.Sleep(6 * time.Second)
		if n := ask(b, batch, 2, nil); n != 2 || b.State(batch) != guardx.Closed || b.State(other) != guardx.Open {
			t.Errorf("after its own time: %d of 2 trials, batch %v, other %v", n, b.State(batch), b.State(other))
		}
		if asked != 2 {
			t.Errorf("asked %d times about two tenants", asked)
		}
	})
}

// TestWindow: failures are forgotten after the window.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, k := guardx.NewBreakers(guardx.BreakerOptions{}), nano.Key{}
		ask(b, k, 19, failure)
		time.Sleep(67 * time.Second)
		if ask(b, k, 19, failure); b.State(k) != guardx.Closed {
			t.Error("opened by failures of longer ago than the window")
		}
		if ask(b, k, 1, failure); b.State(k) != guardx.Open {
			t.Error("not opened by 20 failures")
		}
	})
}

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := guardx.NewLimiters(guardx.LimiterOptions{Rate: 10, Burst: 3, Of: func(tenant string) (float64, int, bool) {
			return 0, 0, tenant == "blocked"
		}})
		a, b := nano.Key{Tenant: "a", Version: "1"}, nano.Key{Tenant: "b"}
		for i := range 5 {
			a.Version = fmt.Sprint(i) // shared by all versions
			retry, ok := l.Allow(a)
			if ok != (i < 3) || !ok && (retry <= 0 || retry > 100*time.Millisecond) {
				t.Errorf("%d: %v, retry in %v", i, ok, retry)
			}
		}
		if _, ok := l.Allow(b); !ok {
			t.Error("one tenant suffers from another")
		}
		if _, ok := l.Allow(nano.Key{Tenant: "blocked"}); ok {
			t.Error("blocked tenant admitted")
		}
		time.Sleep(100 * time.Millisecond)
		if _, ok := l.Allow(a); !ok {
			t.Error("refused requests count")
		}
	})
}

// TestRefusedTakeNothing: many goroutines that are refused at one time leave the
// tenant its rate.
func TestRefusedTakeNothing(t *testing.T) {
	for _, perSecond := range []float64{0.5, 10, 1000} {
		synctest.Test(t, func(t *testing.T) {
			const burst, goroutines, each = 5, 16, 2000
			interval := time.Duration(float64(time.Second) / perSecond)
			l, k := guardx.NewLimiters(guardx.LimiterOptions{Rate: perSecond, Burst: burst}), nano.Key{Tenant: "a"}
			var admitted, late atomic.Int64
			var wg sync.WaitGroup
			for range goroutines {
				wg.Go(func() {
					for range each {
						if retry, ok := l.Allow(k); ok {
							admitted.Add(1)
						} else if retry <= 0 || retry > interval {
							late.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if admitted.Load() != burst || late.Load() > 0 {
				t.Errorf("%v/s: %d admitted, want %d; %d told to retry not within %v", perSecond,
					admitted.Load(), burst, late.Load(), interval)
			}
			time.Sleep(interval)
			if retry, ok := l.Allow(k); !ok {
				t.Errorf("%v/s: after one interval a lone request is refused, retry in %v", perSecond, retry)
			}
		})
	}
}

// TestTenantFlood: as many tenants as are allowed are remembered, whoever calls.
func TestTenantFlood(t *testing.T) {
	b := guardx.NewBreakers(guardx.BreakerOptions{Keys: 1000})
	l := guardx.NewLimiters(guardx.LimiterOptions{Rate: 1, Keys: 1000})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 25_000 {
				k := nano.Key{Tenant: fmt.Sprint(g, i)}
				l.Allow(k)
				ask(b, k, 1, failure)
			}
		})
	}
	wg.Wait()
	if b.Len() != 1000 || l.Len() != 1000 {
		t.Errorf("%d breakers and %d limiters are remembered, want 1000", b.Len(), l.Len())
	}
}

// TestServed: the answers of a service that fails, and its last good one.
func TestServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down bool
		h := nano.Handle(codec.NewRegistry(codec.FXJSON{}), func(context.Context, nano.Empty) (int, error) {
			if down {
				return 0, failure
			}
			return 42, nil
		}, nano.WithBreaker(guardx.NewBreakers(guardx.BreakerOptions{})), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Hour), nil),
			nano.WithLimiter(guardx.NewLimiters(guardx.LimiterOptions{Rate: 100})), nano.WithLogger(slog.New(slog.DiscardHandler)))
		statuses := map[string]int{}
		for i := range 200 {
			down = i > 0
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
			statuses[fmt.Sprint(w.Code, " ", w.Header().Get("Cache-Status"))]++
		}
		want := map[string]int{"200 ": 1, "500 ": 19, "200 nano; hit; detail=breaker-open": 80, "429 ": 100}
		if fmt.Sprint(statuses) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", statuses, want)
		}
	})
}
