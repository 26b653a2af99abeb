package capture_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/zmylab/zmy/codec/capture"
	"github.com/zmylab/zmy/examples/order"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/internal/cputime"
	"github.com/zmylab/zmy/internal/longtest"
)

// BenchmarkLearn is the cost of one value that is looked at, beside marshalling it.
func BenchmarkLearn(b *testing.B) {
	o, s := order.SampleOrder(rand.New(rand.NewPCG(1, 1))), session.SampleUserSession(rand.New(rand.NewPCG(1, 1)))
	for name, v := range map[string]any{"order": &o, "session": &s} {
		text, err := json.Marshal(v)
		if err != nil {
			b.Fatal(err)
		}
		c := capture.New(capture.Options{Rate: 1})
		for what, f := range map[string]func(){
			"value": func() { c.Value(v) }, "json": func() { c.JSON("x", text, nil) },
			"marshal": func() { _, _ = json.Marshal(v) }, "not chosen": never(v),
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
	}
}

func never(v any) func() {
	c := capture.New(capture.Options{Rate: 1e-12})
	return func() { c.Value(v) }
}

// mostOfService is the share of a service's processor time that capturing 1% may take.
const mostOfService = 0.005

// TestServiceCost: a service that reads and answers an order of 2 KB spends at most 0.5% of its
// processor time on capturing 1% of its bodies.
func TestServiceCost(t *testing.T) {
	longtest.Only(t, "times a service")
	v := order.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	body, err := json.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in order.Order
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(&in)
	})
	c := capture.New(capture.Options{Seed: 1})
	types := capture.TypesOf[order.Order, order.Order]()
	servers := []*httptest.Server{httptest.NewServer(handler), httptest.NewServer(c.Bodies(handler, types))}
	// The difference of two services is within the noise. So the cost of a request that is looked at is
	// measured by itself, in the same rounds, and 1% of it is compared with a request.
	whole := capture.New(capture.Options{Rate: 1})
	works := []func(){func() { request(t, servers[0].URL, body) }, func() { request(t, servers[1].URL, body) }, func() {
		whole.JSON("", body, types.Request)
		whole.JSON("", body, types.Response)
	}}
	times := make([][]float64, len(works))
	const calls, rounds = 400, 120
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		for _, i := range r.Perm(len(works)) {
			start, ok := cputime.Process()
			if !ok {
				t.Skip("no processor time here")
			}
			for range calls {
				works[i]()
			}
			end, _ := cputime.Process()
			times[i] = append(times[i], float64(end-start)/calls)
		}
	}
	for _, s := range servers {
		s.Close()
	}
	plain, captured, learn := calm(times[0]), calm(times[1]), calm(times[2])
	share := 0.01 * learn / plain
	t.Logf("a request takes %.0f µs of processor time, %.0f µs with capture; learning both bodies takes %.0f µs: %.2f%% at 1%%",
		plain/1e3, captured/1e3, learn/1e3, 100*share)
	if share > mostOfService {
		t.Errorf("capturing 1%% takes %.2f%% of a service's processor time, more than %.1f%%", 100*share, 100*mostOfService)
	}
}

// request posts a body, and reads the answer.
func request(t *testing.T, url string, body []byte) {
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}
