package sse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// direct is an HTTP transport without a network: the handler writes into the body that the client
// reads. It works in a synctest bubble.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	read, write := io.Pipe()
	w := &directWriter{header: http.Header{}, begun: make(chan struct{}), pipe: write}
	stop := context.AfterFunc(r.Context(), func() { write.CloseWithError(context.Cause(r.Context())) })
	go func() {
		defer stop()
		d.handler.ServeHTTP(w, r)
		w.WriteHeader(http.StatusOK)
		_ = w.FlushError()
		write.Close()
	}()
	select {
	case <-w.begun:
		return &http.Response{StatusCode: w.status, Header: w.header, Body: read, Request: r}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

type directWriter struct {
	header http.Header
	once   sync.Once
	begun  chan struct{}
	status int
	buffer []byte
	pipe   *io.PipeWriter
}

func (w *directWriter) Header() http.Header            { return w.header }
func (*directWriter) SetWriteDeadline(time.Time) error { return nil }
func (*directWriter) SetReadDeadline(time.Time) error  { return nil }
func (w *directWriter) WriteHeader(status int) {
	w.once.Do(func() { w.status = status; close(w.begun) })
}

func (w *directWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.buffer = append(w.buffer, b...)
	return len(b), nil
}

func (w *directWriter) FlushError() error {
	_, err := w.pipe.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

// script answers one request after the other, and then with 204.
type script struct {
	t     *testing.T
	steps []step
	at    int
	ids   []string // Last-Event-ID of each request
	times []time.Duration
	begin time.Time
}

type step struct {
	status int // 200 if 0
	typ    string
	body   string
	header string // Retry-After
	hang   bool   // do not end the response
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.ids = append(s.ids, r.Header.Get("Last-Event-ID"))
	s.times = append(s.times, time.Since(s.begin))
	if s.at == len(s.steps) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	step := s.steps[s.at]
	s.at++
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if step.typ != "" {
		w.Header().Set("Content-Type", step.typ)
	}
	if step.header != "" {
		w.Header().Set("Retry-After", step.header)
	}
	if step.status != 0 {
		w.WriteHeader(step.status)
	}
	_, _ = io.WriteString(w, step.body)
	_ = http.NewResponseController(w).Flush()
	if step.hang {
		<-r.Context().Done()
	}
}

// play runs a client against a script, and returns what it has seen.
func play(t *testing.T, c sse.Client, steps ...step) (data []string, s *script, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s = &script{t: t, steps: steps, begin: time.Now()}
		c.URL, c.HTTP = "http://hub.example/events", &http.Client{Transport: direct{s}}
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		for e, end := range c.Events(ctx) {
			if end != nil {
				err = end
				continue
			}
			data = append(data, e.ID+"="+string(e.Data))
		}
	})
	return data, s, err
}

func TestClientResumes(t *testing.T) {
	data, s, err := play(t, sse.Client{LastEventID: "0"},
		step{body: "data: x\n\nid: 1\ndata: a\n\nid: 2\ndata: cut"},
		step{body: "id: 2\ndata: b\n\nid: 3\n\n"},
		step{status: 503},
		step{body: "data: c\n\nid\ndata: d\n\n"},
		step{body: "data: e\n\n"},
	)
	if err != nil || !reflect.DeepEqual(data, []string{"0=x", "1=a", "2=b", "3=c", "=d", "=e"}) {
		t.Errorf("%q, %v", data, err)
	}
	if want := []string{"0", "1", "3", "3", "", ""}; !reflect.DeepEqual(s.ids, want) {
		t.Errorf("last event IDs %q, want %q", s.ids, want)
	}
}

