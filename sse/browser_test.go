package sse_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/internal/browsertest"
	"github.com/zmylab/zmy/sse"
	"github.com/zmylab/zmy/web"
)

// TestInBrowser has browser/sse.test.mjs drive a real browser against the hub and a plain
// reference. It needs node, chromium and, once, `npm ci` in lab/report/browser.
func TestInBrowser(t *testing.T) {
	browser := browsertest.Find(t, "../lab/report/browser")
	sites := map[string]string{} // by protocol
	for _, secure := range []bool{false, true} {
		s := httptest.NewUnstartedServer(browserSite(t))
		if s.EnableHTTP2 = secure; secure {
			s.StartTLS() // browsers speak HTTP/2 by TLS only
			sites["HTTP/2.0"] = s.URL
		} else {
			s.Start()
			sites["HTTP/1.1"] = s.URL
		}
		defer s.Close()
		defer s.CloseClientConnections()
	}
	addresses, err := json.Marshal(sites)
	if err != nil {
		t.Fatal(err)
	}
	browser.Run(t, "sse.test.mjs", "ZMY_SITES="+string(addresses))
}

// browserSite is what the browser visits.
func browserSite(t *testing.T) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, browserPage)
	})
	mux.Handle("/zmy-sse.js", web.Handler())
	mux.HandleFunc("/zmy.lock", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "../examples/order-lite/zmy.lock") })
	mux.HandleFunc("/protocol", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	mux.HandleFunc("/careless", careless)
	h := openHub(t, nil, sse.WithRetry(30*time.Millisecond))
	hub := mountOf(t, h)
	for _, seconds := range []int{1, 5, 25} {
		at := fmt.Sprint("/idle", seconds)
		idle := openHub(t, nil, sse.WithRetry(30*time.Millisecond), sse.WithWriteTimeout(time.Duration(seconds)*time.Second))
		mux.Handle(at+"/", http.StripPrefix(at, mountOf(t, idle).handler()))
	}
	ref := &reference{more: make(chan struct{})}
	mux.Handle("/hub/", http.StripPrefix("/hub", hub.handler()))
	mux.Handle("/reference/", http.StripPrefix("/reference", (&mount{serve: ref.serve, publish: ref.publish}).handler()))
	mux.HandleFunc("/hub/order", func(_ http.ResponseWriter, r *http.Request) {
		order := orderlite.Order{ID: "A1", Items: []orderlite.Item{{Sku: "x", Price: 1.5, Qty: 2}, {Sku: "y", Price: -2, Qty: 7}},
			Timestamp: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
		if _, err := h.PublishValue(r.Context(), r.URL.Query().Get("topic"), sse.Message{Type: "order"}, codec.ZMY{}, &order); err != nil {
			t.Error(err)
		}
	})
	serveRaw(mux)
	return mux
}

// mountOf mounts a hub.
func mountOf(t *testing.T, h *sse.Hub) *mount {
	return &mount{
		serve: func(w http.ResponseWriter, r *http.Request) { _ = h.Serve(w, r, r.URL.Query()["topic"]...) },
		publish: func(topic string, m sse.Message) {
			if _, err := h.Publish(context.Background(), topic, m); err != nil {
				t.Error(err)
			}
		},
	}
}

// careless writes under a deadline and does not clear it.
func careless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	_ = rc.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
	_, _ = io.WriteString(w, ": ok\n\n")
	_ = rc.Flush()
	<-r.Context().Done()
}

// serveRaw serves bodies as they are, and what the oracle says that they are.
func serveRaw(mux *http.ServeMux) {
	type raw struct {
		Body   string      `json:"body"`
		Events [][3]string `json:"events"`
		bytes  []byte
	}
	var all []raw
	add := func(body []byte) {
		r := raw{Body: fmt.Sprintf("%q", body), bytes: body}
		for _, e := range oracle(body, "").events {
			r.Events = append(r.Events, [3]string{e.id, e.typ, e.data})
		}
		all = append(all, r)
	}
	for _, c := range streams {
		add([]byte(c.body))
	}
	rnd := rand.New(rand.NewPCG(20261121, 9))
	for range 150 {
		add(scrap(rnd, 20))
		framed, _ := sse.AppendEvent(nil, sse.Event{ID: "5f-7", Type: "t", Data: scrap(rnd, 20)})
		add(framed)
	}
	mux.HandleFunc("/raw", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(all) })
	mux.HandleFunc("/raw/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n"))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(all[n].bytes)
	})
}

// mount is a server of events with the means to try it.
type mount struct {
	serve   http.HandlerFunc
	publish func(topic string, m sse.Message)

	mu      sync.Mutex
	cuts    []func() // each returns when its stream has ended
	refuse  int      // attempts that end at once
	fail    int      // attempts that are answered with 500
	seen    []string
	origins map[string]map[string]bool // by topic, where connections come from
}

