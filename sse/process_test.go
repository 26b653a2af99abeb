//go:build linux

package sse_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// server is a hub in a process of its own, so that what clients take is not counted.
type server struct {
	t    testing.TB
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

func startServer(t testing.TB, writeTimeout time.Duration) *server {
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

// settled is the state once connections and goroutines have gone, or patience ends; of its memory
// the least of a second.
func (s *server) settled(goroutines int) state {
	s.t.Helper()
	until(s.t, "all to be gone", func() bool { return s.state().Stats.Connections == 0 })
	now := s.state()
	patience.Wait(time.Minute, func() bool { now = s.state(); return now.Goroutines <= goroutines })
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		now.RSS = min(now.RSS, s.state().RSS)
	}
	return now
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

// connectAll opens n streams, as many at once as the listener's queue takes; each is called with
// what it opened.
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
