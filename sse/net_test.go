package sse_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// NOTE: tests over loopback. They wait for what must happen, a minute on an idle machine; what a
// clock would judge is tested under synctest, and measured by figures_test.go.

// until waits for a condition that must come true.
func until(t testing.TB, what string, f func() bool) {
	t.Helper()
	patience.Until(t, time.Minute, what, f)
}

// serveHub serves topic "a" of a hub. change may alter the server before it starts.
func serveHub(t testing.TB, h *sse.Hub, change func(*httptest.Server)) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h.Handler(sse.Topics("a")))
	if change != nil {
		change(s)
	}
	if s.EnableHTTP2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(func() {
		h.Close()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

var protocols = map[string]func(*httptest.Server){
	"HTTP/1.1": func(*httptest.Server) {},
	"HTTP/2":   func(s *httptest.Server) { s.EnableHTTP2 = true },
}

// collect follows a stream and hands over the data of each event until ctx ends.
func collect(ctx context.Context, t testing.TB, c *sse.Client, each func(e sse.Event)) {
	for e, err := range c.Events(ctx) {
		if err != nil {
			if ctx.Err() == nil {
				t.Error(err)
			}
			return
		}
		each(e)
	}
}

func TestNet(t *testing.T) {
	for name, protocol := range protocols {
		t.Run(name, func(t *testing.T) {
			h := openHub(t, nil)
			s := serveHub(t, h, protocol)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			const clients, events = 20, 200
			var got [clients]atomic.Int64
			var connected atomic.Int64
			for i := range clients {
				c := &sse.Client{URL: s.URL, HTTP: s.Client(), OnConnect: func(r *http.Response) {
					if r.Proto[:6] != name[:6] {
						t.Errorf("protocol %s", r.Proto)
					}
					connected.Add(1)
				}}
				wg.Go(func() {
					collect(ctx, t, c, func(e sse.Event) {
						if n := got[i].Add(1); string(e.Data) != fmt.Sprint(n-1) {
							t.Errorf("event %d is %q", n-1, e.Data)
						}
					})
				})
			}
			until(t, "connections", func() bool { return connected.Load() == clients && h.Stats().Connections == clients })
			for i := range events {
				publish(t, h, "a", fmt.Sprint(i))
				if i%10 == 9 { // so that no queue overflows, however slow the machine
					until(t, "events", func() bool {
						for c := range got {
							if got[c].Load() != int64(i+1) {
								return false
							}
						}
						return true
					})
				}
			}
			// A client may have an event before its writer has counted it.
			until(t, "deliveries are counted", func() bool { return h.Stats().Delivered >= clients*events })
			if st := h.Stats(); st.Encoded != events || st.Delivered < clients*events || connected.Load() != clients || st.Slow != 0 {
				t.Errorf("%+v, %d connections made", st, connected.Load())
			}
		})
	}
}

// An idle stream outlives the write timeout and those of the server.
func TestNetIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	for name, protocol := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A machine that takes as long as the timeout for one write is no evidence: there is
			// more time at the next try.
			for _, timeout := range []time.Duration{time.Second, 5 * time.Second, 25 * time.Second} {
				h := openHub(t, nil, sse.WithWriteTimeout(timeout))
				s := serveHub(t, h, func(s *httptest.Server) {
					protocol(s)
					s.Config.ReadTimeout, s.Config.WriteTimeout, s.Config.IdleTimeout = timeout, timeout, timeout
				})
				ctx, cancel := context.WithCancel(t.Context())
				connects, got, done := atomic.Int64{}, make(chan string, 10), make(chan bool)
				c := &sse.Client{URL: s.URL, HTTP: s.Client(), Retry: time.Millisecond, OnConnect: func(*http.Response) { connects.Add(1) }}
				go func() {
					collect(ctx, t, c, func(e sse.Event) { got <- string(e.Data) })
					close(done)
				}()
				until(t, "the connection", func() bool { return connects.Load() > 0 && h.Stats().Connections > 0 })
				publish(t, h, "a", "1")
				<-got
				time.Sleep(timeout * 5 / 2)
				publish(t, h, "a", "2")
				<-got
				cancel()
				<-done
				if connects.Load() == 1 {
					return
				}
				t.Logf("timeout %v: %d connections", timeout, connects.Load())
			}
			t.Error("an idle stream was cut off, three times")
		})
	}
}

// One client that reads nothing is sent away; all others get everything.
func TestNetStalled(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a write timeout")
	}
	for name, protocol := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := openHub(t, nil) // with a timeout of 10 s, which those that read do not come near on any machine
			s := serveHub(t, h, protocol)
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			const clients = 30
			var got [clients]atomic.Int64
			for i := range clients {
				c := &sse.Client{URL: s.URL, HTTP: s.Client()}
				wg.Go(func() {
					next := 0
					collect(ctx, t, c, func(e sse.Event) {
						if n, _, _ := strings.Cut(string(e.Data), " "); n != fmt.Sprint(next) {
							t.Errorf("client %d: event %s, want %d", i, n, next)
						}
						next++
						got[i].Store(int64(next))
					})
				})
			}
			resp, err := s.Client().Get(s.URL) // and reads nothing but the head
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			until(t, "connections", func() bool { return h.Stats().Connections == clients+1 })
			text := strings.Repeat("x", 200<<10)
			published := 0
			until(t, "the stalled client to be gone", func() bool {
				if published < 60 { // more than all buffers on the way take
					publish(t, h, "a", fmt.Sprint(published, " ", text))
					published++
				}
				until(t, "the others", func() bool {
					for i := range got {
						if got[i].Load() < int64(published) {
							return false
						}
					}
					return true
				})
				return h.Stats().Slow > 0
			})
			if published < 2 {
				t.Errorf("gone after %d events", published)
			}
		})
	}
}

