//go:build linux

package sse_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/sse"
)

var (
	conns   = flag.Int("sse.conns", 2000, "connections of TestMemoryPerConnection and of the figures")
	figures = flag.Bool("sse.figures", false, "run the tests that measure times, on a machine that does nothing else")
)

// server is a hub in a process of its own, so that what clients take is not counted.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string
}

const (
	serverEnv = "ZMY_SSE_SERVER"
	bufferEnv = "ZMY_SSE_WRITE_BUFFER" // of the kernel, for each connection; what it decides if empty
)

// TestServerProcess is that process; as a test of its own it does nothing.
func TestServerProcess(t *testing.T) {
	if os.Getenv(serverEnv) == "" {
		t.Skip("not asked for by another test")
	}
	timeout, _ := time.ParseDuration(os.Getenv(serverEnv))
	h, err := sse.Open(context.Background(), nil, sse.WithWriteTimeout(timeout))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/events", h.Handler(sse.Topics("a")))
	mux.HandleFunc("/publish", func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if _, err := h.Publish(r.Context(), "a", sse.Message{Data: data}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("/state", func(w http.ResponseWriter, _ *http.Request) {
		debug.FreeOSMemory() // collects before
		_ = json.NewEncoder(w).Encode(state{rss(), runtime.NumGoroutine(), h.Stats()})
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("serving %s\n", ln.Addr())
	web := &http.Server{Handler: mux, ConnState: func(c net.Conn, s http.ConnState) {
		if n, err := strconv.Atoi(os.Getenv(bufferEnv)); err == nil && s == http.StateNew {
			_ = c.(*net.TCPConn).SetWriteBuffer(n)
		}
	}}
	go func() { // the end of the other test ends this one
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	t.Fatal(web.Serve(ln))
}

// state is what a server says of itself.
type state struct {
	RSS        int // bytes
	Goroutines int
	Stats      sse.Stats
}

// rss is the resident size of this process, 0 where that is not to be had.
func rss() int {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, _ := strconv.Atoi(strings.TrimSpace(strings.SplitN(rest, "kB", 2)[0]))
	return kb << 10
}

func startServer(t *testing.T, writeTimeout time.Duration) *server {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestServerProcess$", "-test.timeout", "0")
	cmd.Env = append(os.Environ(), serverEnv+"="+writeTimeout.String())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	addr, found := strings.CutPrefix(strings.TrimSpace(line), "serving ")
	if err != nil || !found {
		t.Fatalf("the server says %q, %v", line, err)
	}
	return &server{t, cmd, addr}
}

func (s *server) state() (out state) {
	s.t.Helper()
	resp, err := http.Get("http://" + s.addr + "/state")
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *server) publish(data string) {
	s.t.Helper()
	resp, err := http.Post("http://"+s.addr+"/publish", "text/plain", strings.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		s.t.Fatal(resp.Status)
	}
}

// connect opens a stream and reads until the server's first comment.
func (s *server) connect() (net.Conn, *bufio.Reader, error) {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		return nil, nil, err
	}
	if _, err = io.WriteString(c, "GET /events HTTP/1.1\r\nHost: hub\r\n\r\n"); err != nil {
		return c, nil, err
	}
	r := bufio.NewReaderSize(c, 512)
	for line := ""; err == nil && !strings.Contains(line, "id: "); {
		line, err = r.ReadString('\n')
	}
	return c, r, err
}

// connectAll opens n streams, as many at once as the listener's queue takes; each is called with what it opened.
func (s *server) connectAll(n int, each func(i int, c net.Conn, r *bufio.Reader)) {
	s.t.Helper()
	var wg sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			c, r, err := s.connect()
			if err != nil {
				s.t.Errorf("connection %d: %v", i, err)
				return
			}
			each(i, c, r)
		})
	}
	wg.Wait()
	if s.t.Failed() {
		s.t.FailNow()
	}
}

// affordable is how many of n connections the limit of open files allows at either end; it says what it could not reach.
func affordable(t *testing.T, n int) int {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skip(err)
	}
	if most := int(min(limit.Cur, 1<<20)) - 200; most < n {
		t.Logf("ULIMIT: %d of %d connections: ulimit -n is %d, and each end of a connection is a file of its process", most, n, limit.Cur)
		return most
	}
	return n
}

// What a connection adds to the server's resident memory, net/http's own share included.
func TestMemoryPerConnection(t *testing.T) {
	if testing.Short() || raceDetector || rss() == 0 {
		t.Skip("opens thousands of connections, and asks Linux what they take without a race detector")
	}
	n := affordable(t, *conns)
	s := startServer(t, 10*time.Minute) // a busy machine may take its time
	before := s.state()
	all := make([]net.Conn, n)
	s.connectAll(n, func(i int, c net.Conn, _ *bufio.Reader) { all[i] = c })
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	idle := s.state()
	for range 10 {
		s.publish(strings.Repeat("x", 200))
	}
	until(t, "events", func() bool { return s.state().Stats.Delivered == uint64(10*n) })
	used := s.state()
	per := func(st state) int { return (st.RSS - before.RSS) / n }
	t.Logf("%d connections: %d bytes of resident memory each, %d after ten events, %.2f goroutines; the server alone %d KiB",
		n, per(idle), per(used), float64(idle.Goroutines-before.Goroutines)/float64(n), before.RSS>>10)
	if used.Stats.Connections != n {
		t.Errorf("%+v", used.Stats)
	}
	if most := 40 << 10; per(used) > most { // the goal is 30 KB; a collection at the wrong moment costs some
		t.Errorf("%d bytes a connection, more than %d", per(used), most)
	}
}

