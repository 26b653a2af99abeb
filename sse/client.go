package sse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// Client follows a stream as a browser's EventSource does. When the stream ends, it reconnects with
// the ID of the last event, after the time that the server has asked for. Unlike a browser, it also
// tries again after server errors, and it gives up a connection on which nothing arrives any more.
type Client struct {
	URL    string
	Header http.Header  // sent with each request
	HTTP   *http.Client // http.DefaultClient if nil; it must have no Timeout
	// LastEventID is the ID of the event after which to begin; "" begins with new events.
	LastEventID string
	// MaxEvent limits the bytes of an event's data. 0 means [DefaultMaxEvent].
	MaxEvent int
	// Retry is how long to wait before reconnecting until the server sets a time; 0 means 3 s. Each
	// wait is randomly up to half longer, so that clients do not all reconnect at once.
	Retry time.Duration
	// MaxRetry limits the wait, which doubles while connecting fails; 0 means 1 min. A longer time
	// that the server asks for is kept, up to 24 h. From the third stream in a row that ends
	// without an event, the wait is at least 100 ms.
	MaxRetry time.Duration
	// Idle is how long nothing may arrive, not even a heartbeat, before the connection is given up:
	// 0 means 60 s, a negative value no limit. The time that the caller takes for an event does not
	// count.
	Idle time.Duration
	// OnConnect, if set, is called when a stream begins.
	OnConnect func(*http.Response)
	// OnRetry, if set, is called before the wait that precedes another attempt. err says why the
	// stream or the attempt failed. It is [io.EOF] if the server ended the stream.
	OnRetry func(err error, wait time.Duration)
}

// StatusError reports an answer that is not a stream of events. [Client.Events] yields it if
// another attempt would not help; OnRetry is told of the others.
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

// ErrIdle is the error of a connection that was given up because nothing arrived for [Client].Idle.
var ErrIdle = errors.New("sse: client: nothing has come for too long")

// Events yields the events of the stream, across connections. The data of an event is valid until
// the next one. An error is yielded once, as the last pair: the context's error when ctx ends, a
// *[StatusError], or an error that wraps [ErrTooLarge]. Status 204 ends the events without an
// error.
func (c *Client) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := session{Client: c, lastID: c.LastEventID, retry: cmp.Or(c.Retry, 3*time.Second)}
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

// session is the state that lasts across connections.
type session struct {
	*Client
	lastID   string
	retry    time.Duration
	failures int           // attempts in a row that did not get a stream
	empty    int           // streams in a row that had no event
	after    time.Duration // Retry-After of the last attempt's answer; 0 without one
}

// connection makes one attempt and yields the events it receives. again says whether to try again.
func (s *session) connection(ctx context.Context, yield func(Event, error) bool) (again bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := cmp.Or(s.Idle, time.Minute)
	if idle < 0 {
		idle = math.MaxInt64
	}
	// end is stopped while the caller handles an event, which may take longer: data that arrives
	// meanwhile waits to be read.
	end := time.AfterFunc(idle, func() { cancel(ErrIdle) })
	defer end.Stop()
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
		end.Stop()
		s.OnConnect(resp)
		end.Reset(idle)
	}
	r := NewReader(&watched{resp.Body, func() { end.Reset(idle) }}, s.MaxEvent, s.lastID)
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
		end.Stop()
		if !yield(e, nil) {
			return false, nil
		}
		end.Reset(idle)
	}
}

func (s *session) request(ctx context.Context) (*http.Response, error) {
	s.after = 0 // the attempt before may have set it
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
	resp, err := cmp.Or(s.HTTP, http.DefaultClient).Do(req)
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

// temporary reports whether another attempt may succeed.
func (*session) temporary(e *StatusError) bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented && e.Status != http.StatusHTTPVersionNotSupported
}

// wait waits before the next attempt, twice as long for each attempt in a row that failed.
func (s *session) wait(ctx context.Context, why error) error {
	const least, longest = 100 * time.Millisecond, 24 * time.Hour
	d := min(s.retry, longest)
	most := min(max(d, cmp.Or(s.MaxRetry, time.Minute)), longest)
	for range min(s.failures, 30) {
		d = min(2*max(d, least), most)
	}
	if s.empty > 2 { // a stream that was cut off early may be retried at once
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

// watched calls arrived whenever something is read.
type watched struct {
	io.Reader
	arrived func()
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.arrived()
	}
	return n, err
}
