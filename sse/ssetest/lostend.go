package ssetest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/sse"
)

// Crash says how a log loses its end. Its servers come back in the same epoch without some
// acknowledged records, as after a power failure before all records were synced.
type Crash struct {
	// Broker is a broker on an empty log of these servers.
	Broker sse.Broker
	// Keep is called when the servers have half of the records. After the crash they still have the
	// records that they had written by then.
	Keep func()
	// Lose crashes the servers and returns when they run again. If Keep is nil, no record may be
	// lost.
	Lose func()
	// Patience is that of [Config].
	Patience time.Duration
}

// LostEnd makes a log lose its end. The remaining records must be the log's beginning, without
// gaps. Clients that were connected, and clients that reconnect with the ID of a lost event, must
// learn of the loss and then get new events.
func LostEnd(t *testing.T, c Crash) {
	const n = 200
	s := newSuite(t, Config{Patience: c.Patience})
	hub, err := sse.Open(s.ctx(), c.Broker, sse.WithRetry(0))
	s.must(err)
	server := httptest.NewServer(hub.Handler(sse.Topics("a")))
	defer server.Close()
	defer hub.Close()
	begin := s.start(c.Broker)
	live := s.view(server.URL, begin)
	ids := s.fill(c.Broker, n/2, "a")
	if c.Keep != nil {
		c.Keep()
	}
	ids = append(ids, s.fill(c.Broker, n/2, "a")...)
	last := ids[n-1]
	live.until("all events", func(seen []sse.Event) bool { return len(seen) == n })

	c.Lose()
	var now sse.ID
	s.patiently("the servers to be back", func(ctx context.Context) (err error) {
		now, err = c.Broker.Last(ctx)
		return err
	})
	if c.Keep != nil && now != ids[n/2-1] || c.Keep == nil && now != last {
		s.Fatalf("the log ends at %s, and had %s in the middle and %s at its end", now, ids[n/2-1], last)
	}
	s.same(s.readAll(c.Broker, begin, 2*n, "a"), ids[:now.Seq-begin.Seq])
	lost := now != last
	if lost {
		live.until("a reset", func(seen []sse.Event) bool { return isReset(seen[len(seen)-1], sse.ResetTrimmed) })
	}
	away := s.view(server.URL, last)
	if lost {
		away.until("a reset", func(seen []sse.Event) bool { return isReset(seen[0], sse.ResetFuture) })
	}
	s.patiently("an event to be published", func(ctx context.Context) error {
		_, err := hub.Publish(ctx, "a", sse.Message{Type: lastType})
		return err
	})
	resets := 0
	if lost {
		resets = 1
	}
	for what, v := range map[string]*view{"connected": live, "away": away} {
		v.until("what is new", func(seen []sse.Event) bool { return seen[len(seen)-1].Type == lastType })
		got := slices.DeleteFunc(v.seen, func(e sse.Event) bool { return e.Type == "message" })
		if len(got) < resets+1 || slices.ContainsFunc(got[resets:], func(e sse.Event) bool { return e.Type != lastType }) {
			s.Errorf("a client that was %s has seen %d resets and new events", what, len(got))
		}
	}
	s.Logf("%d of %d events are lost", last.Seq-now.Seq, n)
}

func isReset(e sse.Event, why sse.ResetReason) bool {
	return e.Type == sse.ResetEvent && strings.Contains(string(e.Data), `"`+string(why)+`"`)
}

// patiently calls f until it succeeds.
func (s *suite) patiently(what string, f func(context.Context) error) {
	s.Helper()
	err := errors.New("not tried")
	defer func() {
		if s.Failed() {
			s.Log(what, ": ", err)
		}
	}()
	s.until(what, func() bool {
		ctx, stop := context.WithTimeout(context.Background(), patience.For(5*time.Second))
		defer stop()
		err = f(ctx)
		return err == nil
	})
}

// view is a client. The test looks at its events one by one.
type view struct {
	*suite
	seen []sse.Event
	next chan sse.Event
}

func (s *suite) view(url string, after sse.ID) *view {
	v := &view{suite: s, next: make(chan sse.Event)}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		client := sse.Client{URL: url, LastEventID: after.String(), HTTP: &http.Client{Transport: transport},
			Retry: time.Millisecond, MaxRetry: time.Millisecond}
		for e, err := range client.Events(ctx) {
			if err != nil {
				return
			}
			e.Data = slices.Clone(e.Data)
			select {
			case v.next <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	s.Cleanup(func() { stop(); <-done })
	return v
}

// until reads events until enough returns true for those read so far. It reads at least one.
func (v *view) until(what string, enough func([]sse.Event) bool) {
	v.Helper()
	late := time.After(3 * v.c.patience())
	for len(v.seen) == 0 || !enough(v.seen) {
		select {
		case e := <-v.next:
			v.seen = append(v.seen, e)
		case <-late:
			v.Fatalf("still waiting for %s, behind %d events", what, len(v.seen))
		}
	}
}
