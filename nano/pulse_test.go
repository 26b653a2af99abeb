package nano_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

// after yields numbers, each after a pause.
func after(pauses ...time.Duration) func(context.Context, nano.Empty) iter.Seq2[int, error] {
	return func(context.Context, nano.Empty) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i, d := range pauses {
				if time.Sleep(d); !yield(i, nil) {
					return
				}
			}
		}
	}
}

// timed notes when what was written.
type timed struct {
	httptest.ResponseRecorder
	mu    sync.Mutex
	begin time.Time
	at    []time.Duration
	wrote []string
	fail  int // the write that fails, 0 for none
}

func (w *timed) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at, w.wrote = append(w.at, time.Since(w.begin)), append(w.wrote, string(b))
	if len(w.at) == w.fail {
		return 0, errors.New("gone")
	}
	return w.ResponseRecorder.Write(b)
}

func TestPulse(t *testing.T) {
	const s = time.Second
	one := func(n string) string { return `{"seq":` + n + `,"data":` }
	for _, c := range []struct {
		name   string
		pauses []time.Duration
		opts   []nano.Option
		at     []time.Duration
		begins []string
	}{
		{"by default", []time.Duration{0, 40 * s}, nil,
			[]time.Duration{0, 15 * s, 30 * s, 40 * s, 40 * s}, []string{one("1"), "\n", "\n", one("2"), `{"seq":3,"end"`}},
		{"nothing before the first", []time.Duration{40 * s}, nil,
			[]time.Duration{40 * s, 40 * s}, []string{one("1"), `{"seq":2,"end"`}},
		{"never", []time.Duration{0, time.Hour}, []nano.Option{nano.WithHeartbeat(0)},
			[]time.Duration{0, time.Hour, time.Hour}, []string{one("1"), one("2"), `{"seq":3,"end"`}},
		{"busy", []time.Duration{0, 10 * s, 10 * s, 16 * s}, nil,
			[]time.Duration{0, 10 * s, 20 * s, 35 * s, 36 * s, 36 * s},
			[]string{one("1"), one("2"), one("3"), "\n", one("4"), `{"seq":5,"end"`}},
		{"gathered, sent by delay", []time.Duration{0, s, s, 20 * s}, []nano.Option{nano.WithFlush(1<<20, 5*s)},
			[]time.Duration{0, 6 * s, 21 * s, 22 * s}, []string{one("1"), one("2"), "\n", one("4")}},
		{"gathered, sent by size", []time.Duration{0, s, s, s}, []nano.Option{nano.WithFlush(40, 5*s)},
			[]time.Duration{0, 3 * s, 3 * s}, []string{one("1"), one("2"), `{"seq":5,"end"`}},
		{"gathered for as long as it takes", []time.Duration{0, s, 10 * time.Minute},
			[]nano.Option{nano.WithFlush(1<<20, 0), nano.WithHeartbeat(0)},
			[]time.Duration{0, 10*time.Minute + s}, []string{one("1"), one("2")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &timed{ResponseRecorder: *httptest.NewRecorder(), begin: time.Now()}
				nano.HandleStream(registry(), after(c.pauses...), append(c.opts, quiet())...).ServeHTTP(w, request(t, "GET", "/", nil))
				if !slices.Equal(w.at, c.at) || !slices.EqualFunc(w.wrote, c.begins, strings.HasPrefix) {
					t.Errorf("at %v: %q", w.at, w.wrote)
				}
			})
		})
	}
}

// TestPulseBinary: the binary form has signs of life too, and a client with less patience than the
// iterator takes needs them.
func TestPulseBinary(t *testing.T) {
	for heartbeat, whole := range map[time.Duration]bool{15 * time.Second: true, 0: false} {
		synctest.Test(t, func(t *testing.T) {
			h := nano.HandleStream(registry(), after(0, 2*time.Minute), quiet(), nano.WithHeartbeat(heartbeat))
			client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				pr, pw := io.Pipe()
				w := &piped{ResponseRecorder: *httptest.NewRecorder(), to: pw, head: make(chan struct{})}
				go func() {
					defer func() {
						_ = recover() // http.ErrAbortHandler, where the client has gone
						_ = pw.Close()
					}()
					h.ServeHTTP(w, r)
				}()
				<-w.head
				return &http.Response{StatusCode: 200, Header: w.Header(), Body: pr, Request: r}, nil
			})}
			reg := codec.NewRegistry(codec.Gob{})
			n := 0
			var failed error
			for _, err := range nano.ReadStream[int](reg, func() (*http.Request, error) { return request(t, "GET", "http://x", nil), nil },
				nano.StreamOptions{Client: client, Idle: time.Minute}) {
				if err != nil {
					failed = err
					break
				}
				n++
			}
			if whole != (failed == nil) || whole != (n == 2) {
				t.Errorf("heartbeat %v: %d elements, %v", heartbeat, n, failed)
			}
			synctest.Wait()
		})
	}
}

// piped writes to a pipe once the header is there.
type piped struct {
	httptest.ResponseRecorder
	to   *io.PipeWriter
	head chan struct{}
}

func (w *piped) WriteHeader(int)             { close(w.head) }
func (w *piped) Write(b []byte) (int, error) { return w.to.Write(b) }
func (w *piped) Flush()                      {}

// TestPulseFails: a sign of life that cannot be written ends the stream at the next element, and
// nothing follows it.
func TestPulseFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &timed{ResponseRecorder: *httptest.NewRecorder(), begin: time.Now(), fail: 2}
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("recovered %v, want http.ErrAbortHandler", p)
			}
			if len(w.wrote) != 2 || bytes.Contains(w.Body.Bytes(), []byte("end")) {
				t.Errorf("%q", w.wrote)
			}
		}()
		nano.HandleStream(registry(), after(0, time.Minute, 0), quiet()).ServeHTTP(w, request(t, "GET", "/", nil))
	})
}

// TestFaultWhileGathered: an element that cannot be encoded ends the recording of its stream while
// the timer sends what was gathered: a case for the race detector.
func TestFaultWhileGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := nano.HandleStream(registry(), func(context.Context, nano.Empty) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) {
				_ = yield("first", nil) && yield("gathered", nil)
				time.Sleep(time.Millisecond)
				yield(make(chan int), nil)
			}
		}, nano.WithFlush(1<<20, 100*time.Microsecond), nano.WithSnapshots(nano.NewSnapshots(1<<20, time.Minute), nil), quiet())
		w := &timed{ResponseRecorder: *httptest.NewRecorder(), begin: time.Now()}
		h.ServeHTTP(w, request(t, "GET", "/", nil))
		if len(w.at) != 3 || w.at[1] != 100*time.Microsecond || !strings.Contains(w.wrote[2], `"fault"`) {
			t.Errorf("at %v: %q", w.at, w.wrote)
		}
	})
}
