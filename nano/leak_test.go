package nano_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/nano"
)

// goroutines returns the stacks of goroutines that run code of this package, without the caller's.
func goroutines() (stacks []string) {
	b := make([]byte, 1<<20)
	b = b[:runtime.Stack(b, true)]
	for i, s := range strings.Split(string(b), "\n\n") {
		if i > 0 && strings.Contains(s, "zmy/nano.") {
			stacks = append(stacks, s)
		}
	}
	return stacks
}

// noneLeft waits until nothing of nano runs any more.
func noneLeft(t *testing.T) {
	t.Helper()
	if !patience.Wait(10*time.Second, func() bool { return len(goroutines()) == 0 }) {
		t.Errorf("still there:\n%s", strings.Join(goroutines(), "\n\n"))
	}
}

// TestNothingLeft: clients that come, break off half-way at every place and go leave nothing
// behind.
func TestNothingLeft(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/call", nano.Handle(registry(), greet, quiet()))
	mux.Handle("/stream", nano.HandleStream(registry(), func(_ context.Context, in ask) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) {
			for i := 0; yield(answer{strings.Repeat("x", 1000), i}, nil); i++ {
			}
		}
	}, quiet()))
	url := serve(t, mux)
	for i := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		path := []string{"/call", "/stream"}[i%2]
		r, err := http.NewRequestWithContext(ctx, "POST", url+path,
			io.MultiReader(strings.NewReader(posted[:i%len(posted)]), &endless{ctx: ctx, on: i%3 == 0, rest: posted[i%len(posted):]}))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		go func() {
			time.Sleep(time.Duration(i) * time.Millisecond / 2)
			cancel()
		}()
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		cancel()
	}
	noneLeft(t)
}

// endless is the rest of a body, or never ends.
type endless struct {
	ctx  context.Context
	on   bool
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.on {
		<-e.ctx.Done()
		return 0, e.ctx.Err()
	}
	if e.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestBackoff: a client waits longer and longer, and as long as Retry-After asks for; by a clock
// that does not tick.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		served := nano.HandleStream(registry(), count, quiet(),
			nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return "v1", nil }))
		begin, tries := time.Now(), []time.Duration{}
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			tries = append(tries, time.Since(begin))
			if n := len(tries); n == 3 {
				return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"60"}},
					Body: io.NopCloser(strings.NewReader(""))}, nil
			} else if n > 1 {
				return nil, io.ErrUnexpectedEOF
			}
			w := httptest.NewRecorder()
			served.ServeHTTP(w, r)
			resp := w.Result()
			whole, _ := io.ReadAll(resp.Body)
			resp.Body = io.NopCloser(bytes.NewReader(whole[:len(whole)/2]))
			return resp, nil
		})}
		_, err := collect(nano.ReadStream[answer](registry(), asks(t, "http://x", 100),
			nano.StreamOptions{Client: client, Backoff: time.Second}))
		if err == nil || !strings.Contains(err.Error(), "5 attempts to resume brought nothing") || len(tries) != 6 {
			t.Errorf("%d tries: %v", len(tries), err)
		}
		for i, bounds := range [][2]float64{{0, 0}, {0.5, 1.5}, {1, 3}, {60, 60}, {4, 12}, {8, 24}} {
			if i > 0 {
				if wait := (tries[i] - tries[i-1]).Seconds(); wait < bounds[0] || wait > bounds[1] {
					t.Errorf("attempt %d after %v s, want %v", i, wait, bounds)
				}
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestIdle: a stream that stands still counts as lost and is resumed.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		served := nano.HandleStream(registry(), count, quiet(),
			nano.WithResume(resumeKey, func(context.Context, *http.Request) (string, error) { return "v1", nil }))
		tries := 0
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			tries++
			w := httptest.NewRecorder()
			served.ServeHTTP(w, r)
			resp := w.Result()
			if tries == 1 {
				whole, _ := io.ReadAll(resp.Body)
				resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), &endless{ctx: r.Context(), on: true}))
			}
			return resp, nil
		})}
		got, err := collect(nano.ReadStream[answer](registry(), asks(t, "http://x", 100),
			nano.StreamOptions{Client: client, Idle: time.Minute}))
		if err != nil || len(got) != 100 || tries != 2 {
			t.Errorf("%d elements in %d tries: %v", len(got), tries, err)
		}
	})
}