func TestClientWaits(t *testing.T) {
	var waits []time.Duration
	_, s, err := play(t, sse.Client{Retry: time.Second, MaxRetry: 10 * time.Second,
		OnRetry: func(_ error, d time.Duration) { waits = append(waits, d) }},
		step{body: "data: x\n\n"},                                                                     // 1 s
		step{status: 500}, step{status: 502}, step{status: 503}, step{status: 429}, step{status: 408}, // 2 4 8 10 10
		step{status: 503, header: "100"}, // 100
		step{body: "retry: 60000\n\n"},   // 60
		step{status: 500},                // still 60
		step{body: "retry: 0\n"},         // 0
	)
	if err != nil {
		t.Error(err)
	}
	want := []time.Duration{1, 2, 4, 8, 10, 10, 100, 60, 60, 0}
	if len(waits) != len(want) {
		t.Fatalf("waits %v", waits)
	}
	at := time.Duration(0)
	for i, d := range want {
		d *= time.Second
		if waits[i] < d || waits[i] > d*3/2 {
			t.Errorf("wait %d is %v, want %v to %v", i, waits[i], d, d*3/2)
		}
		if at += waits[i]; s.times[i+1] != at {
			t.Errorf("attempt %d at %v, want %v", i+1, s.times[i+1], at)
		}
	}
}

// No time that a server or a caller names makes a client ask without a rest.
func TestClientNeverSpins(t *testing.T) {
	for _, c := range []struct {
		name   string
		client sse.Client
		step   step
		waits  []time.Duration // the least of each; half as much more may be added
	}{
		{"longer than there is", sse.Client{}, step{body: "data: x\nretry: 99999999999999999\n\n"}, []time.Duration{24 * time.Hour}},
		{"the longest of the caller", sse.Client{Retry: 1<<63 - 1, MaxRetry: 1<<63 - 1}, step{status: 500},
			[]time.Duration{24 * time.Hour}},
		{"no time at all", sse.Client{}, step{body: "retry: 0\n\n"}, []time.Duration{0, 0, 100 * time.Millisecond, 100 * time.Millisecond}},
		{"no time, with events", sse.Client{}, step{body: "retry: 0\ndata: x\n\n"}, []time.Duration{0, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var waits []time.Duration
			c.client.OnRetry = func(_ error, d time.Duration) { waits = append(waits, d) }
			var steps []step
			for range c.waits {
				steps = append(steps, c.step)
			}
			_, _, _ = play(t, c.client, steps...)
			if len(waits) != len(c.waits) {
				t.Fatalf("waits %v", waits)
			}
			for i, d := range c.waits {
				if waits[i] < d || waits[i] > d*3/2 {
					t.Errorf("wait %d is %v, want %v to %v", i, waits[i], d, d*3/2)
				}
			}
		})
	}
}

func TestClientEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		step step
		want string
	}{
		{"no content", step{status: 204}, ""},
		{"forbidden", step{status: 403}, "status 403 Forbidden"},
		{"another type", step{typ: "text/html"}, `of type "text/html"`},
		{"no type at all", step{typ: "no type"}, "want text/event-stream"},
		{"not implemented", step{status: 501}, "501"},
		{"too large", step{body: "data: " + strings.Repeat("x", 200) + "\n\n"}, "more than 100 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, s, err := play(t, sse.Client{MaxEvent: 100}, c.step)
			if fmt.Sprint(err) != "<nil>" != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if len(data) != 0 || len(s.ids) != 1 {
				t.Errorf("%q, %d requests", data, len(s.ids))
			}
		})
	}
}

func TestClientIdle(t *testing.T) {
	var why []error
	data, s, err := play(t, sse.Client{Idle: 10 * time.Second, Retry: time.Second,
		OnRetry: func(err error, _ time.Duration) { why = append(why, err) }},
		step{body: "id: 1\ndata: a\n\ndata: cut", hang: true}, step{body: "data: b\n\n"})
	if err != nil || !reflect.DeepEqual(data, []string{"1=a", "1=b"}) || len(why) != 2 ||
		!errors.Is(why[0], sse.ErrIdle) || why[1] != io.EOF {
		t.Errorf("%q, %v, %v", data, why, err)
	}
	if d := s.times[1]; d < 11*time.Second || d > 12*time.Second {
		t.Errorf("the second attempt comes after %v", d)
	}
}

