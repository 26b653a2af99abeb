package sse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/sse"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func TestHubLive(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		ab, b := watch(t, h, "", "a", "b", "a"), watch(t, h, "", "b")
		synctest.Wait()
		if got := ab.text(); !strings.HasPrefix(got, ": ok\n\nretry: ") || ab.flushes != 1 || len(ab.events()) != 0 {
			t.Errorf("the first flush of %d is %q", ab.flushes, got)
		}
		for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-cache",
			"X-Accel-Buffering": "no"} {
			if got := ab.header.Get(name); got != want {
				t.Errorf("header %s: %q", name, got)
			}
		}
		one := publish(t, h, "a", "1")[0]
		publish(t, h, "b", "2")
		publish(t, h, "c", "3")
		if _, err := h.Publish(t.Context(), "a", sse.Message{Type: "bin", Data: []byte{255}, Binary: true}); err != nil {
			t.Fatal(err)
		}
		ab.wants("1 2 bin:/w==")
		b.wants("2")
		if e := ab.events()[0]; e.id != one.String() {
			t.Errorf("ID %q, want %q", e.id, one)
		}
		ab.resting()
		ab.leave()
		if err := ab.ended(); err != nil {
			t.Error(err)
		}
		publish(t, h, "b", "4")
		b.wants("2 4")
		if s := h.Stats(); s.Connections != 1 || s.Published != 5 || s.Events != 5 || s.Encoded != 5 ||
			s.Delivered != 5 || s.Resets+s.Dropped+s.Replayed != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// A client continues behind its last event, wherever that lies.
func TestHubResume(t *testing.T) {
	const n = 1000
	for _, c := range []struct {
		name     string
		recent   int // events in the hub
		history  int // events of a topic in the broker
		at       int // the last event seen, of n; -1 is before the first
		want     int // the first event of the answer
		replayed int
	}{
		{"nothing missed", 64, n, n - 1, n, 0},
		{"one from the hub", 64, n, n - 2, n - 1, 1},
		{"more from the hub", 2000, n, 99, 100, 900},
		{"from the broker", 64, n, 99, 100, 900},
		{"a whole batch from the broker", 4, n, n - 1 - 256, n - 256, 256},
		{"all", 64, n, -1, 0, n},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubbleOn(t, sse.MemoryOptions{History: 2 * c.history}, func(t *testing.T, h *sse.Hub, b *sse.Memory) {
				start, err := b.Last(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var ids []sse.ID
				for i := range n {
					ids = append(ids, publish(t, h, "a", fmt.Sprint(i))...)
					publish(t, h, "other", "x")
				}
				synctest.Wait()
				last := start
				if c.at >= 0 {
					last = ids[c.at]
				}
				v := watch(t, h, last.String(), "a")
				synctest.Wait()
				publish(t, h, "a", "live")
				v.wants(strings.Join(append(numbers(n)[c.want:], "live"), " "))
				if s := h.Stats(); s.Replayed != uint64(c.replayed) || s.Resets != 0 {
					t.Errorf("%+v", s)
				}
				v.resting()
			}, sse.WithRecent(c.recent, 1<<20, 0))
		})
	}
}

// Wherever a client comes back, in a ring and a history that are full: all that follows, or a
// reset.
func TestHubResumeEverywhere(t *testing.T) {
	const n, recent, history = 40, 10, 25
	bubbleOn(t, sse.MemoryOptions{History: history}, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		ids := publish(t, h, "a", numbers(n)...)
		synctest.Wait()
		for at, id := range ids {
			v := watch(t, h, id.String(), "a")
			want := strings.Join(numbers(n)[at+1:], " ")
			if at+1 < n-history {
				want = `reset:{"reason":"trimmed"}`
			}
			v.wants(want)
			v.leave()
		}
	}, sse.WithRecent(recent, 1<<20, 0))
}

func TestHubReset(t *testing.T) {
	for _, c := range []struct {
		name   string
		last   func(now sse.ID) string
		reason string
	}{
		{"trimmed", func(now sse.ID) string { now.Seq = 3; return now.String() }, "trimmed"},
		{"another epoch", func(now sse.ID) string { now.Epoch++; return now.String() }, "epoch"},
		{"future", func(now sse.ID) string { now.Seq++; return now.String() }, "future"},
		{"far future", func(now sse.ID) string { now.Seq = 1<<64 - 1; return now.String() }, "future"},
		{"not ours", func(sse.ID) string { return "42" }, "unknown"},
		{"hostile", func(sse.ID) string { return "x\"}\n\ndata: evil" }, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubbleOn(t, sse.MemoryOptions{History: 10}, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
				ids := publish(t, h, "a", numbers(100)...)
				synctest.Wait()
				now := ids[99]
				v := watch(t, h, c.last(now), "a")
				synctest.Wait()
				if got := v.events(); !reflect.DeepEqual(got, []parsed{{now.String(), "reset", `{"reason":"` + c.reason + `"}`}}) {
					t.Errorf("%q", got)
				}
				publish(t, h, "a", "live")
				v.wants("reset:" + `{"reason":"` + c.reason + `"}` + " live")
				if s := h.Stats(); s.Resets != 1 {
					t.Errorf("%+v", s)
				}
			}, sse.WithRecent(20, 1<<20, 0))
		})
	}
}

