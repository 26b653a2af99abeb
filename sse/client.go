package sse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// Client follows a stream as a browser's EventSource does: it connects anew when the stream ends,
// with the ID of the last event and after the time that the server has asked for. Unlike a browser
// it also tries again after server errors, and notices a connection on which nothing comes any
// more.
type Client struct {
	URL    string
	Header http.Header  // sent with each request
	HTTP   *http.Client // http.DefaultClient if nil; it must have no Timeout
	// LastEventID is where to continue; "" is from now on.
	LastEventID string
	// MaxEvent limits the bytes of an event's data, [DefaultMaxEvent] if 0.
	MaxEvent int
	// Retry is the reconnection time until the server sets one: 3 s if 0. Half as much again may be
	// added, so that clients do not come all at once.
	Retry time.Duration
	// MaxRetry limits how long the time grows while connecting fails: to 1 min if 0. What the
	// server asks for is kept in any case, up to 24 h; streams that end without an event, one after
	// the other, are 100 ms apart at least.
	MaxRetry time.Duration
	// Idle is for how long nothing may come, heartbeats included, before the connection is given up
	// for lost: 60 s if 0, no limit if negative. The time that the caller takes for an event does
	// not count.
	Idle time.Duration
	// OnConnect, if set, is called when a stream begins.
	OnConnect func(*http.Response)
	// OnRetry, if set, is called before the wait that precedes another attempt. err is why the
	// stream or the attempt failed, [io.EOF] if the server ended it.
	OnRetry func(err error, wait time.Duration)
}

// StatusError is an answer that is no stream of events and that trying again will not change.
type StatusError struct {
	URL    string
	Status int
	Type   string // Content-Type
}

func (e *StatusError) Error() string {
	if e.Status == http.StatusOK {
		return fmt.Sprintf("sse: client: GET %s: the answer is of type %q, want text/event-stream", e.URL, e.Type)
	}
	return fmt.Sprintf("sse: client: GET %s: status %d %s", e.URL, e.Status, http.StatusText(e.Status))
}

// ErrIdle is what a connection was given up for on which nothing came.
var ErrIdle = errors.New("sse: client: nothing has come for too long")

// Events yields the events of the stream, across connections. The data of an event is valid until
// the next one. An error is yielded once, as the last pair: the context's when ctx ends, a
// *[StatusError], or one that wraps [ErrTooLarge]. Status 204 ends the events without an error.
func (c *Client) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := session{Client: c, lastID: c.LastEventID, retry: orDefaultTime(c.Retry, 3*time.Second)}
		for {
			again, err := s.connection(ctx, yield)
			if ctx.Err() != nil && again {
				again, err = false, ctx.Err()
			}
			if !again {
				if err != nil {
					yield(Event{}, err)
				}
				return
			}
			if err := s.wait(ctx, err); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

func orDefaultTime(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// session is what outlives a connection.
type session struct {
	*Client
	lastID   string
	retry    time.Duration
	failures int           // attempts in a row that were no stream
	empty    int           // streams in a row that had no event
	after    time.Duration // what the last attempt was answered with as Retry-After; 0 if it was not
}

// connection makes one attempt and yields what comes. again is false if it is to be the last.
func (s *session) connection(ctx context.Context, yield func(Event, error) bool) (again bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := newIdleWatch(orDefaultTime(s.Idle, time.Minute), cancel)
	defer watch.pause()
	resp, err := s.request(ctx)
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, ErrIdle) {
			err = cause
		}
		s.failures++
		var status *StatusError
		return !errors.As(err, &status) || s.temporary(status), err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return false, nil
	}
	s.failures = 0
	s.empty++
	if s.OnConnect != nil {
		watch.pause()
		s.OnConnect(resp)
		watch.resume()
	}
	r := NewReader(&watched{resp.Body, watch}, s.MaxEvent, s.lastID)
	for {
		e, err := r.Next()
		s.lastID = r.LastID()
		if d, ok := r.Retry(); ok {
			s.retry = d
		}
		if err != nil {
			if cause := context.Cause(ctx); errors.Is(cause, ErrIdle) {
				err = cause
			}
			return !errors.Is(err, ErrTooLarge), err
		}
		s.empty = 0
		watch.pause()
		if !yield(e, nil) {
			return false, nil
		}
		watch.resume()
	}
}

func (s *session) request(ctx context.Context) (*http.Response, error) {
	s.after = 0 // it was of the attempt before
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("sse: client: %w", err)
	}
	for k, v := range s.Header {
		req.Header[k] = v
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Cache-Control", "no-store")
	if s.lastID != "" {
		req.Header.Set("Last-Event-ID", s.lastID)
	}
	client := s.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("sse: client: %w", err)
	}
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusOK && mediaType == "text/event-stream" {
		return resp, nil
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		s.after = time.Duration(min(seconds, 24*3600)) * time.Second
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
	_ = resp.Body.Close()
	return nil, &StatusError{URL: s.URL, Status: resp.StatusCode, Type: resp.Header.Get("Content-Type")}
}

// temporary reports whether another attempt may fare better.
func (*session) temporary(e *StatusError) bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented && e.Status != http.StatusHTTPVersionNotSupported
}

// wait waits before the next attempt: twice as long after each that failed.
func (s *session) wait(ctx context.Context, why error) error {
	const least, longest = 100 * time.Millisecond, 24 * time.Hour
	d := min(s.retry, longest)
	most := min(max(d, orDefaultTime(s.MaxRetry, time.Minute)), longest)
	for range min(s.failures, 30) {
		d = min(2*max(d, least), most)
	}
	if s.empty > 2 { // one that was cut off early may come back at once
		d = max(d, least)
	}
	d = max(d, s.after)
	if d > 1 {
		d += rand.N(d / 2)
	}
	if s.OnRetry != nil {
		s.OnRetry(why, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// idleWatch ends a connection on which nothing comes. It rests while the caller works, who may take
// longer than that; what comes meanwhile waits to be read. A nil one does nothing.
type idleWatch struct {
	end  *time.Timer
	idle time.Duration
}

func newIdleWatch(idle time.Duration, cancel context.CancelCauseFunc) *idleWatch {
	if idle <= 0 {
		return nil
	}
	return &idleWatch{time.AfterFunc(idle, func() { cancel(ErrIdle) }), idle}
}

func (w *idleWatch) pause() {
	if w != nil {
		w.end.Stop()
	}
}

func (w *idleWatch) resume() {
	if w != nil {
		w.end.Reset(w.idle)
	}
}

// watched puts the end of a connection off whenever something is read.
type watched struct {
	io.Reader
	watch *idleWatch
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.watch.resume()
	}
	return n, err
}
