package nano_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

var soak = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// TestSoak (go test ./nano -run TestSoak -soak 10m) has clients of every kind at a service at once:
// those that call and stream in each codec, over connections that break, of ever new tenants; those
// that send nonsense, stop half-way, read nothing or vanish. Whatever is taken for whole must be
// whole, and afterwards no goroutine is left and memory is what it was.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("run with -soak 10m")
	}
	s := newSoaked(t)
	s.run(t, 2*time.Second) // warm up: pools, connections, code
	before := s.heap(t)
	s.run(t, *soak)
	after := s.heap(t)
	t.Logf("%d calls, %d streams, %d disturbances; heap %d KiB before, %d KiB after", s.calls.Load(),
		s.streams.Load(), s.disturbed.Load(), before>>10, after>>10)
	if after > before+before/10+4<<20 { // 4 MiB: budgets of the tenants that the warm-up has not met
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	if s.calls.Load() == 0 || s.streams.Load() == 0 || s.disturbed.Load() == 0 {
		t.Error("some kind of client did nothing")
	}
}

type soaked struct {
	url       string // of connections that hold
	cut       string // of connections that break
	tenants   atomic.Uint64
	calls     atomic.Uint64
	streams   atomic.Uint64
	disturbed atomic.Uint64
}

func newSoaked(t *testing.T) *soaked {
	service := nano.NewService(registry(), quiet(), nano.WithKey(tenant), nano.WithBudget(nano.NewBudget(1000)),
		nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil), nano.WithReadTimeout(time.Second, 2*time.Second),
		nano.WithWriteTimeout(time.Second),
		nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return "v1", nil }))
	mux := http.NewServeMux()
	mux.Handle("/call", nano.HandleBy(service, func(_ context.Context, in ask) (any, error) {
		switch in.Count {
		case 13:
			panic("unlucky")
		case 14:
			return explosive{}, nil
		}
		return answer{in.Name, in.Count}, nil
	}))
	mux.Handle("/stream", nano.HandleStreamBy(service, count))
	mux.Handle("/endless", nano.HandleStreamBy(service, func(context.Context, nano.Empty) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) {
			for i := 0; yield(answer{strings.Repeat("x", 1<<10), i}, nil); i++ {
			}
		}
	}))
	whole := httptest.NewServer(mux)
	t.Cleanup(whole.Close)
	return &soaked{url: whole.URL, cut: serveCut(t, mux, func(conn int) int { return 600 + conn%7*500 })}
}

// run has the clients at work for d and waits for all of them.
func (s *soaked) run(t *testing.T, d time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var wg sync.WaitGroup
	for _, client := range []func(context.Context, *testing.T){s.call, s.call, s.stream, s.stream, s.nonsense, s.vanish, s.stall} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for ctx.Err() == nil {
				client(ctx, t)
			}
		}()
	}
	wg.Wait()
}

// heap is what is live once nothing runs.
func (s *soaked) heap(t *testing.T) uint64 {
	http.DefaultClient.CloseIdleConnections()
	noneLeft(t)
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep for one collection
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

var soakCodecs = []codec.Codec{codec.FXJSON{}, codec.ZMY{}, codec.Gob{}}

// call calls in any codec and checks the answer.
func (s *soaked) call(ctx context.Context, t *testing.T) {
	from, to := soakCodecs[rand.IntN(3)], soakCodecs[rand.IntN(2)]
	in := ask{fmt.Sprint(rand.Uint64()), rand.IntN(100)}
	resp, err := http.DefaultClient.Do(s.request(ctx, t, s.url+"/call", string(must(from.Marshal(in))),
		codec.MediaType(from), codec.MediaType(to)))
	if err != nil {
		s.check(ctx, t, err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	switch bad := in.Count == 13 || in.Count == 14 && to.Name() == "fxjson"; {
	case err != nil:
		s.check(ctx, t, err)
	case bad && resp.StatusCode == 500, !bad && resp.StatusCode == 200:
		var got answer
		if !bad && in.Count != 14 && (to.Unmarshal(b, &got) != nil || got != answer{in.Name, in.Count}) {
			t.Errorf("asked %+v, got %+v", in, got)
		}
		s.calls.Add(1)
	case in.Count == 14: // what the other codecs make of it
	case resp.StatusCode != 503: // late on a busy machine
		t.Errorf("%s to %s of %+v: %d %s", from.Name(), to.Name(), in, resp.StatusCode, b)
	}
}

// stream reads a stream over connections that break; it must arrive whole, once and in order.
func (s *soaked) stream(ctx context.Context, t *testing.T) {
	n, tenant := rand.IntN(300), s.tenant()
	reg := codec.NewRegistry(soakCodecs[rand.IntN(3)])
	got, err := collect(nano.ReadStream[answer](reg, func() (*http.Request, error) {
		r := s.request(ctx, t, s.cut+"/stream", fmt.Sprintf(`{"name":"x","count":%d}`, n), "application/json", "")
		r.Header.Set("Tenant", tenant)
		return r, nil
	}, nano.StreamOptions{Backoff: time.Millisecond, Attempts: 20}))
	if !slices.Equal(got, numbers(1, len(got))) || err == nil && len(got) != n {
		t.Errorf("%d of %d elements: %v", len(got), n, err)
	}
	if err != nil && !errors.Is(err, nano.ErrTruncated) { // cut before the token had arrived
		s.check(ctx, t, err)
	}
	s.streams.Add(1)
}

// tenant is one of a hundred thousand.
func (s *soaked) tenant() string { return fmt.Sprint(s.tenants.Add(1) % 100_000) }

func (s *soaked) request(ctx context.Context, t *testing.T, url, body, contentType, accept string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	r.Header.Set("Tenant", s.tenant())
	return r
}

// check fails for errors but those of the end of the test.
func (s *soaked) check(ctx context.Context, t *testing.T, err error) {
	if ctx.Err() == nil {
		t.Error(err)
	}
}

// nonsense sends random bytes as messages.
func (s *soaked) nonsense(ctx context.Context, t *testing.T) {
	b := make([]byte, rand.IntN(100))
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	c := soakCodecs[rand.IntN(3)]
	resp, err := http.DefaultClient.Do(s.request(ctx, t, s.url+"/call", string(b), codec.MediaType(c), "*/*"))
	if err != nil {
		s.check(ctx, t, err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	s.disturbed.Add(1)
}

// vanish breaks off at any moment.
func (s *soaked) vanish(ctx context.Context, t *testing.T) {
	ctx, cancel := context.WithTimeout(ctx, rand.N(20*time.Millisecond))
	defer cancel()
	resp, err := http.DefaultClient.Do(s.request(ctx, t, s.url+"/endless", "{}", "application/json", ""))
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	s.disturbed.Add(1)
}

// stall sends half a request, or reads nothing of the answer, for a moment.
func (s *soaked) stall(ctx context.Context, _ *testing.T) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	if rand.IntN(2) == 0 {
		_, _ = io.WriteString(conn, head+"Content-Length: 34\r\n\r\n"+posted[:rand.IntN(len(posted))])
	} else {
		_, _ = io.WriteString(conn, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(3 * time.Second)):
	}
	s.disturbed.Add(1)
}
