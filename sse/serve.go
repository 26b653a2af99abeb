package sse

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Handler returns a handler that serves the topics that pick returns for a request; see [Topics]
// and [QueryTopics]. An error of pick refuses the request, with the status that [WithAuthorize]
// describes. Methods other than GET are answered with 405.
func (h *Hub) Handler(pick func(*http.Request) ([]string, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		topics, err := pick(r)
		if err != nil {
			h.refuse(w, ReasonForbidden, statusOf(err))
			return
		}
		_ = h.Serve(w, r, topics...) // Serve has answered the client and called the metrics
	})
}

// Topics returns a pick function for [Hub.Handler] that picks the same topics for every request.
func Topics(topics ...string) func(*http.Request) ([]string, error) {
	return func(*http.Request) ([]string, error) { return topics, nil }
}

// QueryTopics returns a pick function for [Hub.Handler] that picks the values of a parameter of the
// URL: /events?topic=a&topic=b. Anyone who can send a request can then read every topic, unless
// [WithAuthorize] refuses it.
func QueryTopics(parameter string) func(*http.Request) ([]string, error) {
	return func(r *http.Request) ([]string, error) { return r.URL.Query()[parameter], nil }
}

// Serve answers a request with the events of the given topics until the client leaves or the hub
// ends the connection. It works with any server or framework that provides an http.ResponseWriter.
// It sets only the headers of the response itself, such as Content-Type; headers for CORS are the
// caller's. It ignores the header Accept.
//
// A client that reconnects names its last event in the header Last-Event-ID, or, if it cannot set
// headers, in the URL parameter lastEventId. It gets the events after that one.
//
// The error says why the connection ended. It is nil if the client left or the hub is closed. When
// Serve returns, it has written the answer, also to a request that it refuses.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, topics ...string) error {
	topics, err := h.allow(w, r, topics)
	if err != nil {
		return err
	}
	rc, err := probe(w)
	if err != nil {
		h.opts.log.Error(err.Error())
		h.refuse(w, ReasonUnsupported, http.StatusInternalServerError)
		return err
	}
	c := &conn{hub: h, topics: newTopicSet(topics), seats: make([]seat, len(topics)),
		out: out{w: w, rc: rc, timeout: h.opts.writeTimeout, policy: h.opts.flush}}
	c.queue = queue{policy: h.opts.slow, maxSlots: h.opts.slots, maxBytes: h.opts.queueBytes, wake: make(chan struct{}, 1)}
	c.headers()
	if err := h.admit(); err != nil {
		c.turnAway()
		return err
	}
	defer h.dismiss() // also if a function of Metrics or the server's writer panics
	why, begin := ReasonPanic, time.Now()
	defer func() { c.ended(why, time.Since(begin)) }()
	why, err = c.serve(r.Context(), lastEventID(r))
	if why == ReasonClient || why == ReasonShutdown {
		return nil
	}
	return fmt.Errorf("sse: serve: %s: %w", why, err)
}

// allow checks the topics and asks the function of WithAuthorize for each. It returns the distinct
// topics. With an error the request has been answered.
func (h *Hub) allow(w http.ResponseWriter, r *http.Request, topics []string) ([]string, error) {
	topics, err := h.check(topics)
	if err != nil {
		h.refuse(w, ReasonBadRequest, http.StatusBadRequest)
		return nil, err
	}
	if h.opts.authorize == nil {
		return topics, nil
	}
	for _, t := range topics {
		if err := h.opts.authorize(r, t); err != nil {
			h.refuse(w, ReasonForbidden, statusOf(err))
			return nil, fmt.Errorf("sse: serve topic %q: %w", t, err)
		}
	}
	return topics, nil
}

// check returns the distinct topics of a request.
func (h *Hub) check(topics []string) ([]string, error) {
	switch n := len(topics); {
	case n == 0:
		return nil, errors.New("sse: serve: no topic")
	case n > h.opts.maxTopics: // checked first, so that too many topics cost nothing
		return nil, fmt.Errorf("sse: serve: %d topics, of at most %d for one request; raise WithMaxTopics, or publish what is "+
			"read together to one topic", n, h.opts.maxTopics)
	}
	topics = dedup(topics)
	for _, t := range topics {
		if err := CheckTopic(t); err != nil {
			return nil, err
		}
	}
	return topics, nil
}

func statusOf(err error) int {
	var coded interface{ StatusCode() int }
	if errors.As(err, &coded) {
		if s := coded.StatusCode(); 400 <= s && s < 600 {
			return s
		}
	}
	return http.StatusForbidden
}

func (h *Hub) refuse(w http.ResponseWriter, why Reason, status int) {
	h.refused(why)
	http.Error(w, http.StatusText(status), status)
}

func (h *Hub) refused(why Reason) {
	h.count.refused.Add(1)
	if f := h.opts.metrics.Refuse; f != nil {
		f(why)
	}
}

// lastEventID returns the ID of the last event that the client says it has seen, or "".
func lastEventID(r *http.Request) string {
	return cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("lastEventId"))
}

// ErrBusy is wrapped by errors about requests that were turned away, because of
// [WithMaxConnections] or because the hub is being closed.
var ErrBusy = errors.New("turned away")

func (h *Hub) admit() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closing:
		h.refused(ReasonShutdown)
		return fmt.Errorf("sse: serve: %w: the hub is closed", ErrBusy)
	case h.opts.maxConns > 0 && h.serving >= h.opts.maxConns:
		h.refused(ReasonBusy)
		return fmt.Errorf("sse: serve: %w: %d connections are open, the most that WithMaxConnections allows", ErrBusy, h.serving)
	}
	h.serving++
	h.count.conns.Add(1)
	return nil
}

func (h *Hub) dismiss() {
	h.count.conns.Add(-1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.serving--; h.closing && h.serving == 0 {
		close(h.idle)
	}
}

func (c *conn) headers() {
	header := c.out.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Accel-Buffering", "no") // nginx would hold events back
	header.Del("Content-Length")
	c.out.w.WriteHeader(http.StatusOK)
}

// turnAway answers with an empty stream that tells the client when to come back.
func (c *conn) turnAway() {
	after := c.hub.opts.busyRetry
	if c.hub.isClosing() {
		after = c.hub.opts.retry
	}
	c.out.write(AppendRetry(AppendComment(nil, "busy"), spread(after*3/2, after/2)))
	c.out.flush()
	c.out.last()
}
