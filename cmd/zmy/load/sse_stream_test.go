package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// proxy passes bytes on until it ends, and then takes no more connections.
type proxy struct {
	l     net.Listener
	mu    sync.Mutex
	conns []net.Conn
	ended bool
}

func startProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{l: l}
	t.Cleanup(p.end)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			d, err := net.Dial("tcp", to)
			if err != nil {
				c.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, c, d)
			if p.ended {
				c.Close()
				d.Close()
			}
			p.mu.Unlock()
			go func() { _, _ = io.Copy(c, d); c.Close() }()
			go func() { _, _ = io.Copy(d, c); d.Close() }()
		}
	}()
	return p
}

// end resets all connections.
func (p *proxy) end() {
	p.l.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for _, c := range p.conns {
		_ = c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
}

// pipe is a stream over a connection that a test writes to, under simulated time.
func pipe(t *testing.T, timeout time.Duration, head string) (*stream, net.Conn, error) {
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	go func() {
		if _, err := http.ReadRequest(bufio.NewReader(there)); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(there, head)
	}()
	st := &stream{conn: here}
	return st, there, st.ask(t.Context(), &url.URL{Scheme: "http", Host: "server", Path: "/"}, "", timeout)
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// TestFirstByte: the first byte of an event is told from its last one, also where several come at
// once and where one begins in what brings the end of another.
func TestFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		st, server, err := pipe(t, time.Minute, head)
		if err != nil {
			t.Fatal(err)
		}
		begun := 0
		st.begun = func() { begun++ }
		go func() {
			for _, part := range []string{": hello\n\ndata: 1", "\n\ndata: 2\n\ndata: ", "3", "\n\n",
				"data: 4\n\n", "data: 5\ndata: ", "6\n\n:\n\ndata: 7\n\n"} {
				time.Sleep(time.Second) // and a part by itself, whatever its chunks
				fmt.Fprintf(server, "%x\r\n%s\r\n", len(part), part)
			}
			server.Close()
		}()
		for _, want := range []struct {
			data         string
			first, whole int // seconds
		}{
			{"1", 1, 2}, {"2", 2, 2}, {"3", 2, 4}, {"4", 5, 5}, {"5\n6", 6, 7}, {"7", 7, 7},
		} {
			e, first, err := st.next()
			if err != nil {
				t.Fatal(err)
			}
			if f, w := int(first.Sub(begin).Seconds()), int(time.Since(begin).Seconds()); string(e.Data) != want.data ||
				f != want.first || w != want.whole {
				t.Errorf("%q: first byte after %d s, whole after %d, want %+v", e.Data, f, w, want)
			}
		}
		if _, _, err := st.next(); err == nil || begun != 1 {
			t.Errorf("%v; the stream began %d times", err, begun)
		}
	})
}

// TestConnectTimeout: a server that says nothing is waited for no longer than the timeout, and a
// stream without a first byte neither; once that has come there is none.
func TestConnectTimeout(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"no head", "", "timeout"},
		{"half a head", head[:40], "timeout"},
		{"no byte", head, "timeout"},
		{"a byte", head + "2\r\n:\n\r\n", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			st, server, err := pipe(t, time.Minute, c.head)
			if err == nil {
				time.AfterFunc(time.Hour, func() { server.Close() })
				st.begun = func() {}
				_, _, err = st.next()
			}
			if took := time.Since(begin); c.want != "" && (sseClass(err) != c.want || took != time.Minute) ||
				c.want == "" && took != time.Hour {
				t.Errorf("%s: %v after %v", c.name, err, took)
			}
		})
	}
}

// TestConnectCanceled: nothing is waited for once the context has ended.
func TestConnectCanceled(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, stop)
	if _, err := connect(ctx, &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}, "", time.Hour); err == nil {
		t.Error("connected")
	}
}
