package sse_test

import (
	"context"
	"flag"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/faultnet"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

var soak = flag.Duration("soak", 0, "how long TestSoak runs; 0 skips it")

// TestSoak (make soak) has two hubs on one broker, over HTTP/1.1 and HTTP/2, and a network that is
// slow, torn, silent or cut by turns. Those who follow must see every event once, whole and in
// order, while others come and go, read nothing, or send nonsense. Afterwards no goroutine is left
// and memory is what it was.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("run with -soak 10m")
	}
	s := newSoaked(t)
	idle := runtime.NumGoroutine()
	s.run(t, 5*time.Second) // warm up: the log's history, pools, connections
	before := s.heap(t, idle)
	s.run(t, *soak)
	after := s.heap(t, idle)
	t.Logf("%d events to %d followers, %d times connected anew, %d disturbances; heap %d KiB before, %d KiB after",
		s.published.Load(), len(s.followers), s.retries.Load(), s.disturbed.Load(), before>>10, after>>10)
	if after > before+before/10+2<<20 {
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	for _, h := range s.hubs {
		if st := h.Stats(); st.Resets > s.nonsenses.Load() || st.Dropped+st.Invalid != 0 {
			t.Errorf("%+v after %d requests for a place that there is not", st, s.nonsenses.Load())
		}
	}
	if s.retries.Load() == 0 || s.disturbed.Load() == 0 {
		t.Error("nothing was disturbed")
	}
}

type soaked struct {
	hubs      []*sse.Hub
	servers   []*httptest.Server
	networks  []*faultnet.Proxy
	followers []*follower
	published atomic.Int64
	retries   atomic.Int64
	disturbed atomic.Int64
	nonsenses atomic.Uint64
}

// follower follows one of the hubs.
type follower struct {
	client http.Client
	url    string
	next   atomic.Int64 // number of the event that must come
}

