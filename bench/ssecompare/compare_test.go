package ssecompare

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

var peers = flag.Bool("peers", false, "ask the other servers too, and print what they do")

// each runs a test for this project's server, and for the others if they are asked.
func each(t *testing.T, f func(t *testing.T, c contender, ours bool)) {
	for i, c := range contenders() {
		if i > 0 && !*peers {
			return
		}
		t.Run(c.name, func(t *testing.T) { f(t, c, i == 0) })
	}
}

func start(t *testing.T, c contender, history int) (*server, *counted, string) {
	t.Helper()
	s, err := c.open(history)
	if err != nil {
		t.Fatal(err)
	}
	count := &counted{Handler: s}
	web := httptest.NewServer(count)
	t.Cleanup(func() {
		web.CloseClientConnections() // Close would wait for open streams
		s.close()
		_ = web.Listener.Close()
	})
	return s, count, web.URL + s.query
}

// wait reports whether a condition comes true.
func wait(most time.Duration, f func() bool) bool {
	for begin := time.Now(); !f(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > most {
			return false
		}
	}
	return true
}

// TestStall: ten clients read 400 events of 16 KiB, an eleventh reads nothing.
func TestStall(t *testing.T) {
	const readers, events = 10, 400
	each(t, func(t *testing.T, c contender, ours bool) {
		s, count, url := start(t, c, 2*events)
		stalled, err := net.Dial("tcp", strings.TrimPrefix(strings.SplitN(url, "?", 2)[0], "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer stalled.Close()
		_ = stalled.(*net.TCPConn).SetReadBuffer(4096)
		fmt.Fprintf(stalled, "GET /%s HTTP/1.1\r\nHost: x\r\nX-Stalls: 1\r\n\r\n", s.query)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		var seen [readers]atomic.Int64
		var connected atomic.Int64
		for i := range readers {
			wg.Go(func() {
				client := sse.Client{URL: url, HTTP: &http.Client{Transport: &http.Transport{}}, Retry: 100 * time.Millisecond,
					OnConnect: func(*http.Response) { connected.Add(1) }}
				for e, err := range client.Events(ctx) {
					if err == nil && strings.HasPrefix(string(e.Data), fmt.Sprint(seen[i].Load(), " ")) {
						seen[i].Add(1)
					}
				}
			})
		}
		patience.Until(t, 20*time.Second, "all to connect", func() bool {
			return count.open.Load() == readers+1 && (s.silent || connected.Load() == readers)
		})
		if s.silent {
			time.Sleep(100 * time.Millisecond) // subscribing is not visible from outside
		}
		text, stop := strings.Repeat("x", 16<<10), make(chan struct{})
		defer close(stop)
		go func() {
			for i := range events {
				if err := s.publish("", fmt.Sprint(i, " ", text)); err != nil {
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
		begin := time.Now()
		least := func() int64 {
			n := int64(events)
			for i := range seen {
				n = min(n, seen[i].Load())
			}
			return n
		}
		limit := 15 * time.Second
		if ours {
			limit = patience.For(time.Minute) // it must do it, on a machine of any speed
		}
		all := wait(limit, func() bool { return least() == events })
		took := time.Since(begin)
		gone := wait(limit-took, func() bool { return count.stalled.Load() == 0 })
		t.Logf("every reader has at least %d of %d events after %.1f s; the stalled one gone: %v, after %.1f s", least(), events,
			took.Seconds(), gone, time.Since(begin).Seconds())
		if ours && (!all || !gone) {
			t.Error("the stalled reader was felt")
		}
	})
}

// TestInjection: data and types that try to become events of their own.
func TestInjection(t *testing.T) {
	attacks := []struct{ name, typ, data string }{
		{"LF in data", "", "x\n\nevent: evil\ndata: y\n\n"},
		{"CR in data", "", "x\r\revent: evil\rdata: y\r\r"},
		{"CRLF in data", "", "x\r\n\r\nevent: evil\r\ndata: y\r\n\r\n"},
		{"a colon at the start of data", "", ": y\nevent: evil"},
		{"LF in the type", "x\ndata: y\n\nevent: evil", "x"},
		{"CR in the type", "x\rdata: y\r\revent: evil", "x"},
	}
	each(t, func(t *testing.T, c contender, ours bool) {
		for _, a := range attacks {
			s, _, url := start(t, c, 100)
			got, err := read(t, s, url, "", func() {
				if err := s.publish(a.typ, a.data); err != nil { // before the test goes on
					t.Logf("%s: refused: %v", a.name, err)
				}
				_ = s.publish("", "end")
			}, func(e sse.Event) bool { return string(e.Data) == "end" })
			want := strings.ReplaceAll(strings.ReplaceAll(a.data, "\r\n", "\n"), "\r", "\n")
			verdict := "arrives as it is"
			switch {
			case len(got) > 2 || len(got) == 2 && got[0].Type != orMessage(a.typ):
				verdict = fmt.Sprintf("INJECTED: %s", describe(got))
			case len(got) == 2 && string(got[0].Data) != want:
				verdict = fmt.Sprintf("arrives changed: %s", describe(got))
			case len(got) == 1:
				verdict = "does not arrive, and nothing else does"
			case err != nil:
				verdict = fmt.Sprintf("the stream ends: %v", err)
			}
			t.Logf("%s: %s", a.name, verdict)
			if ours && strings.Contains(verdict, "INJECTED") || ours && a.typ == "" && verdict != "arrives as it is" {
				t.Error(a.name)
			}
		}
	})
}

func orMessage(typ string) string {
	if typ == "" {
		return "message"
	}
	return typ
}

func describe(events []sse.Event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%s:%q", e.Type, e.Data))
	}
	return strings.Join(out, " ")
}

// answerTime is how long an answer may take: that of a peer may never come.
func answerTime(t *testing.T) time.Duration {
	if strings.Contains(t.Name(), "zmy") {
		return patience.For(time.Minute)
	}
	return 2 * time.Second
}

// read connects, calls connected once it is, and reads until stop says so, an error, or answerTime
// ends.
func read(t *testing.T, s *server, url, lastID string, connected func(), stop func(sse.Event) bool) (got []sse.Event, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), answerTime(t))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	later := func() { // subscribing is not always visible from outside
		time.Sleep(100 * time.Millisecond)
		connected()
	}
	if connected != nil && s.silent {
		go later()
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	if connected != nil && !s.silent {
		later()
	}
	r := sse.NewReader(resp.Body, 0, lastID)
	for {
		e, err := r.Next()
		if err != nil {
			return got, err
		}
		e.Data = append([]byte(nil), e.Data...)
		got = append(got, e)
		if stop(e) {
			return got, nil
		}
	}
}

// TestResume: a client that leaves after each third event, and comes back two events later.
func TestResume(t *testing.T) {
	const rounds = 200
	each(t, func(t *testing.T, c contender, ours bool) {
		s, _, url := start(t, c, 5000)
		next, lastID, lost, twice, disorder := 0, "", 0, 0, 0
		got, err := read(t, s, url, "", func() { _ = s.publish("", "-1") }, func(sse.Event) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		lastID = got[0].ID
		published := 0
		for range rounds {
			if lost > 10 {
				break
			}
			for range 3 {
				_ = s.publish("", fmt.Sprint(published))
				published++
			}
			got, err := read(t, s, url, lastID, nil, func(e sse.Event) bool { return string(e.Data) == fmt.Sprint(published-1) })
			if err != nil && !errors.Is(err, context.DeadlineExceeded) && err != io.EOF {
				t.Logf("coming back: %v", err)
				lost++
				continue
			}
			for _, e := range got {
				n := -2
				fmt.Sscan(string(e.Data), &n)
				switch {
				case n == next:
					next++
				case n < next:
					twice++
				case n > next:
					lost, next = lost+n-next, n+1
				default:
					disorder++
				}
				lastID = e.ID
			}
			if next < published {
				lost, next = lost+published-next, published
			}
		}
		t.Logf("%d events in %d absences: %d lost, %d twice", published, published/3, lost, twice)
		if ours && lost+twice+disorder > 0 {
			t.Error("not exactly what was published")
		}
	})
}

// TestAway: what a client is told that comes back when the history does not reach to where it was,
// and when the server has been started anew.
func TestAway(t *testing.T) {
	reset := func(got []sse.Event) bool { return len(got) > 0 && got[0].Type == sse.ResetEvent }
	first := func(t *testing.T, s *server, url string, n int) string {
		got, err := read(t, s, url, "", func() {
			for i := range n {
				_ = s.publish("", fmt.Sprint(i))
			}
		}, func(e sse.Event) bool { return string(e.Data) == fmt.Sprint(n-1) })
		if err != nil {
			t.Fatal(err)
		}
		return got[len(got)-1].ID
	}
	each(t, func(t *testing.T, c contender, ours bool) {
		s, _, url := start(t, c, 10)
		id := first(t, s, url, 3)
		for i := range 50 {
			_ = s.publish("", fmt.Sprint(100+i))
		}
		got, err := read(t, s, url, id, nil, func(e sse.Event) bool { return string(e.Data) == "149" || e.Type == sse.ResetEvent })
		t.Logf("50 events missed, 10 kept: %d events, told: %v, %v", len(got), reset(got), err)
		if ours && !reset(got) {
			t.Error("not told that history was trimmed")
		}
		s, _, url = start(t, c, 100)
		id = first(t, s, url, 7)
		again, _, url := start(t, c, 100) // the same server after a restart
		for i := range 9 {
			_ = again.publish("", fmt.Sprint(200+i))
		}
		got, err = read(t, again, url, id, nil, func(e sse.Event) bool { return string(e.Data) == "208" || e.Type == sse.ResetEvent })
		t.Logf("9 events since a restart: %d of them, told: %v, %v", len(got), reset(got), err)
		if ours && !reset(got) {
			t.Error("not told that the log is another one")
		}
	})
}