// TestSlowLoop: what the caller does with an element is not the stream's idleness.
func TestSlowLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			tries++
			w := httptest.NewRecorder()
			nano.HandleStream(registry(), count, quiet()).ServeHTTP(w, r)
			return w.Result(), nil
		})}
		n := 0
		for _, err := range nano.ReadStream[answer](registry(), asks(t, "http://x", 5),
			nano.StreamOptions{Client: client, Idle: time.Minute}) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			n++
		}
		if n != 5 || tries != 1 {
			t.Errorf("%d elements in %d tries", n, tries)
		}
	})
}

// TestClientThatDoesNotRead: a handler gets rid of a client that takes nothing.
func TestClientThatDoesNotRead(t *testing.T) {
	ended := make(chan any, 2)
	watch := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				p := recover()
				ended <- p
				panic(p)
			}()
			h.ServeHTTP(w, r)
		})
	}
	mux := http.NewServeMux()
	short := nano.WithWriteTimeout(50 * time.Millisecond)
	mux.Handle("/large", watch(nano.Handle(registry(), func(context.Context, nano.Empty) (string, error) {
		return strings.Repeat("x", 64<<20), nil
	}, quiet(), short)))
	mux.Handle("/stream", watch(nano.HandleStream(registry(), func(context.Context, nano.Empty) iter.Seq2[answer, error] {
		return func(yield func(answer, error) bool) {
			for i := 0; yield(answer{strings.Repeat("x", 1<<20), i}, nil); i++ {
			}
		}
	}, quiet(), short)))
	url := serve(t, mux)
	for _, path := range []string{"/large", "/stream"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		select {
		case p := <-ended:
			if p != http.ErrAbortHandler {
				t.Errorf("%s: ended with %v", path, p)
			}
		case <-time.After(patience.For(time.Minute)):
			t.Errorf("%s: still at it", path)
		}
		_ = conn.Close()
	}
}

// observer notes what it is told, and whether the exchange is known.
type observer struct{ seen []string }

func (o *observer) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }
func (o *observer) End(ctx context.Context, e codec.Event) {
	x := nano.FromContext(ctx)
	o.seen = append(o.seen, fmt.Sprint(e.Codec, " ", e.Op, " ", x != nil && x.Request().URL.Path == "/here"))
}

// TestObserved: observers of the registry find the request of what they see.
func TestObserved(t *testing.T) {
	o := &observer{}
	reg := codec.NewRegistry(codec.Observe(codec.FXJSON{}, o), codec.Observe(codec.ZMY{}, o))
	do(t, nano.Handle(reg, greet, quiet()), "POST", "/here", posted, "Content-Type", "application/json", "Accept", "application/vnd.zmy")
	do(t, nano.HandleStream(reg, count, quiet()), "POST", "/here", `{"count":1}`, "Content-Type", "application/json")
	want := "[fxjson unmarshal true zmy marshal true fxjson unmarshal true fxjson marshal true]"
	if got := fmt.Sprint(o.seen); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCodecsChangeMeanwhile: codecs registered at run time are offered from the next request on.
func TestCodecsChangeMeanwhile(t *testing.T) {
	reg := codec.NewRegistry(codec.FXJSON{})
	call, stream := nano.Handle(reg, greet, quiet()), nano.HandleStream(reg, count, quiet())
	for _, want := range []int{406, 200} {
		for accept, h := range map[string]http.Handler{"application/vnd.zmy": call, "application/vnd.zmy-frames": stream} {
			if w := do(t, h, "POST", "/", posted, "Content-Type", "application/json", "Accept", accept); w.Code != want {
				t.Errorf("%s: %d, want %d", accept, w.Code, want)
			}
		}
		_ = reg.Register(codec.ZMY{})
	}
}
