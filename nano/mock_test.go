package nano_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/nano"
)

var own = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "own") })

func TestMock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.Mock(nano.MockOptions{
			Allow:      func(r *http.Request) bool { return r.Header.Get("Tester") != "" },
			MaxLatency: time.Second,
		})(own)
		for _, c := range []struct {
			name   string
			fields []string
			status int
			body   string
			took   time.Duration
			mark   string
		}{
			{"no fields", []string{"Tester", "x"}, 200, "own", 0, ""},
			{"not allowed", []string{"X-Resp-Type", "error", "X-Latency-Ms", "500"}, 200, "own", 0, ""},
			{"ok", []string{"Tester", "x", "X-Resp-Type", "ok"}, 200, `{"data":"mock"}`, 0, "latency-ms=0; type=ok; qps=0"},
			{"error", []string{"Tester", "x", "X-Resp-Type", "error", "X-Latency-Ms", "250"}, 503,
				`{"error":"busy"}`, 250 * time.Millisecond, "latency-ms=250; type=error; qps=0"},
			{"latency alone", []string{"Tester", "x", "X-Latency-Ms", "40"}, 200, "own", 40 * time.Millisecond,
				"latency-ms=40; type=; qps=0"},
			{"clamped", []string{"Tester", "x", "X-Resp-Type", "ok", "X-Latency-Ms", "99999999999999999999"},
				200, `{"data":"mock"}`, time.Second, "latency-ms=1000; type=ok; qps=0"},
			{"negative", []string{"Tester", "x", "X-Latency-Ms", "-1"}, 400, "", 0, ""},
			{"no number", []string{"Tester", "x", "X-QPS-Target", "many"}, 400, "", 0, ""},
			{"rate 0", []string{"Tester", "x", "X-QPS-Target", "0"}, 400, "", 0, ""},
			{"rate alone", []string{"Tester", "x", "X-QPS-Target", "7"}, 200, "own", 0, "latency-ms=0; type=; qps=7"},
			{"beyond the rate", []string{"Tester", "x", "X-QPS-Target", "7"}, 503, `{"error":"busy"}`, 0, "latency-ms=0; type=; qps=7"},
			{"no type", []string{"Tester", "x", "X-Resp-Type", "perhaps"}, 400, "", 0, ""},
		} {
			begin := time.Now()
			w := do(t, h, "GET", "/", "", c.fields...)
			if took := time.Since(begin); w.Code != c.status || c.body != "" && w.Body.String() != c.body ||
				took != c.took || w.Header().Get(nano.MockedField) != c.mark {
				t.Errorf("%s: %d %s after %v, mark %q", c.name, w.Code, w.Body, took, w.Header().Get(nano.MockedField))
			}
		}
	})
}

// TestMockRate: of a hundred requests a second for five seconds at each of several rates, all at
// once, as many are ok as were asked for.
func TestMockRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.Mock(nano.MockOptions{Allow: func(*http.Request) bool { return true }})(own)
		rates := []int{1, 20, 50, 1000}
		ok := map[int]int{}
		for range 500 {
			for _, rate := range rates {
				switch w := do(t, h, "GET", "/", "", "X-Resp-Type", "ok", "X-QPS-Target", fmt.Sprint(rate)); w.Code {
				case 200:
					ok[rate]++
				case 503:
				default:
					t.Fatalf("%d %s", w.Code, w.Body)
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		for _, rate := range rates {
			want := min(5*rate, 500)
			if ok[rate] < want*98/100 || ok[rate] > want+rate/10+1 {
				t.Errorf("%d of 500 in 5 s are ok, want %d a second", ok[rate], rate)
			}
		}
	})
}

// TestMockRates: a sweep over all rates is forgotten.
func TestMockRates(t *testing.T) {
	h := nano.Mock(nano.MockOptions{Allow: func(*http.Request) bool { return true }})(own)
	for rate := range 2000 {
		if w := do(t, h, "GET", "/", "", "X-Resp-Type", "ok", "X-QPS-Target", fmt.Sprint(rate+1)); w.Code != 200 {
			t.Fatalf("the first of %d a second: %d", rate+1, w.Code)
		}
	}
}

func TestMockClientGone(t *testing.T) {
	h := nano.Mock(nano.MockOptions{Allow: func(*http.Request) bool { return true }})(own)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
	r.Header.Set("X-Latency-Ms", "2000")
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("%v", p)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), r)
	t.Error("answered")
}

func TestMockNeedsPermission(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Mock without Allow is possible")
		}
	}()
	nano.Mock(nano.MockOptions{})
}