// A caller that takes longer for an event than nothing may come keeps its connection.
func TestClientSlowerThanIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, text := range []string{"data: a\n\ndata: b\n\n", ": still here\n", ": still here\n", "data: c\n\n"} {
				_, _ = io.WriteString(w, text)
				_ = http.NewResponseController(w).Flush()
				time.Sleep(5 * time.Second)
			}
			<-r.Context().Done()
		})
		var why []error
		c := sse.Client{URL: "http://hub.example/", HTTP: &http.Client{Transport: direct{handler}}, Idle: 10 * time.Second,
			OnConnect: func(*http.Response) { time.Sleep(time.Minute) },
			OnRetry:   func(err error, _ time.Duration) { why = append(why, err) }}
		got := ""
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		begin := time.Now()
		for e, err := range c.Events(ctx) {
			if err != nil {
				t.Error(err)
				break
			}
			if got += string(e.Data); len(why) > 0 { // nothing comes any more behind c: then it is idle
				break
			}
			time.Sleep(time.Minute)
		}
		if got != "abca" || len(why) != 1 || !errors.Is(why[0], sse.ErrIdle) {
			t.Errorf("events %q in %v, ended by %v", got, time.Since(begin), why)
		}
		cancel()
		time.Sleep(time.Minute) // the handler of the second connection notices
	})
}

// What a server has asked for counts for the attempt after its answer, not for those that get none.
func TestClientForgetsRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		answers := roundTrip(func(r *http.Request) (*http.Response, error) {
			attempts++
			switch attempts {
			case 1:
				return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"100"}}, Body: http.NoBody, Request: r}, nil
			case 4:
				return &http.Response{StatusCode: 204, Body: http.NoBody, Request: r}, nil
			}
			return nil, errors.New("refused")
		})
		var waits []time.Duration
		c := sse.Client{URL: "http://hub.example/", HTTP: &http.Client{Transport: answers}, Retry: time.Second,
			OnRetry: func(_ error, d time.Duration) { waits = append(waits, d) }}
		for _, err := range c.Events(t.Context()) {
			t.Error(err)
		}
		want := []time.Duration{100 * time.Second, 4 * time.Second, 8 * time.Second}
		if len(waits) != len(want) {
			t.Fatalf("waits %v", waits)
		}
		for i, d := range want {
			if waits[i] < d || waits[i] > d*3/2 {
				t.Errorf("wait %d is %v, want %v to %v", i, waits[i], d, d*3/2)
			}
		}
	})
}

// roundTrip is an HTTP transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestClientStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{t: t, steps: []step{{body: "data: a\n\ndata: b\n\n", hang: true}, {hang: true}}, begin: time.Now()}
		c := sse.Client{URL: "http://hub.example/", HTTP: &http.Client{Transport: direct{s}}, Idle: -1}
		for e, err := range c.Events(t.Context()) { // the loop is left
			if err != nil || string(e.Data) != "a" {
				t.Errorf("%q, %v", e.Data, err)
			}
			break
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		n := 0
		for _, err := range c.Events(ctx) { // the context ends
			n++
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		if n != 1 {
			t.Errorf("%d pairs", n)
		}
	})
}

// A client and a hub lose nothing between them, however often the connection is cut.
func TestClientAndHub(t *testing.T) {
	const n = 1000
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		cutter := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), 20*time.Millisecond)
			defer cancel()
			_ = h.Serve(w, r.WithContext(ctx), "a")
		})
		connects := 0
		c := sse.Client{URL: "http://hub.example/", HTTP: &http.Client{Transport: direct{cutter}}, Retry: time.Millisecond,
			OnConnect: func(*http.Response) { connects++ }}
		go func() {
			for i := range n {
				time.Sleep(20 * time.Millisecond)
				publish(t, h, "a", fmt.Sprint(i))
			}
		}()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		next := 0
		for e, err := range c.Events(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			if string(e.Data) != fmt.Sprint(next) {
				t.Fatalf("event %q of type %s, want %d", e.Data, e.Type, next)
			}
			if next++; next == n {
				break
			}
		}
		if connects < n/2 {
			t.Errorf("only %d connections", connects)
		}
	}, sse.WithRetry(time.Millisecond))
}
