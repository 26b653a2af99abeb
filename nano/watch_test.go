package nano_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/nano"
)

// trickle is a connection that brings a byte of a body now and then, until a deadline passes or
// its time is over.
type trickle struct {
	*httptest.ResponseRecorder
	every time.Duration // 0 for never
	until time.Time
	end   chan struct{}
	set   []time.Time // deadlines
}

func (c *trickle) SetReadDeadline(t time.Time) error {
	c.set = append(c.set, t)
	if !t.IsZero() && !t.After(time.Now()) {
		close(c.end)
	}
	return nil
}

func (c *trickle) Read(b []byte) (int, error) {
	wait := time.Until(c.until)
	if c.every > 0 && c.every < wait {
		wait = c.every
	}
	select {
	case <-c.end:
		return 0, os.ErrDeadlineExceeded
	case <-time.After(wait):
	}
	if !time.Now().Before(c.until) {
		return 0, io.ErrUnexpectedEOF
	}
	b[0] = ' '
	return 1, nil
}

func (*trickle) Close() error { return nil }

// TestWatch: when bodies that take too long are ended. The clock is synctest's.
func TestWatch(t *testing.T) {
	const never = 0
	for _, c := range []struct {
		name        string
		idle, total time.Duration
		server      time.Duration // http.Server.ReadTimeout
		every       time.Duration
		from, to    time.Duration // when the read ends
		ended       bool          // by a deadline
	}{
		{"stands still", 10 * time.Second, time.Minute, 0, never, 10 * time.Second, 11 * time.Second, true},
		{"not long enough", 10 * time.Second, time.Minute, 0, 9 * time.Second, time.Minute, 61 * time.Second, true},
		{"byte by byte", time.Minute, 100 * time.Millisecond, 0, 5 * time.Millisecond, 100 * time.Millisecond,
			110 * time.Millisecond, true},
		{"total alone", 0, time.Minute, 0, never, time.Minute, 61 * time.Second, true},
		{"idle alone", 10 * time.Second, 0, 0, 9 * time.Second, time.Hour, time.Hour, false},
		{"idle alone, still", 10 * time.Second, 0, 0, never, 10 * time.Second, 11 * time.Second, true},
		{"no limit", 0, 0, 0, never, time.Hour, time.Hour, false},
		{"less than a period", time.Millisecond, time.Minute, 0, never, time.Millisecond, 2 * time.Millisecond, true},
		{"the server takes longer", 10 * time.Second, time.Minute, time.Hour, never, 10 * time.Second, 11 * time.Second, true},
		{"the server is as strict", 10 * time.Second, time.Minute, time.Minute, never, time.Hour, time.Hour, false},
		{"the server is stricter", 10 * time.Second, time.Minute, time.Second, never, time.Hour, time.Hour, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := nano.Handle(registry(), greet, nano.WithReadTimeout(c.idle, c.total), quiet())
				begin := time.Now()
				w := &trickle{ResponseRecorder: httptest.NewRecorder(), every: c.every, until: begin.Add(time.Hour),
					end: make(chan struct{})}
				r := request(t, "POST", "/", w, "Content-Type", "application/json")
				r.ContentLength = 100_000
				h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, &http.Server{ReadTimeout: c.server})))
				if took := time.Since(begin); took < c.from || took > c.to {
					t.Errorf("the read ends after %v, want %v to %v", took, c.from, c.to)
				}
				want := 400
				if c.ended {
					want = 408
				}
				if w.Code != want {
					t.Errorf("status %d, want %d: %s", w.Code, want, w.Body)
				}
				limits := w.set // of what net/http reads of the rest
				if c.ended {
					if len(w.set) < 3 || !lifted(w.set[:2]) {
						t.Fatalf("deadlines %v, want one that has passed, none again, and one for the rest of the body", w.set)
					}
					limits = w.set[2:]
				}
				for _, d := range limits {
					if !d.After(time.Now()) {
						t.Errorf("deadlines %v", w.set)
					}
				}
			})
		})
	}
}