// A client that was cut off before it saw an event misses none that came meanwhile.
func TestHubFirstID(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		publish(t, h, "a", "before")
		synctest.Wait()
		v := watch(t, h, "", "a")
		synctest.Wait()
		v.leave()
		if err := v.ended(); err != nil {
			t.Error(err)
		}
		publish(t, h, "a", "meanwhile")
		again := watch(t, h, v.lastID(), "a")
		again.wants("meanwhile")
	})
}

func TestHubLastIDInURL(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		ids := publish(t, h, "a", "1", "2")
		synctest.Wait()
		v := newViewer(t)
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/?topic=a&lastEventId="+ids[0].String(), nil)
		go func() {
			h.Handler(sse.QueryTopics("topic")).ServeHTTP(v, r)
			v.done <- nil
		}()
		v.wants("2")
		leave()
		if err := v.ended(); err != nil {
			t.Error(err)
		}
	})
}

// Heartbeats come within a third more than their time, and not while events do.
func TestHubHeartbeat(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		v := watch(t, h, "", "a")
		synctest.Wait()
		v.forget()
		time.Sleep(14 * time.Second)
		synctest.Wait()
		if got := v.text(); got != "" {
			t.Errorf("after 14 s: %q", got)
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := v.text(); got != ":\n\n" {
			t.Errorf("after 20 s: %q", got)
		}
		v.resting()
		// An event of another topic moves the place where a client would continue.
		other := publish(t, h, "b", "x")[0]
		v.forget()
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if got := v.text(); got != "id: "+other.String()+"\n\n" || v.lastID() != other.String() {
			t.Errorf("after 40 s: %q", got)
		}
		v.forget()
		for range 10 {
			publish(t, h, "a", "x")
			time.Sleep(10 * time.Second)
			synctest.Wait()
		}
		if got := v.text(); count(got, "\n\n") != 10 || count(got, "data: x") != 10 {
			t.Errorf("heartbeats between events: %q", got)
		}
	})
}

func TestHubNoHeartbeat(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		v := watch(t, h, "", "a")
		synctest.Wait()
		v.forget()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := v.text(); got != "" {
			t.Errorf("%q", got)
		}
	}, sse.WithHeartbeat(0))
}

func TestHubFlush(t *testing.T) {
	text := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name   string
		policy sse.FlushPolicy
		at     []int // flushes after 0, 50, 99, 150 and 300 ms; two events come at 0 and 40 ms each
	}{
		{"at once", sse.FlushPolicy{}, []int{1, 2, 2, 2, 2}},
		{"each", sse.FlushEach(), []int{2, 4, 4, 4, 4}},
		{"batch by time", sse.FlushBatch(100*time.Millisecond, 1<<20), []int{0, 0, 0, 1, 1}},
		{"batch by size", sse.FlushBatch(time.Hour, 3000), []int{0, 1, 1, 1, 1}},
		{"4 KB", sse.Flush4KB(), []int{0, 1, 1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *sse.Hub, b *sse.Memory) {
				v := watch(t, h, "", "a")
				synctest.Wait()
				before := v.flushes
				var got []int
				at := time.Duration(0)
				for _, ms := range []time.Duration{0, 40, 50, 99, 150, 300} {
					time.Sleep(ms*time.Millisecond - at)
					at = ms * time.Millisecond
					if ms == 0 || ms == 40 {
						v.stall() // so that both are taken at once
						publish(t, h, "a", text+"y", text+"z")
						synctest.Wait()
						v.read()
					}
					synctest.Wait()
					if ms != 40 {
						got = append(got, v.flushes-before)
					}
					v.resting()
				}
				if c.name == "at once" { // the second event came while the first was written
					for i := range got {
						got[i] = min(got[i], c.at[i])
					}
				}
				if !reflect.DeepEqual(got, c.at) {
					t.Errorf("flushes %v, want %v", got, c.at)
				}
			}, sse.WithFlush(c.policy))
		})
	}
}

