// Package ssecompare asks servers of server-sent events the same questions: how one reader that
// stalls affects the others, which data becomes fields or events of the stream, and what a client
// learns when it reconnects. Its tests print what docs/perf/sse.md shows:
//
//	go test -v -peers
//
// Without -peers only this project's own server is asked, and must give the right answers.
package ssecompare

import (
	"context"
	"net/http"
	"sync/atomic"

	theirs "github.com/r3labs/sse/v2"
	gosse "github.com/tmaxmax/go-sse"

	"time"

	"github.com/zmylab/zmy/sse"
)

// server is one server under test.
type server struct {
	http.Handler
	query   string // query string that clients add to the address
	silent  bool   // the server sends the response header only with the first event
	publish func(typ, data string) error
	close   func()
}

// contender makes servers of one library, in the best configuration that its documentation
// describes for the purpose. The parameter history is the number of events that a server keeps.
type contender struct {
	name string
	open func(history int) (*server, error)
}

// writeTimeout is the write timeout of zmy/sse, the only contender that has one. Its default there
// is 10 s.
const writeTimeout = 2 * time.Second

func contenders() []contender {
	return []contender{{"zmy/sse", openOurs}, {"tmaxmax/go-sse", openGoSSE}, {"r3labs/sse", openR3Labs}}
}

func openOurs(history int) (*server, error) {
	h, err := sse.Open(context.Background(), sse.NewMemory(sse.MemoryOptions{History: history}),
		sse.WithWriteTimeout(writeTimeout), sse.WithRecent(min(history, 1024), 16<<20, 0), sse.WithRetry(100*time.Millisecond))
	if err != nil {
		return nil, err
	}
	return &server{
		Handler: h.Handler(sse.Topics("a")),
		publish: func(typ, data string) error {
			_, err := h.Publish(context.Background(), "a", sse.Message{Type: typ, Data: []byte(data)})
			return err
		},
		close: func() { _ = h.Close() },
	}, nil
}

func openGoSSE(history int) (*server, error) {
	replayer, err := gosse.NewFiniteReplayer(history, true)
	if err != nil {
		return nil, err
	}
	s := &gosse.Server{Provider: &gosse.Joe{Replayer: replayer}}
	return &server{
		Handler: s,
		silent:  true,
		publish: func(typ, data string) error {
			m := &gosse.Message{}
			if typ != "" {
				t, err := gosse.NewType(typ)
				if err != nil {
					return err
				}
				m.Type = t
			}
			m.AppendData(data)
			return s.Publish(m)
		},
		close: func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = s.Shutdown(ctx)
		},
	}, nil
}

// openR3Labs ignores the limit on history: the server keeps all events.
func openR3Labs(int) (*server, error) {
	s := theirs.New()
	s.SplitData = true
	s.CreateStream("a")
	return &server{
		Handler: s,
		query:   "?stream=a",
		publish: func(typ, data string) error {
			s.Publish("a", &theirs.Event{Event: []byte(typ), Data: []byte(data)})
			return nil
		},
		close: func() {}, // Close waits for readers that stall
	}, nil
}

// counted counts the requests that are being served: all of them, and those that stall.
type counted struct {
	http.Handler
	open, stalled atomic.Int64
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer count(&c.open)()
	if r.Header.Get("X-Stalls") != "" {
		defer count(&c.stalled)()
	}
	c.Handler.ServeHTTP(w, r)
}

func count(n *atomic.Int64) (done func()) {
	n.Add(1)
	return func() { n.Add(-1) }
}
