package load

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/codec"
	events "github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/sse"
)

// fake is a server that sends what a test has it send, whatever was published.
type fake struct {
	t      *testing.T
	number int // events that each request publishes
	// send is what the n-th connection is sent of the frames that it should be sent: one for each
	// event.
	send func(n int, frames []string) []string
	// answer, if set, answers requests for streams from the second on: the first one is the probe.
	answer func(n int, w http.ResponseWriter, r *http.Request) (done bool)

	mu      sync.Mutex
	conns   int
	frames  []string // of what was published last
	streams map[int]chan []string
}

func (f *fake) start() *SSE {
	f.t.Helper()
	f.streams = map[int]chan []string{}
	mux := http.NewServeMux()
	mux.HandleFunc(feed.StatePath, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(feed.State{Flush: "fake", Codecs: feed.Names()})
	})
	mux.HandleFunc("GET "+feed.EventsPath, f.stream)
	mux.HandleFunc("POST "+feed.EventsPath, f.publish)
	srv := httptest.NewServer(mux)
	f.t.Cleanup(srv.Close)
	f.t.Cleanup(srv.CloseClientConnections)
	return &SSE{Targets: []*Target{{URL: srv.URL}}, Conns: 3, Rates: []float64{100}, Burst: 1, Sizes: []int{0}, Codecs: []string{"json"},
		For: time.Second, Timeout: 5 * time.Second, Rounds: 1, Seed: 1}
}