func TestHubAdmission(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		one, two := watch(t, h, "", "a"), watch(t, h, "", "a")
		synctest.Wait()
		seen := map[string]bool{}
		for range 20 {
			v := watch(t, h, "", "a")
			if err := v.ended(); !errors.Is(err, sse.ErrBusy) {
				t.Fatalf("ended with %v", err)
			}
			r := sse.NewReader(strings.NewReader(v.text()), 0, "")
			_, _ = r.Next()
			d, ok := r.Retry()
			if !ok || d < time.Minute || d > 2*time.Minute || v.status != 200 || v.header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("turned away with %d %v %q", v.status, v.header, v.text())
			}
			seen[d.String()] = true
		}
		if len(seen) < 5 {
			t.Errorf("retry times that are hardly spread: %v", seen)
		}
		one.leave()
		if err := one.ended(); err != nil {
			t.Error(err)
		}
		three := watch(t, h, "", "a")
		synctest.Wait()
		publish(t, h, "a", "x")
		two.wants("x")
		three.wants("x")
		if s := h.Stats(); s.Refused != 20 || s.Connections != 2 {
			t.Errorf("%+v", s)
		}
	}, sse.WithMaxConnections(2, time.Minute))
}

// The ends of connections are spread over the time to drain, and clients told when to come back.
func TestHubShutdown(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		var all []*viewer
		for range 100 {
			all = append(all, watch(t, h, "", "a"))
		}
		synctest.Wait()
		for _, v := range all {
			v.forget()
		}
		done := make(chan error, 1)
		go func() { done <- h.Shutdown(t.Context()) }()
		begin := time.Now()
		for i := 1; i <= 10; i++ {
			time.Sleep(time.Until(begin.Add(time.Duration(i)*time.Second - time.Millisecond)))
			synctest.Wait()
			if left := h.Stats().Connections; left != 100-10*i {
				t.Errorf("after %d s %d are left", i, left)
			}
		}
		late := watch(t, h, "", "a")
		if err := late.ended(); !errors.Is(err, sse.ErrBusy) {
			t.Errorf("a late one ended with %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		for _, v := range all {
			if err := v.ended(); err != nil || count(v.text(), "retry: ") != 1 {
				t.Errorf("%q, %v", v.text(), err)
			}
			if v.deadline.IsZero() {
				t.Error("no deadline for what the server writes when the handler has returned")
			}
		}
	}, sse.WithDrain(10*time.Second))
}

func TestHubShutdownCutShort(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		quick, stalled := watch(t, h, "", "a"), watch(t, h, "", "a")
		synctest.Wait()
		stalled.stall()
		publish(t, h, "a", "x")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		begin := time.Now()
		if err := h.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		if err := quick.ended(); err != nil {
			t.Error(err)
		}
		time.Sleep(8 * time.Second)
		if err := stalled.ended(); err == nil {
			t.Error("no error")
		}
	}, sse.WithDrain(time.Hour))
}

type forbidden struct{ status int }

func (forbidden) Error() string     { return "secret reason" }
func (f forbidden) StatusCode() int { return f.status }

func TestHubAuthorize(t *testing.T) {
	authorize := sse.WithAuthorize(func(r *http.Request, topic string) error {
		if strings.HasPrefix(topic, "private") && r.Header.Get("Authorization") != "let me in" {
			return forbidden{401}
		}
		if topic == "odd" {
			return forbidden{200}
		}
		return nil
	})
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		for _, c := range []struct {
			query string
			want  int
		}{
			{"?topic=public&topic=private", 401}, {"?topic=odd", 403}, {"", 400}, {"?topic=", 400},
			{"?topic=a%0Ab", 400}, {"?topic=%ff", 400},
			{"?topic=" + strings.Repeat("x", 201), 400},
		} {
			w := httptest.NewRecorder()
			h.Handler(sse.QueryTopics("topic")).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+c.query, nil))
			if w.Code != c.want || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%.40s: %d %s", c.query, w.Code, w.Body)
			}
		}
		w := httptest.NewRecorder()
		h.Handler(sse.Topics("public")).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET" {
			t.Errorf("POST: %d", w.Code)
		}
		v := watch(t, h, "", "public")
		synctest.Wait()
		publish(t, h, "public", "x")
		v.wants("x")
	}, authorize)
}

// Responses that cannot be streamed are refused loudly, whatever wraps them.
func TestHubProbe(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for what, w := range map[string]http.ResponseWriter{
			"cannot flush":            struct{ http.ResponseWriter }{httptest.NewRecorder()},
			"takes no write deadline": httptest.NewRecorder(),
		} {
			if err := h.Serve(w, r, "a"); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("want %q, have %v", what, err)
			}
		}
		w := httptest.NewRecorder()
		http.TimeoutHandler(h.Handler(sse.Topics("a")), time.Minute, "").ServeHTTP(w, r)
		if w.Code != http.StatusInternalServerError {
			t.Errorf("behind http.TimeoutHandler: %d", w.Code)
		}
		v := newViewer(t)
		ctx, leave := context.WithCancel(t.Context())
		go func() { v.done <- h.Serve(wrapped{v}, r.WithContext(ctx), "a") }()
		synctest.Wait()
		publish(t, h, "a", "x")
		v.wants("x")
		leave()
		if err := v.ended(); err != nil {
			t.Error(err)
		}
	})
}

