package nano_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/patience"
	"github.com/zmylab/zmy/nano"
)

// serve2 serves h by HTTP/2 and returns a client that speaks it.
func serve2(t *testing.T, h http.Handler) (string, *http.Client) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL, s.Client()
}

func TestHTTP2(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/call", nano.Handle(registry(), greet, nano.WithReadTimeout(50*time.Millisecond, 10*time.Second), quiet()))
	long := nano.WithWriteTimeout(patience.For(time.Minute))
	mux.Handle("/stream", nano.HandleStream(registry(), count, quiet(), long))
	mux.HandleFunc("/pause", func(w http.ResponseWriter, r *http.Request) {
		d := &deadlines{ResponseWriter: w}
		nano.HandleStream(registry(), func(context.Context, nano.Empty) iter.Seq2[answer, error] {
			return func(yield func(answer, error) bool) {
				for i := range 2 {
					if yield(answer{"", i}, nil); !lifted(d.writes) { // it would reset the stream while the iterator waits
						t.Errorf("deadlines behind element %d: %v", i, d.writes)
					}
					d.writes = nil
				}
			}
		}, quiet(), long).ServeHTTP(d, r)
	})
	mux.Handle("/large", nano.Handle(registry(), func(context.Context, nano.Empty) (string, error) {
		return strings.Repeat("x", 1<<20), nil
	}, quiet(), long))
	url, client := serve2(t, mux)
	o := fast
	o.Client = client

	for _, c := range []codec.Codec{codec.FXJSON{}, codec.ZMY{}} {
		got, err := collect(nano.ReadStream[answer](codec.NewRegistry(c), asks(t, url+"/stream", 500), o))
		if err != nil || !slices.Equal(got, numbers(1, 500)) {
			t.Errorf("%s: %d elements: %v", c.Name(), len(got), err)
		}
	}
	pause := func() (*http.Request, error) { return request(t, "GET", url+"/pause", nil), nil }
	if got, err := collect(nano.ReadStream[answer](registry(), pause, o)); err != nil || len(got) != 2 {
		t.Errorf("%v %v", got, err)
	}
	resp, err := client.Do(request(t, "GET", url+"/large", nil))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.ProtoMajor != 2 || len(b) != 1<<20+2 || err != nil {
		t.Errorf("HTTP/%d: %d bytes: %v", resp.ProtoMajor, len(b), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := request(t, "POST", url+"/call", io.MultiReader(strings.NewReader(posted[:10]), &endless{ctx: ctx, on: true}),
		"Content-Type", "application/json")
	if resp, err = client.Do(r); err != nil {
		t.Fatal(err)
	}
	cancel() // Close waits for the body to be read no more
	if _ = resp.Body.Close(); resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a body that stands still: %d", resp.StatusCode)
	}
}