func newSoaked(t *testing.T) *soaked {
	s := &soaked{}
	memory := sse.NewMemory(sse.MemoryOptions{History: 2000})
	for _, k := range []struct {
		policy    sse.SlowPolicy
		protocol  string
		followers int
	}{{sse.Disconnect, "HTTP/1.1", 4}, {sse.CatchUp, "HTTP/2", 3}} {
		h := openHub(t, memory, sse.WithSlowPolicy(k.policy), sse.WithQueue(16, 1<<20), sse.WithRecent(64, 1<<20, 4), sse.WithRetry(0),
			sse.WithWriteTimeout(time.Second), sse.WithHeartbeat(time.Second))
		server := serveHub(t, h, func(s *httptest.Server) {
			protocols[k.protocol](s)
			s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that were cut
		})
		network, err := faultnet.New(server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(network.Close)
		s.hubs, s.servers, s.networks = append(s.hubs, h), append(s.servers, server), append(s.networks, network)
		for range k.followers {
			s.followers = append(s.followers, &follower{url: strings.Replace(server.URL, server.Listener.Addr().String(),
				network.Addr(), 1),
				client: http.Client{Transport: server.Client().Transport.(*http.Transport).Clone()}})
		}
	}
	return s
}

// run has everybody at work for d, and then waits until the followers have what there is.
func (s *soaked) run(t *testing.T, d time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var following, working sync.WaitGroup
	first := firstID(t, s.hubs[0])
	for _, f := range s.followers {
		f.next.Store(s.published.Load())
		following.Go(func() { s.follow(ctx, t, f, first) })
	}
	disturbing, end := context.WithTimeout(ctx, d)
	defer end()
	for _, work := range []func(context.Context, *testing.T){s.publish, s.weather, s.vanish, s.vanish, s.stall, s.nonsense} {
		working.Go(func() {
			for disturbing.Err() == nil && !t.Failed() {
				work(disturbing, t)
			}
		})
	}
	working.Wait()
	for _, n := range s.networks {
		n.Set(faultnet.Faults{})
	}
	if !patience.Wait(2*time.Minute, func() bool { return s.behind() == 0 || t.Failed() }) {
		t.Errorf("a follower is %d events behind, and nothing more comes", s.behind())
	}
	cancel()
	following.Wait()
}

// behind is how many events the slowest follower has yet to see.
func (s *soaked) behind() (most int64) {
	for _, f := range s.followers {
		most = max(most, s.published.Load()-f.next.Load())
	}
	return most
}

func (s *soaked) follow(ctx context.Context, t *testing.T, f *follower, after string) {
	c := &sse.Client{URL: f.url, HTTP: &f.client, LastEventID: after, Retry: time.Millisecond, MaxRetry: 50 * time.Millisecond,
		Idle: 5 * time.Second, OnRetry: func(error, time.Duration) { s.retries.Add(1) }}
	defer f.client.CloseIdleConnections()
	order := &inOrder{t: t, next: int(f.next.Load())}
	collect(ctx, t, c, func(e sse.Event) {
		if t.Failed() {
			return
		}
		order.see(e)
		f.next.Store(int64(order.next))
	})
}

// publish publishes one event, unless a follower is so far behind that the log may forget what it
// has yet to see.
func (s *soaked) publish(ctx context.Context, t *testing.T) {
	if s.behind() > 1000 {
		time.Sleep(time.Millisecond)
		return
	}
	// Both hubs tail the log, whichever an event comes by.
	h := s.hubs[rand.IntN(len(s.hubs))]
	if _, err := h.Publish(context.WithoutCancel(ctx), "a", sse.Message{Data: []byte(numbered(int(s.published.Load())))}); err != nil {
		t.Error(err)
		return
	}
	s.published.Add(1)
	if rand.IntN(20) == 0 {
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

// weather changes the network of one of the hubs, for a moment.
func (s *soaked) weather(ctx context.Context, _ *testing.T) {
	n := s.networks[rand.IntN(len(s.networks))]
	n.Set([]faultnet.Faults{{Latency: 5 * time.Millisecond}, {Slice: 1 + rand.IntN(500)}, {Cut: 1 + rand.IntN(20_000)},
		{Cut: 1 + rand.IntN(20_000), SlowClose: 100 * time.Millisecond}, {Stall: true}}[rand.IntN(5)])
	rest(ctx, rand.N(500*time.Millisecond))
	if rand.IntN(2) == 0 {
		n.Reset()
	}
	n.Set(faultnet.Faults{})
	s.disturbed.Add(1)
	rest(ctx, rand.N(200*time.Millisecond))
}

// vanish breaks a stream off at any moment.
func (s *soaked) vanish(ctx context.Context, t *testing.T) {
	ctx, cancel := context.WithTimeout(ctx, rand.N(50*time.Millisecond))
	defer cancel()
	s.get(ctx, t, s.servers[rand.IntN(len(s.servers))], "")
	s.disturbed.Add(1)
}

// nonsense asks for places that there are not.
func (s *soaked) nonsense(ctx context.Context, t *testing.T) {
	ctx, cancel := context.WithTimeout(ctx, rand.N(50*time.Millisecond))
	defer cancel()
	s.nonsenses.Add(1)
	places := []string{"0", "-", "x-1", strconv.FormatUint(rand.Uint64(), 36) + "-" + strconv.FormatUint(rand.Uint64(), 10),
		strings.Repeat("9", 1+rand.IntN(4000)), "\xff\xfe"}
	s.get(ctx, t, s.servers[rand.IntN(len(s.servers))], places[rand.IntN(len(places))])
	s.disturbed.Add(1)
}

func (s *soaked) get(ctx context.Context, t *testing.T, server *httptest.Server, lastID string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Error(err)
		return
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	resp, err := server.Client().Do(r)
	if err != nil {
		if ctx.Err() == nil {
			t.Error(err)
		}
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body) // until ctx ends
	_ = resp.Body.Close()
}

// stall reads nothing of a stream for a moment, or sends half a request.
func (s *soaked) stall(ctx context.Context, _ *testing.T) {
	conn, err := net.Dial("tcp", s.servers[0].Listener.Addr().String())
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_ = conn.(*net.TCPConn).SetReadBuffer(4096) // the smaller the sooner
	request := "GET / HTTP/1.1\r\nHost: hub\r\n\r\n"
	if rand.IntN(4) == 0 {
		request = request[:rand.IntN(len(request))]
	}
	_, _ = io.WriteString(conn, request)
	rest(ctx, rand.N(3*time.Second))
	s.disturbed.Add(1)
}

// rest waits for d, or until the work is over.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// heap is what is live once nobody is connected any more.
func (s *soaked) heap(t *testing.T, goroutines int) uint64 {
	for _, server := range s.servers {
		server.Client().CloseIdleConnections()
	}
	for _, h := range s.hubs {
		until(t, "connections to end", func() bool { return h.Stats().Connections == 0 })
	}
	for _, n := range s.networks {
		n.Reset()
	}
	until(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines })
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep for one collection
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