// Waves of connections that come and go leave nothing behind.
func TestNetStorm(t *testing.T) {
	conns, waves := 300, 3
	if testing.Short() {
		conns, waves = 50, 2
	}
	h := openHub(t, nil)
	s := serveHub(t, h, nil)
	publish(t, h, "a", numbers(100)...)
	before := runtime.NumGoroutine()
	for range waves {
		var wg sync.WaitGroup
		for i := range conns {
			wg.Go(func() {
				c, err := net.Dial("tcp", s.Listener.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: hub\r\n\r\n")
				if i%3 == 0 { // does not wait for an answer
					return
				}
				r := bufio.NewReader(c)
				for line := ""; err == nil && !strings.Contains(line, ": ok"); {
					line, err = r.ReadString('\n')
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		publish(t, h, "a", "x")
		until(t, "all to be gone", func() bool { return h.Stats().Connections == 0 })
	}
	until(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before+2 })
}

// numbered is the data of an event, by which it can be told whether it is whole.
func numbered(n int) string {
	body := fmt.Sprintf("%d %s\n\nevent: evil\ndata: torn %d", n, strings.Repeat("abc\n", n%50), n)
	return fmt.Sprintf("%08x %s", crc32.ChecksumIEEE([]byte(body)), body)
}

// inOrder checks events of numbered.
type inOrder struct {
	t    testing.TB
	next int
}

func (o *inOrder) see(e sse.Event) {
	if e.Type != "message" || string(e.Data) != numbered(o.next) {
		o.t.Errorf("event of type %q %.80q, want number %d", e.Type, e.Data, o.next)
	}
	o.next++
}

// faulty is a connection that slices, delays and breaks what is written to it.
type faulty struct {
	net.Conn
	mu    sync.Mutex
	r     *rand.Rand
	left  int  // bytes until it breaks
	reset bool // by a reset rather than an orderly end
	slow  bool
}

func (f *faulty) Write(b []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(b) > 0 {
		part := b[:min(len(b), 1+f.r.IntN(700), f.left)]
		if len(part) == 0 {
			if tcp, ok := f.Conn.(*net.TCPConn); ok && f.reset {
				_ = tcp.SetLinger(0)
			}
			_ = f.Conn.Close()
			return n, errors.New("injected fault")
		}
		if f.slow && f.r.IntN(4) == 0 {
			time.Sleep(time.Duration(f.r.IntN(300)) * time.Microsecond)
		}
		m, err := f.Conn.Write(part)
		n, f.left = n+m, f.left-m
		if err != nil {
			return n, err
		}
		b = b[m:]
	}
	return n, nil
}

// faultyListener gives each connection its faults.
type faultyListener struct {
	net.Listener
	mu sync.Mutex
	r  *rand.Rand
}

func (l *faultyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := rand.New(rand.NewPCG(l.r.Uint64(), 1))
	return &faulty{Conn: c, r: r, left: r.IntN(4000), reset: r.IntN(2) == 0, slow: r.IntN(4) == 0}, nil
}

// A thousand connections that break anywhere, within lines and characters of the chunked encoding
// too: nothing is lost, nothing comes twice or out of order, and nothing torn passes for an event.
func TestNetResumes(t *testing.T) {
	resumes := 1000
	if testing.Short() {
		resumes = 100
	}
	for _, c := range []struct {
		name   string
		recent int
		policy sse.SlowPolicy
	}{
		{"from the hub", 1024, sse.Disconnect}, {"from the broker", 2, sse.Disconnect}, {"at its own pace", 8, sse.CatchUp},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := openHub(t, sse.NewMemory(sse.MemoryOptions{History: 1000}), sse.WithRecent(c.recent, 1<<20, 0),
				sse.WithRetry(0), sse.WithQueue(4, 1<<20), sse.WithSlowPolicy(c.policy))
			s := serveHub(t, h, func(s *httptest.Server) {
				s.Listener = &faultyListener{Listener: s.Listener, r: rand.New(rand.NewPCG(20261121, 2))}
			})
			ctx, cancel := context.WithTimeout(t.Context(), patience.For(2*time.Minute))
			defer cancel()
			first := firstID(t, h)
			var seen, published, retries atomic.Int64
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			wg.Go(func() {
				for ctx.Err() == nil {
					if published.Load()-seen.Load() < 100 {
						publish(t, h, "a", numbered(int(published.Load())))
						published.Add(1)
					} else {
						time.Sleep(100 * time.Microsecond)
					}
				}
			})
			start := &inOrder{t: t}
			client := &sse.Client{URL: s.URL, Retry: time.Nanosecond, MaxRetry: time.Millisecond, LastEventID: first,
				HTTP: &http.Client{Transport: &http.Transport{}}, OnRetry: func(error, time.Duration) { retries.Add(1) }}
			collect(ctx, t, client, func(e sse.Event) {
				start.see(e)
				seen.Add(1)
				if retries.Load() >= int64(resumes) {
					cancel()
				}
			})
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("still waiting: %d of %d events seen, %d retries", seen.Load(), published.Load(), retries.Load())
			}
			if st := h.Stats(); start.next < resumes/2 || st.Resets+st.Dropped != 0 {
				t.Errorf("%d events, %+v", start.next, st)
			}
		})
	}
}

// firstID is the place before the first event.
func firstID(t testing.TB, h *sse.Hub) string {
	t.Helper()
	v := watch(t, h, "", "a")
	until(t, "an ID", func() bool { return v.lastID() != "" })
	v.leave()
	<-v.done
	return v.lastID()
}