// The figures of docs/perf/sse.md: waves of connections, and what a stalled reader costs its neighbours.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("measures times; ask for it with -sse.figures")
	}
	t.Run("storms", figureStorms)
	t.Run("stall", figureStall)
	t.Run("bursts", figureBursts)
}

func figureStorms(t *testing.T) {
	n := affordable(t, *conns)
	s := startServer(t, 10*time.Second)
	var first state
	before := s.state()
	for wave := range 5 {
		begin := time.Now()
		var all []net.Conn
		var mu sync.Mutex
		s.connectAll(n, func(_ int, c net.Conn, _ *bufio.Reader) {
			mu.Lock()
			all = append(all, c)
			mu.Unlock()
		})
		for _, c := range all {
			c.Close()
		}
		until(t, "all to be gone", func() bool { return s.state().Stats.Connections == 0 })
		time.Sleep(time.Second)
		now := s.state()
		if wave == 0 {
			first = now
		}
		t.Logf("wave %d of %d connections in %v: RSS %d KiB, %d goroutines", wave+1, n, time.Since(begin).Round(time.Millisecond), now.RSS>>10, now.Goroutines)
		if now.Goroutines > before.Goroutines+4 {
			t.Errorf("%d goroutines, %d before", now.Goroutines, before.Goroutines)
		}
		if now.RSS > first.RSS*11/10 {
			t.Errorf("RSS %d KiB after wave %d, %d after the first", now.RSS>>10, wave+1, first.RSS>>10)
		}
	}
}

// figureStall compares the latency of a thousand readers with that of a thousand of which one reads
// nothing, in rounds that take turns.
func figureStall(t *testing.T) {
	const readers, rounds, events = 1000, 6, 30
	const timeout = 2 * time.Second
	t.Setenv(bufferEnv, "16384") // or megabytes would go into the stalled one
	var p99 [2][]time.Duration
	for round := range 2 * rounds {
		with := round % 2
		s := startServer(t, timeout)
		var mu sync.Mutex
		var lags []time.Duration
		var open []net.Conn
		var seen atomic.Int64
		var wg sync.WaitGroup
		s.connectAll(readers, func(i int, c net.Conn, r *bufio.Reader) {
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			if with == 1 && i == 0 {
				_ = c.(*net.TCPConn).SetReadBuffer(4096)
				return
			}
			wg.Go(func() {
				er := sse.NewReader(r, 1<<20, "")
				var own []time.Duration
				for {
					e, err := er.Next()
					if err != nil {
						break
					}
					at, _, found := strings.Cut(string(e.Data), " ")
					if !found {
						continue
					}
					ns, _ := strconv.ParseInt(at, 10, 64)
					own = append(own, time.Since(time.Unix(0, ns)))
					seen.Add(1)
				}
				mu.Lock()
				lags = append(lags, own...)
				mu.Unlock()
			})
		})
		text := strings.Repeat("x", 4<<10)
		expect := int64(0)
		for range events {
			s.publish(fmt.Sprint(time.Now().UnixNano(), " ", text))
			expect += int64(readers - with)
			until(t, "readers", func() bool { return seen.Load() == expect })
		}
		if with == 1 { // what readers are sent from here on is not looked at
			begin := time.Now()
			s.publish(text + strings.Repeat(text, 20)) // if it was not full before
			until(t, "the stalled reader to be gone", func() bool { return s.state().Stats.Slow == 1 })
			if d := time.Since(begin); d > timeout+time.Second {
				t.Errorf("gone %v after the last event", d)
			} else {
				t.Logf("gone at most %v after the last event", d.Round(time.Millisecond))
			}
		}
		for _, c := range open {
			c.Close()
		}
		wg.Wait()
		slices.Sort(lags)
		p99[with] = append(p99[with], lags[len(lags)*99/100])
		s.cmd.Process.Kill()
	}
	for with, what := range []string{"all read", "one reads nothing"} {
		slices.Sort(p99[with])
		t.Logf("P99 of %d readers where %s: median %v of %d rounds, from %v to %v", readers, what,
			p99[with][rounds/2], rounds, p99[with][0], p99[with][rounds-1])
	}
}

// figureBursts publishes 400 events at once to 20 clients that read as fast as they can, under the policies
// that lose nothing.
func figureBursts(t *testing.T) {
	const clients, events, rounds = 20, 400, 5
	for _, p := range []struct {
		name   string
		policy sse.SlowPolicy
	}{{"Disconnect", sse.Disconnect}, {"CatchUp", sse.CatchUp}} {
		var all []time.Duration
		var connects atomic.Int64
		for range rounds {
			h := openHub(t, nil, sse.WithSlowPolicy(p.policy))
			s := serveHub(t, h, nil)
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			var got atomic.Int64
			for range clients {
				c := &sse.Client{URL: s.URL, HTTP: s.Client(), OnConnect: func(*http.Response) { connects.Add(1) }}
				wg.Go(func() { collect(ctx, t, c, func(sse.Event) { got.Add(1) }) })
			}
			until(t, "connections", func() bool { return h.Stats().Connections == clients })
			begin := time.Now()
			publish(t, h, "a", numbers(events)...)
			until(t, "events", func() bool { return got.Load() >= clients*events })
			all = append(all, time.Since(begin))
			cancel()
			wg.Wait()
			h.Close()
		}
		slices.Sort(all)
		t.Logf("%s: all have all after %v (median of %d, from %v to %v), %.1f connections a client",
			p.name, all[rounds/2].Round(time.Millisecond), rounds, all[0].Round(time.Millisecond), all[rounds-1].Round(time.Millisecond), float64(connects.Load())/clients/rounds)
	}
}
