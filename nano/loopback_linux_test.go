package nano_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkLoopback is BenchmarkOverhead over connections: the CPU time of the process, a client
// that understands just enough and net/http included, for each request; what is extra is the median
// of the differences within a round. Run with -cpu 1 it has no threads that look for work.
func BenchmarkLoopback(b *testing.B) {
	variants := []struct {
		name    string
		h       http.Handler
		timeout time.Duration
	}{
		{"bare", contenders[0].h, 0},
		{"nano", contenders[1].h, 0},
		{"nano-ReadTimeout", contenders[1].h, 10 * time.Second},
		{"bare-ReadTimeout", contenders[0].h, 10 * time.Second},
	}
	const calls, rounds = 50, 200
	conns := make([]*caller, len(variants))
	for i, v := range variants {
		s := httptest.NewUnstartedServer(v.h)
		s.Config.ReadTimeout = v.timeout
		s.Start()
		b.Cleanup(s.Close)
		conns[i] = dial(b, s.Listener.Addr().String())
	}
	taken := make([][]time.Duration, len(variants))
	for b.Loop() {
		for range rounds {
			for _, i := range rand.Perm(len(variants)) {
				begin, _ := cputime.Process()
				for range calls {
					conns[i].call(b)
				}
				end, _ := cputime.Process()
				taken[i] = append(taken[i], (end-begin)/calls)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	extra := func(with, without int) float64 {
		d := make([]time.Duration, len(taken[with]))
		for i := range d {
			d[i] = taken[with][i] - taken[without][i]
		}
		return middle(d)
	}
	b.ReportMetric(extra(1, 0), "extra-ns")
	b.ReportMetric(extra(2, 3), "extra-ReadTimeout-ns")
	b.ReportMetric(conns[1].mallocs(b)-conns[0].mallocs(b), "extra-allocs")
	for i, v := range variants {
		b.ReportMetric(middle(taken[i]), v.name+"-ns")
	}
}

// middle is the median of d, in ns; it sorts d.
func middle(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}

// caller sends one request after the other on one connection.
type caller struct {
	conn    net.Conn
	r       *bufio.Reader
	request []byte
}

func dial(b *testing.B, addr string) *caller {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	return &caller{conn, bufio.NewReader(conn), fmt.Appendf(nil,
		"POST / HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(posted), posted)}
}

// mallocs are the allocations of a request, both ends together.
func (c *caller) mallocs(b *testing.B) float64 {
	const calls = 2000
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		c.call(b)
	}
	runtime.ReadMemStats(&after)
	return math.Round(10*float64(after.Mallocs-before.Mallocs)/calls) / 10 // others of the process allocate now and then
}

func (c *caller) call(b *testing.B) {
	if _, err := c.conn.Write(c.request); err != nil {
		b.Fatal(err)
	}
	length, ok := 0, false
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		if len(line) == len("\r\n") {
			break
		}
		if n, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(n)))
		}
		ok = ok || bytes.HasPrefix(line, []byte("HTTP/1.1 200 "))
	}
	if n, err := c.r.Discard(length); err != nil || n == 0 || !ok {
		b.Fatal(n, ok, err)
	}
}
