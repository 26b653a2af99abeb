//go:build linux

package sse_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
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

// affordable is how many of n connections the limit of open files allows at either end; it says
// what it could not reach.
func affordable(t testing.TB, n int) int {
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

// connectionMemory is what each of n connections adds to the server's resident memory, net/http's
// own share included: when they are open, and after ten events.
func connectionMemory(t testing.TB, n int) (idle, used int) {
	s := startServer(t, 10*time.Minute) // a busy machine may take its time
	before := s.state()
	all := make([]net.Conn, n)
	s.connectAll(n, func(i int, c net.Conn, _ *bufio.Reader) { all[i] = c })
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	per := func(st state) int { return (st.RSS - before.RSS) / n }
	open := s.state()
	for range 10 {
		s.publish(strings.Repeat("x", 200))
	}
	until(t, "events", func() bool { return s.state().Stats.Delivered == uint64(10*n) })
	after := s.state()
	t.Logf("%d connections: %d bytes of resident memory each, %d after ten events, %.2f goroutines; the server alone %d KiB",
		n, per(open), per(after), float64(open.Goroutines-before.Goroutines)/float64(n), before.RSS>>10)
	if after.Stats.Connections != n {
		t.Errorf("%+v", after.Stats)
	}
	return per(open), per(after)
}

func TestMemoryPerConnection(t *testing.T) {
	if testing.Short() || raceDetector || rss() == 0 {
		t.Skip("opens thousands of connections, and asks Linux what they take without a race detector")
	}
	if _, used := connectionMemory(t, affordable(t,
		2000)); used > 40<<10 { // the goal is 30 KB; a collection at the wrong moment costs some
		t.Errorf("%d bytes a connection, more than %d", used, 40<<10)
	}
}

// The figures of docs/perf/sse.md, of which those that are goals stand in tools/goals/run.yaml. One
// operation of each is a whole measurement.

// crowds are the numbers of connections: that of CI, and that of the goals.
func crowds(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range []int{2000, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			if most := affordable(b, n); most < n {
				b.Skipf("ulimit -n allows %d connections", most)
			}
			run(b, n)
			b.ReportMetric(0, "ns/op") // of no interest
		})
	}
}

func BenchmarkConnections(b *testing.B) {
	crowds(b, func(b *testing.B, n int) {
		for b.Loop() {
			idle, used := connectionMemory(b, n)
			b.ReportMetric(float64(idle), "rss-B/conn")
			b.ReportMetric(float64(used), "rss-B/used-conn")
		}
	})
}

// BenchmarkStorms has five waves of connections come and go, and reports by how much the server's
// memory is larger after the worst of them than after the first, and how many goroutines are left.
func BenchmarkStorms(b *testing.B) {
	crowds(b, func(b *testing.B, n int) {
		for b.Loop() {
			s := startServer(b, 10*time.Second)
			before := s.state()
			first, most, left := 0, 0, 0
			for wave := range 5 {
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
				now := s.settled(before.Goroutines)
				if wave == 0 {
					first = now.RSS
				}
				most, left = max(most, now.RSS), max(left, now.Goroutines-before.Goroutines)
				b.Logf("wave %d of %d connections: RSS %d KiB, %d goroutines", wave+1, n, now.RSS>>10, now.Goroutines)
			}
			b.ReportMetric(100*(float64(most)/float64(first)-1), "growth-%")
			b.ReportMetric(float64(left), "goroutines-left")
		}
	})
}

// BenchmarkStall compares the P99 of a thousand readers with that of 999 beside one that reads
// nothing, and reports by how much it is more, and how long after its write timeout the stalled one
// was still there.
func BenchmarkStall(b *testing.B) {
	const readers, timeout = 1000, 2 * time.Second
	if most := affordable(b, readers); most < readers {
		b.Skipf("ulimit -n allows %d connections", most)
	}
	b.Setenv(bufferEnv, "16384") // or megabytes would go into the stalled one
	for b.Loop() {
		alone, _ := lags(b, readers, false, timeout)
		beside, gone := lags(b, readers, true, timeout)
		b.Logf("P99 where all read %v, where one reads nothing %v; it was gone at most %v after the last event", alone, beside, gone)
		b.ReportMetric(100*(float64(beside)/float64(alone)-1), "p99-%")
		b.ReportMetric(float64(alone.Microseconds())/1000, "p99-ms")
		b.ReportMetric(max(0, (gone-timeout).Seconds()), "s-late")
	}
	b.ReportMetric(0, "ns/op")
}