func (f *fake) stream(w http.ResponseWriter, r *http.Request) {
	frames := make(chan []string, 10)
	f.mu.Lock()
	n := f.conns
	f.conns++
	if n > 0 {
		f.streams[n-1] = frames
	}
	f.mu.Unlock()
	if n > 0 && f.answer != nil && f.answer(n-1, w, r) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ": ok\n\n")
	w.(http.Flusher).Flush()
	for {
		select {
		case some := <-frames:
			for _, frame := range some {
				if frame == "cut" {
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}
				_, _ = io.WriteString(w, frame)
			}
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (f *fake) publish(w http.ResponseWriter, r *http.Request) {
	var in feed.Request
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		f.t.Error(err)
	}
	c, err := feed.Lookup(in.Codec)
	if err != nil {
		f.t.Error(err)
		return
	}
	report := feed.Report{Published: f.number, Late: new(Histogram)}
	var frames []string
	for i := range f.number {
		frame, n := eventFrame(f.t, c, in.From+i)
		frames = append(frames, frame)
		report.Bytes += int64(n)
	}
	f.mu.Lock()
	f.frames = frames
	for n, s := range f.streams {
		mine := slices.Clone(frames)
		if f.send != nil {
			mine = f.send(n, mine)
		}
		s <- mine
	}
	f.mu.Unlock()
	_ = json.NewEncoder(w).Encode(report)
}

// eventFrame is the frame of an event that is due now.
func eventFrame(t *testing.T, c codec.Codec, n int) (frame string, data int) {
	v := events.SSEEvent{ID: feed.ID(time.Now(), n), Event: "order.created", Data: "{}"}
	b, err := c.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	e := sse.Event{ID: fmt.Sprint("f-", n), Type: c.Name(), Data: b}
	text, err := sse.AppendEvent(nil, e)
	if !sse.IsText(c) {
		text, err = sse.AppendBinaryEvent(nil, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text), len(b)
}

// run measures against the fake.
func (f *fake) run() *SSEPoint {
	f.t.Helper()
	s := f.start()
	r, err := s.Run(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	if len(r.Points) != 1 || len(r.Groups) != 1 || r.Groups[0].Open != s.Conns {
		f.t.Fatalf("%d points, %+v", len(r.Points), r.Groups[0])
	}
	return r.Points[0]
}

// TestFaults: what a server drops, repeats, disorders and spoils is counted, exactly.
func TestFaults(t *testing.T) {
	t.Parallel()
	type counts struct{ delivered, lost, told, duplicated, disordered, damaged, resets, gaps int64 }
	only := func(n int, change func([]string) []string) func(int, []string) []string {
		return func(conn int, frames []string) []string {
			if conn == n {
				return change(frames)
			}
			return frames
		}
	}
	var together sync.WaitGroup // those that wait for what is lost wait at the same time
	defer together.Wait()
	for _, c := range []struct {
		name string
		send func(int, []string) []string
		want counts
	}{
		{"nothing", nil, counts{delivered: 60}},
		{"one dropped for one", only(1, func(f []string) []string { return slices.Delete(f, 4, 5) }), counts{delivered: 59, lost: 1}},
		{"the first and the last dropped", only(0, func(f []string) []string { return f[1:19] }), counts{delivered: 58, lost: 2}},
		{"dropped for all", func(_ int, f []string) []string { return slices.Delete(f, 7, 9) }, counts{delivered: 54, lost: 6}},
		{"all dropped for one", only(2, func([]string) []string { return nil }), counts{delivered: 40, lost: 20}},
		{"one twice", only(2, func(f []string) []string { return slices.Insert(f, 5, f[4]) }), counts{delivered: 60, duplicated: 1}},
		{"one again at the end", only(2, func(f []string) []string { return append(f, f[0]) }), counts{delivered: 60, duplicated: 1}},
		{"two exchanged", only(0, func(f []string) []string { f[3], f[4] = f[4], f[3]; return f }), counts{delivered: 60, disordered: 1}},
		{"backwards", only(0, func(f []string) []string { slices.Reverse(f); return f }), counts{delivered: 60, disordered: 19}},
		{"one lost, one twice, two exchanged", only(1, func(f []string) []string {
			f[10], f[11] = f[11], f[10]
			return append(slices.Delete(f, 4, 5), f[0])
		}), counts{delivered: 59, lost: 1, duplicated: 1, disordered: 1}},
		{"other data under an ID", only(1, func(f []string) []string {
			f[6] = strings.Replace(f[6], "order.created", "order.damaged", 1)
			return f
		}), counts{}},
		{"no event of this load", only(0, func(f []string) []string { return append(f, "id: x\nevent: tea\ndata: 1\n\n") }),
			counts{delivered: 60, damaged: 1}},
		{"unreadable", only(0, func(f []string) []string { return append(f, "id: x\nevent: json\ndata: {\n\n") }),
			counts{delivered: 60, damaged: 1}},
		{"without an ID", only(0, func(f []string) []string { return append(f, "id\nevent: json\ndata: {\"id\":\"1-5\"}\n\n") }),
			counts{delivered: 60, damaged: 1}},
		{"reset and gap", only(0, func(f []string) []string {
			return append(f, "event: reset\ndata: {}\n\n", "event: gap\ndata: {}\n\n", "event: gap\ndata: {}\n\n")
		}), counts{delivered: 60, resets: 1, gaps: 2}},
		{"lost, and told", only(0, func(f []string) []string {
			return slices.Concat(f[:3], []string{"event: reset\ndata: {}\n\n"}, f[5:9], f[10:12],
				[]string{"event: gap\ndata: {}\n\n"}, f[13:18], []string{"event: reset\ndata: {}\n\n"})
		}), counts{delivered: 54, lost: 6, told: 5, resets: 2, gaps: 1}},
	} {
		together.Go(func() {
			t.Run(c.name, func(t *testing.T) {
				p := (&fake{t: t, number: 20, send: c.send}).run()
				if p.Published != 20 || p.Conns != 3 || p.Latency.N() != uint64(p.Delivered) || p.First.N() != uint64(p.Delivered) {
					t.Errorf("%d published to %d, %d latencies and %d first bytes of %d deliveries",
						p.Published, p.Conns, p.Latency.N(), p.First.N(), p.Delivered)
				}
				got := counts{p.Delivered, p.Lost, p.Told, p.Duplicated, p.Disordered, p.Damaged, p.Resets, p.Gaps}
				if c.name == "other data under an ID" { // whichever came first is taken for the right one
					if p.Damaged != p.Lost || p.Delivered+p.Lost != 60 || p.Damaged < 1 || p.Damaged > 2 {
						t.Errorf("%+v", got)
					}
					return
				}
				if got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
				if r := (&SSEResult{Points: []*SSEPoint{p}}); r.Wrong() != c.want.lost+c.want.duplicated+c.want.disordered+c.want.damaged {
					t.Errorf("%d are wrong", r.Wrong())
				}
			})
		})
	}
}

// TestCut: a connection that is cut off comes back behind its last event, and is counted.
func TestCut(t *testing.T) {
	f := &fake{t: t, number: 20}
	f.send = func(n int, frames []string) []string {
		if n == 1 {
			return append(frames[:5], "cut")
		}
		return frames
	}
	f.answer = func(n int, w http.ResponseWriter, r *http.Request) bool {
		last := r.Header.Get("Last-Event-ID")
		if n < 3 {
			if last != "" {
				t.Errorf("connection %d begins behind %s", n, last)
			}
			return false
		}
		if last != "f-4" {
			t.Errorf("it comes back behind %q, want f-4", last)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		f.mu.Lock()
		rest := strings.Join(f.frames[5:], "")
		f.mu.Unlock()
		_, _ = io.WriteString(w, rest)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	p := f.run()
	if p.Reconnects != 1 || p.Errors["cut off"] != 1 || p.Delivered != 60 || p.Wrong() != 0 {
		t.Errorf("%d reconnects, %v, %d delivered, %d wrong", p.Reconnects, p.Errors, p.Delivered, p.Wrong())
	}
}

// TestRefused: what is no stream of events is told apart, on the first connection and on later
// ones.
func TestRefused(t *testing.T) {
	t.Parallel()
	var together sync.WaitGroup
	defer together.Wait()
	for _, c := range []struct {
		name, first, later string // parts of the error, and the class of later failures
		answer             http.HandlerFunc
	}{
		{"503", "503 Service Unavailable", "503", func(w http.ResponseWriter,
			_ *http.Request) {
			http.Error(w, "busy", http.StatusServiceUnavailable)
		}},
		{"no stream", `"text/html"`, "no stream", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<p>")
		}},
		{"cut off", "EOF", "cut off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"an end before the first byte", "", "ended", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
		}},
	} {
		together.Go(func() {
			t.Run(c.name, func(t *testing.T) {
				f := &fake{t: t, number: 5, answer: func(n int, w http.ResponseWriter, r *http.Request) bool {
					if n == 0 {
						return false // one is served
					}
					c.answer(w, r)
					return true
				}}
				s := f.start()
				s.Timeout = 3 * time.Second // how long is waited for those that do not open
				r, err := s.Run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if g := r.Groups[0]; g.Open != 1 || g.Wanted != 3 || g.Errors[c.later] == 0 || len(g.Errors) != 1 {
					t.Errorf("%d of %d open, %v", g.Open, g.Wanted, g.Errors)
				}
				if p := r.Points[0]; p.Conns != 1 || p.Delivered != 5 || p.Wrong() != 0 {
					t.Errorf("%d connections, %d delivered, %d wrong", p.Conns, p.Delivered, p.Wrong())
				}
				if c.first == "" {
					return
				}
				mux := http.NewServeMux()
				mux.HandleFunc(feed.StatePath, func(w http.ResponseWriter, _ *http.Request) {
					_ = json.NewEncoder(w).Encode(feed.State{Codecs: feed.Names()})
				})
				mux.HandleFunc(feed.EventsPath, c.answer)
				srv := httptest.NewServer(mux)
				defer srv.Close()
				s.Targets = []*Target{{URL: srv.URL}}
				if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.first) ||
					!strings.Contains(err.Error(), "first connection") {
					t.Errorf("%v, want %s", err, c.first)
				}
			})
		})
	}
}
