package ssetest

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/sse"
)

// site is one address, served by several processes with one log. Each process has a hub and a
// broker. Clients follow two of the three topics.
type site struct {
	*suite
	server *httptest.Server
	url    string // URL of the server, or of a proxy to it

	mu      sync.RWMutex // held for writing to replace a process and to publish the last event
	ended   bool         // the last event was published
	brokers []sse.Broker
	hubs    []*sse.Hub

	turn     atomic.Uint32 // index of the hub for the next connection, modulo their number
	resumed  atomic.Int64  // connections that sent a last event ID and have ended
	resets   atomic.Int64
	replayed [2]atomic.Int64 // events sent again: [0] from the hub's recent events, [1] from the broker

	refused atomic.Value // the last error that Serve returned

	logMu sync.Mutex
	log   map[sse.ID]sight
	next  int
}

var topics = []string{"a", "b", "other"} // nobody follows the last one

// lastType is the type of the last event.
const lastType = "last"

// openSite opens a site on a new log.
func openSite(s *suite, history int) *site {
	s.Helper()
	w := &site{suite: s, log: map[sse.ID]sight{}, brokers: []sse.Broker{s.c.Open(s.T, history)}}
	if s.c.Another != nil {
		w.brokers = append(w.brokers, s.c.Another(s.T, w.brokers[0]))
	}
	for _, b := range w.brokers {
		h, err := w.open(b)
		s.must(err)
		w.hubs = append(w.hubs, h)
	}
	w.server = httptest.NewServer(w)
	w.url = w.server.URL
	s.Cleanup(func() {
		for i := range w.hubs {
			s.must(w.hubs[i].Close())
			s.must(w.brokers[i].Close())
		}
		w.server.CloseClientConnections()
		w.server.Close()
	})
	return w
}

// open returns a hub that keeps few recent events and lets two connections at once read the
// broker's history.
func (w *site) open(b sse.Broker) (*sse.Hub, error) {
	return sse.Open(w.ctx(), b, sse.WithRecent(recent, 1<<20, 2), sse.WithQueue(recent, 1<<20),
		sse.WithSlowPolicy(sse.CatchUp), sse.WithRetry(0),
		sse.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))), sse.WithMetrics(sse.Metrics{
			Replay: func(n int, broker bool) {
				from := 0
				if broker {
					from = 1
				}
				w.replayed[from].Add(int64(n))
			},
			Reset: func(sse.ResetReason) { w.resets.Add(1) },
		}))
}

// ServeHTTP lets one of the processes answer: the one that the parameter hub names, or the next.
func (w *site) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.URL.Query().Get("hub"))
	if err != nil {
		i = int(w.turn.Add(1)) % len(w.hubs)
	}
	w.mu.RLock()
	h := w.hubs[i]
	w.mu.RUnlock()
	err = h.Serve(rw, r, topics[:2]...)
	if err != nil {
		w.refused.Store(err)
	}
	if r.Header.Get("Last-Event-ID") != "" && !errors.Is(err, sse.ErrBusy) {
		w.resumed.Add(1)
	}
}

// end returns the ID that a hub has reached. A client without a last event ID is sent it first.
func (w *site) end(hub int) string {
	resp, err := http.Get(w.url + "?hub=" + strconv.Itoa(hub))
	if err != nil {
		w.Error(err)
		return ""
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			return id
		}
	}
	return ""
}

// restart ends process i and starts another one in its place.
func (w *site) restart(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.check(w.hubs[i].Close())
	switch {
	case w.c.Another != nil:
		w.check(w.brokers[i].Close())
		w.brokers[i] = w.c.Another(w.T, w.brokers[1-i])
	case w.c.Restart != nil:
		w.brokers[i] = w.c.Restart(w.T, w.brokers[i])
	}
	h, err := w.open(w.brokers[i])
	w.check(err)
	if err == nil {
		w.hubs[i] = h
	}
}

// check does what must does, for goroutines other than the test's.
func (w *site) check(err error) {
	if err != nil {
		w.Error(err)
	}
}

// publish publishes an event through one of the processes.
func (w *site) publish() {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.ended {
		return
	}
	n := w.number()
	w.add(topics[n%len(topics)], "", strconv.Itoa(n)+strings.Repeat("\ndata: é", n%20))
}

// publishLast publishes an event of type lastType after all others, and returns its ID.
func (w *site) publishLast() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	return w.add(topics[0], lastType, "")
}

func (w *site) number() int {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	w.next++
	return w.next
}

// add publishes an event and returns its ID. Publishing must not fail.
func (w *site) add(topic, kind, text string) string {
	ctx, stop := context.WithTimeout(context.Background(), w.c.patience())
	defer stop()
	id, err := w.append(ctx, topic, kind, text)
	w.check(err)
	return id.String()
}

// append publishes an event and records it if clients must see it.
func (w *site) append(ctx context.Context, topic, kind, text string) (sse.ID, error) {
	id, err := w.hubs[int(w.turn.Add(1))%len(w.hubs)].Publish(ctx, topic, sse.Message{Type: kind, Data: []byte(text)})
	if topic == topics[len(topics)-1] || err != nil {
		return id, err
	}
	w.logMu.Lock()
	defer w.logMu.Unlock()
	w.log[id] = sight{id.String(), cmp.Or(kind, "message"), text}
	return id, nil
}

// count returns how many events clients must have seen so far.
func (w *site) count() int {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	return len(w.log)
}

// published returns the events that clients must see, in order.
func (w *site) published() (out []sight) {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	for _, id := range slices.SortedFunc(maps.Keys(w.log), func(a, b sse.ID) int { return cmp.Compare(a.Seq, b.Seq) }) {
		out = append(out, w.log[id])
	}
	return out
}