type wrapped struct{ *viewer }

func (w wrapped) Unwrap() http.ResponseWriter { return w.viewer }
func (wrapped) SetWriteDeadline()             {} // not the method that is looked for
func (wrapped) SetReadDeadline()              {}
func (wrapped) FlushError()                   {}

func TestPublish(t *testing.T) {
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		for _, c := range []struct {
			topic string
			m     sse.Message
			want  string
		}{
			{"", sse.Message{}, "empty name"},
			{"a\nb", sse.Message{}, "control character U+000A at byte 1"},
			{"a", sse.Message{Type: "x\ny"}, "field cannot be sent"},
			{"a", sse.Message{Type: "reset"}, "choose another one"},
			{"a", sse.Message{Type: "gap"}, "choose another one"},
			{"a", sse.Message{Data: make([]byte, 101)}, "of at most 100"},
		} {
			if _, err := h.Publish(t.Context(), c.topic, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q %+v: %v", c.topic, c.m, err)
			}
		}
		v := watch(t, h, "", "a")
		synctest.Wait()
		for _, c := range []codec.Codec{codec.StdJSON{}, codec.Gob{}} {
			if _, err := h.PublishValue(t.Context(), "a", sse.Message{Type: c.Name()}, c, []int{1, 2}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		got := v.events()
		if len(got) != 2 || got[0].data != "[1,2]" || got[1].typ != "gob" || strings.ContainsAny(got[1].data, " {[\n") {
			t.Errorf("%q", got)
		}
		if _, err := h.PublishValue(t.Context(), "a", sse.Message{}, codec.StdJSON{}, make(chan int)); err == nil {
			t.Error("a channel is published")
		}
		ctx := context.WithValue(t.Context(), asker{}, "asked")
		if _, err := h.PublishValue(ctx, "a", sse.Message{}, asker{codec.StdJSON{}, nil}, 1); err != nil {
			t.Errorf("under the context of the request: %v", err)
		}
	}, sse.WithMaxEvent(100))
}

// asker is a codec that marshals under a context with a value of its own only, as one does that
// makes spans or is the arm of a canary.
type asker struct {
	codec.Codec
	ctx context.Context
}

func (c asker) WithContext(ctx context.Context) codec.Codec { return asker{c.Codec, ctx} }

func (c asker) Marshal(v any) ([]byte, error) {
	if c.ctx == nil || c.ctx.Value(asker{}) != "asked" {
		return nil, errors.New("no context")
	}
	return c.Codec.Marshal(v)
}

func TestIsText(t *testing.T) {
	for mediaType, want := range map[string]bool{
		"application/json": true, "text/plain; charset=utf-8": true, "application/problem+json": true, "APPLICATION/XML": true,
		"application/octet-stream": false, "application/x-gob": false, "application/jsonx": false, "image/png": false, "": false,
	} {
		if got := sse.IsText(mediaTyped(mediaType)); got != want {
			t.Errorf("%q: %v", mediaType, got)
		}
	}
}

type mediaTyped string

func (mediaTyped) Name() string                { return "test" }
func (mediaTyped) Marshal(any) ([]byte, error) { return nil, nil }
func (mediaTyped) Unmarshal([]byte, any) error { return nil }
func (m mediaTyped) MediaTypes() []string      { return []string{string(m)} }

// A request with more topics than it may have costs nothing but its answer.
func TestHubMaxTopics(t *testing.T) {
	same := make([]string, 65)
	for i := range same {
		same[i] = "a"
	}
	for _, c := range []struct {
		name   string
		topics []string
		opts   []sse.Option
		status int
	}{
		{"as many as there may be", numbers(64), nil, 200},
		{"one more", numbers(65), nil, 400},
		{"the same again and again", same, nil, 400},
		{"more where they may be", numbers(100), []sse.Option{sse.WithMaxTopics(100)}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			authorize := sse.WithAuthorize(func(*http.Request, string) error { asked++; return nil })
			bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
				v := watch(t, h, "", c.topics...)
				synctest.Wait()
				if v.status != c.status || (asked > 0) != (c.status == 200) {
					t.Errorf("status %d, want %d; authorize was asked %d times", v.status, c.status, asked)
				}
				if c.status == 200 {
					publish(t, h, c.topics[0], "first")
					publish(t, h, c.topics[len(c.topics)-1], "last")
					v.wants("first last")
					watch(t, h, v.events()[0].id, c.topics...).wants("last")
				}
			}, append(c.opts, authorize)...)
		})
	}
}