// TestWatchOfMany: of several bodies under one watch only those are ended that are late, and who
// comes after a pause is watched again.
func TestWatchOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.Handle(registry(), greet, nano.WithReadTimeout(10*time.Second, time.Hour), quiet())
		codes := make(chan int, 300)
		serve := func(every, until time.Duration) {
			w := &trickle{ResponseRecorder: httptest.NewRecorder(), every: every, until: time.Now().Add(until), end: make(chan struct{})}
			r := request(t, "POST", "/", w, "Content-Type", "application/json")
			r.ContentLength = 100_000
			h.ServeHTTP(w, r)
			codes <- w.Code
		}
		count := func(n int) map[int]int {
			got := map[int]int{}
			for range n {
				got[<-codes]++
			}
			return got
		}
		for i := range 100 {
			go serve(0, time.Minute)                                           // stands still
			go serve(time.Second, 40*time.Second)                              // goes on
			go serve(0, time.Duration(i)*80*time.Millisecond+time.Millisecond) // ends in time
		}
		if got := count(300); got[408] != 100 || got[400] != 200 {
			t.Errorf("statuses %v, want 100 of 408 and 200 of 400", got)
		}
		time.Sleep(time.Hour)
		if got := do(t, h, "POST", "/", posted, "Content-Type", "application/json"); got.Code != 200 {
			t.Errorf("a whole body: %d", got.Code)
		}
		go serve(0, time.Minute)
		if got := count(1); got[408] != 1 {
			t.Errorf("after a pause: %v", got)
		}
	})
}

// explosiveWriter panics where a deadline is set.
type explosiveWriter struct {
	trickle
	tried int
}

func (w *explosiveWriter) SetReadDeadline(time.Time) error {
	w.tried++
	panic("SetReadDeadline")
}

type explosiveUnwrap struct {
	*httptest.ResponseRecorder
	of *explosiveWriter
}

func (w explosiveUnwrap) Unwrap() http.ResponseWriter {
	_ = w.of.SetReadDeadline(time.Time{})
	return nil
}

// TestWatchOutlivesPanic: a response writer that panics loses the limit, not the process, and is
// not asked again and again.
func TestWatchOutlivesPanic(t *testing.T) {
	for name, wrap := range map[string]func(*explosiveWriter) http.ResponseWriter{
		"SetReadDeadline": func(w *explosiveWriter) http.ResponseWriter { return w },
		"Unwrap":          func(w *explosiveWriter) http.ResponseWriter { return explosiveUnwrap{w.ResponseRecorder, w} },
	} {
		synctest.Test(t, func(t *testing.T) {
			h := nano.Handle(registry(), greet, nano.WithReadTimeout(time.Second, time.Second), quiet())
			w := &explosiveWriter{trickle: trickle{ResponseRecorder: httptest.NewRecorder(),
				until: time.Now().Add(time.Minute), end: make(chan struct{})}}
			r := request(t, "POST", "/", &w.trickle, "Content-Type", "application/json")
			r.ContentLength = 100_000
			h.ServeHTTP(wrap(w), r)
			if w.Code != 400 || w.tried > 3 { // for the body that is late, and for what is left of it; a minute has 590 more ticks
				t.Errorf("%s: status %d, %d attempts to set a deadline", name, w.Code, w.tried)
			}
		})
	}
}

// TestWatchEndsWithPanic: a body whose Read panics is not watched any longer, as its response
// writer must not be used behind its handler.
func TestWatchEndsWithPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.Handle(registry(), greet, nano.WithReadTimeout(time.Second, time.Second), quiet())
		w := &trickle{ResponseRecorder: httptest.NewRecorder(), end: make(chan struct{})}
		r := request(t, "POST", "/", explosiveBody{strings.NewReader("")}, "Content-Type", "application/json")
		r.ContentLength = 10
		h.ServeHTTP(w, r)
		if w.Code != 500 {
			t.Errorf("status %d", w.Code)
		}
		before := len(w.set)
		time.Sleep(time.Minute)
		if len(w.set) != before {
			t.Errorf("deadlines behind the handler: %v", w.set[before:])
		}
	})
}

type explosiveBody struct{ io.Reader }

func (explosiveBody) Read([]byte) (int, error) { panic("read") }
func (explosiveBody) Close() error             { return nil }
