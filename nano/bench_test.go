package nano_test

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/nano"
)

// sink is a response writer that costs next to nothing.
type sink struct {
	h      http.Header
	status int
	n      int
}

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { s.n += len(b); return len(b), nil }

// body is a request body that can be read again and again.
type body struct{ bytes.Reader }

func (*body) Close() error { return nil }

// exchanges are the request and writer of a benchmark.
type exchanges struct {
	w    sink
	r    *http.Request
	b    body
	text []byte
}

func newExchanges(t testing.TB, text string, fields ...string) *exchanges {
	e := &exchanges{w: sink{h: http.Header{}}, r: request(t, "POST", "/orders", http.NoBody, fields...), text: []byte(text)}
	e.r.Body, e.r.ContentLength = &e.b, int64(len(text))
	return e
}

func (e *exchanges) serve(h http.Handler) {
	clear(e.w.h)
	e.b.Reset(e.text)
	h.ServeHTTP(&e.w, e.r)
}

// byHand is what nano is compared with: the same work without checks, limits,
// negotiation and errors that say where.
func byHand(pool *codec.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := pool.Get(int(r.ContentLength))
		defer in.Release()
		in.B = in.B[:r.ContentLength]
		if _, err := io.ReadFull(r.Body, in.B); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var v ask
		if err := fxjson.Unmarshal(in.B, &v); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reply, err := greet(r.Context(), v)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		out := pool.Get(64)
		defer out.Release()
		if out.B, err = fxjson.Append(out.B, &reply); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(out.B)))
		_, _ = w.Write(out.B)
	})
}

const posted = `{"name":"Ada Lovelace","count":42}`

var contenders = []struct {
	name string
	h    http.Handler
}{
	{"bare", byHand(new(codec.Pool))},
	{"nano", nano.Handle(codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}, codec.Gob{}), greet, quiet())},
}

// TestOverhead: nano takes at most three allocations more than the handler by hand.
func TestOverhead(t *testing.T) {
	var allocs [2]float64
	for i, c := range contenders {
		e := newExchanges(t, posted, "Content-Type", "application/json", "Accept", "application/json")
		allocs[i] = testing.AllocsPerRun(200, func() { e.serve(c.h) })
		if e.w.n == 0 {
			t.Fatalf("%s has written nothing", c.name)
		}
	}
	if !raceEnabled && allocs[1]-allocs[0] > 3 {
		t.Errorf("nano takes %v allocations, the handler by hand %v; at most 3 more are the goal", allocs[1], allocs[0])
	}
}

func BenchmarkHandle(b *testing.B) {
	for _, c := range contenders {
		b.Run(c.name, func(b *testing.B) {
			e := newExchanges(b, posted, "Content-Type", "application/json", "Accept", "application/json")
			b.ReportAllocs()
			for b.Loop() {
				e.serve(c.h)
			}
		})
	}
}

func BenchmarkNegotiate(b *testing.B) {
	reg := registry()
	for _, accept := range []string{"", "application/json", "*/*", "application/vnd.zmy, application/json;q=0.5",
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"} {
		b.Run(accept, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := reg.Negotiate(accept); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStream(b *testing.B) {
	h := nano.HandleStream(registry(), count, quiet())
	for _, accept := range []string{"application/x-ndjson", "application/vnd.zmy-frames"} {
		b.Run(accept, func(b *testing.B) {
			e := newExchanges(b, `{"name":"x","count":100}`, "Content-Type", "application/json", "Accept", accept)
			b.ReportAllocs()
			for b.Loop() {
				e.serve(h)
			}
		})
	}
}
