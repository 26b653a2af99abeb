package nano_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkLoopback is BenchmarkOverhead over connections: the CPU time of the process, client and net/http
// included, for each request. Beyond the handler by hand there are deadlines on the connection,
// unless the server has a ReadTimeout.
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
	const calls, rounds = 200, 50
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
	median := map[string]float64{}
	for i, v := range variants {
		slices.Sort(taken[i])
		median[v.name] = float64(taken[i][len(taken[i])/2])
		b.ReportMetric(median[v.name], v.name+"-ns")
	}
	b.ReportMetric(median["nano"]-median["bare"], "extra-ns")
	b.ReportMetric(median["nano-ReadTimeout"]-median["bare-ReadTimeout"], "extra-ReadTimeout-ns")
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
		"POST / HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(posted), posted)}
}

func (c *caller) call(b *testing.B) {
	if _, err := c.conn.Write(c.request); err != nil {
		b.Fatal(err)
	}
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status, err)
	}
}