func (m *mount) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/events", m.events)
	mux.HandleFunc("/publish", func(_ http.ResponseWriter, r *http.Request) {
		var in struct{ Type, Data, Base64 string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		message := sse.Message{Type: in.Type, Data: []byte(in.Data)}
		if in.Base64 != "" {
			message.Data, _ = base64.StdEncoding.DecodeString(in.Base64)
			message.Binary = true
		}
		m.publish(r.URL.Query().Get("topic"), message)
	})
	mux.HandleFunc("/cut", func(_ http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.refuse, _ = strconv.Atoi(r.URL.Query().Get("refuse"))
		m.fail, _ = strconv.Atoi(r.URL.Query().Get("fail"))
		cuts := m.cuts
		m.cuts = nil
		m.mu.Unlock()
		for _, cut := range cuts { // until its handler has returned, a stream may still send what comes next
			cut()
		}
	})
	mux.HandleFunc("/seen", func(w http.ResponseWriter, _ *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		_ = json.NewEncoder(w).Encode(m.seen)
		m.seen = nil
	})
	mux.HandleFunc("/origins", func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		_ = json.NewEncoder(w).Encode(len(m.origins[r.URL.Query().Get("topic")]))
	})
	return mux
}

func (m *mount) events(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Allow-Credentials", "true")
	}
	switch answer := r.URL.Query().Get("answer"); answer {
	case "":
	case "text":
		w.Header().Set("Content-Type", "text/plain")
		return
	default:
		status, _ := strconv.Atoi(answer)
		w.WriteHeader(status)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	ended := make(chan struct{})
	defer close(ended)
	defer cancel()
	cut := func() {
		cancel()
		<-ended
	}
	m.mu.Lock()
	refuse, fail := m.refuse > 0, m.fail > 0
	m.refuse, m.fail = max(m.refuse-1, 0), max(m.fail-1, 0)
	m.cuts = append(m.cuts, cut)
	m.seen = append(m.seen, r.Header.Get("Last-Event-ID"))
	topic := r.URL.Query().Get("topic")
	if m.origins == nil {
		m.origins = map[string]map[string]bool{}
	}
	if m.origins[topic] == nil {
		m.origins[topic] = map[string]bool{}
	}
	m.origins[topic][r.RemoteAddr] = true
	m.mu.Unlock()
	switch {
	case fail:
		w.WriteHeader(http.StatusInternalServerError)
	case refuse:
		w.Header().Set("Content-Type", "text/event-stream")
	default:
		m.serve(w, r.WithContext(ctx))
		if r.URL.Query().Has("abort") {
			panic(http.ErrAbortHandler)
		}
	}
}

// reference is the shortest server that does what the standard lets a page expect: it keeps all
// events and sends them in order.
type reference struct {
	mu   sync.Mutex
	log  []sse.Record
	more chan struct{} // closed and replaced when the log grows
}

func (s *reference) publish(topic string, m sse.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, sse.Record{Topic: topic, Message: m})
	close(s.more)
	s.more = make(chan struct{})
}

func (s *reference) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	s.mu.Lock()
	next := len(s.log)
	s.mu.Unlock()
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		next, _ = strconv.Atoi(id)
	}
	fmt.Fprintf(w, "retry: 30\nid: %d\n\n", next)
	for {
		s.mu.Lock()
		fresh, more := s.log[next:], s.more
		s.mu.Unlock()
		for _, rec := range fresh {
			next++
			if rec.Topic == r.URL.Query().Get("topic") {
				data := strings.ReplaceAll(strings.ReplaceAll(string(rec.Data), "\r\n", "\n"), "\r", "\n")
				fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", next, rec.Type, strings.ReplaceAll(data, "\n", "\ndata: "))
			}
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}

const browserPage = `<!doctype html><title>events</title><script>
const helpers = {
  publish: (base, topic, m) => fetch(base + "/publish?topic=" + topic, {method: "POST", body: JSON.stringify(m)}),
  cut: (base, refuse, fail = 0) => fetch(base + "/cut?refuse=" + refuse + "&fail=" + fail, {method: "POST"}),
  seen: async (base) => (await fetch(base + "/seen")).json(),
  follow(url, types = [], options = {}) {
    const source = new EventSource(url, options), events = [], waiting = [];
    const take = (e) => { events.push(e); for (const w of waiting) if (events.length >= w.n) w.done(); };
    for (const type of ["message", ...types]) source.addEventListener(type, take);
    return {
      source, events,
      open: new Promise((done) => source.addEventListener("open", done, {once: true})),
      failed: new Promise((done) => source.addEventListener("error", done, {once: true})),
      count: (n) => new Promise((done) => { waiting.push({n, done}); if (events.length >= n) done(); }),
      data: () => events.map((e) => e.data),
    };
  },
};
</script>`