// lags has readers read 30 events of 4 KB, all but one if stalled, and returns the P99 of their
// delivery and how long after the last event the stalled one was there.
func lags(b *testing.B, readers int, stalled bool, timeout time.Duration) (p99, gone time.Duration) {
	const events = 30
	s := startServer(b, timeout)
	var mu sync.Mutex
	var all []time.Duration
	var open []net.Conn
	var seen atomic.Int64
	var wg sync.WaitGroup
	s.connectAll(readers, func(i int, c net.Conn, r *bufio.Reader) {
		mu.Lock()
		open = append(open, c)
		mu.Unlock()
		if stalled && i == 0 {
			_ = c.(*net.TCPConn).SetReadBuffer(4096)
			return
		}
		wg.Go(func() {
			own := follow(r, &seen)
			mu.Lock()
			all = append(all, own...)
			mu.Unlock()
		})
	})
	if stalled {
		readers--
	}
	text := strings.Repeat("x", 4<<10)
	for i := range events {
		s.publish(fmt.Sprint(time.Now().UnixNano(), " ", text))
		until(b, "readers", func() bool { return seen.Load() == int64((i+1)*readers) })
	}
	if stalled { // what readers are sent from here on is not looked at
		begin := time.Now()
		s.publish(text + strings.Repeat(text, 20)) // if it was not full before
		until(b, "the stalled reader to be gone", func() bool { return s.state().Stats.Slow == 1 })
		gone = time.Since(begin)
	}
	for _, c := range open {
		c.Close()
	}
	wg.Wait()
	_ = s.cmd.Process.Kill() // a hub of a thousand takes its time to say goodbye
	slices.Sort(all)
	return all[len(all)*99/100], gone
}

// follow reads events that begin with when they were sent, counts them, and returns how long each
// was under way.
func follow(r io.Reader, seen *atomic.Int64) (lags []time.Duration) {
	events := sse.NewReader(r, 1<<20, "")
	for {
		e, err := events.Next()
		if err != nil {
			return lags
		}
		at, _, found := strings.Cut(string(e.Data), " ")
		if !found {
			continue
		}
		ns, _ := strconv.ParseInt(at, 10, 64)
		lags = append(lags, time.Since(time.Unix(0, ns)))
		seen.Add(1)
	}
}

// BenchmarkBursts publishes 400 events at once to 20 clients that read as fast as they can, under
// the policies that lose nothing, and reports when all have all and how often a client has
// connected.
func BenchmarkBursts(b *testing.B) {
	const clients, events = 20, 400
	for _, p := range []struct {
		name   string
		policy sse.SlowPolicy
	}{{"Disconnect", sse.Disconnect}, {"CatchUp", sse.CatchUp}} {
		b.Run(p.name, func(b *testing.B) {
			var took time.Duration
			var connects atomic.Int64
			for b.Loop() {
				h := openHub(b, nil, sse.WithSlowPolicy(p.policy))
				s := serveHub(b, h, nil)
				ctx, cancel := context.WithCancel(b.Context())
				var wg sync.WaitGroup
				var got atomic.Int64
				for range clients {
					c := &sse.Client{URL: s.URL, HTTP: s.Client(), OnConnect: func(*http.Response) { connects.Add(1) }}
					wg.Go(func() { collect(ctx, b, c, func(sse.Event) { got.Add(1) }) })
				}
				until(b, "connections", func() bool { return h.Stats().Connections == clients })
				begin := time.Now()
				publish(b, h, "a", numbers(events)...)
				until(b, "events", func() bool { return got.Load() >= clients*events })
				took += time.Since(begin)
				cancel()
				wg.Wait()
				h.Close()
			}
			b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms")
			b.ReportMetric(float64(connects.Load())/clients/float64(b.N), "conns/client")
			b.ReportMetric(0, "ns/op")
		})
	}
}
