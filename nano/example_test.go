package nano_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

func ExampleHandle() {
	type sum struct {
		A, B int
	}
	registry := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})
	mux := http.NewServeMux()
	mux.Handle("POST /sum", nano.Handle(registry, func(_ context.Context, in sum) (int, error) {
		if in.A < 0 || in.B < 0 {
			return 0, nano.Problemf(http.StatusUnprocessableEntity, "only what is positive is summed up here")
		}
		return in.A + in.B, nil
	}))

	for _, body := range []string{`{"A":1,"B":2}`, `{"A":-1}`, `{"A":"x"}`} {
		r := httptest.NewRequest("POST", "/sum", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 3
	// 422 {"title":"Unprocessable Entity","status":422,"detail":"only what is positive is summed up here"}
	// 400 {"title":"Bad Request","status":400,"detail":"a JSON string does not fit here","path":"A","offset":8}
}

func ExampleReadStream() {
	registry := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})
	server := httptest.NewServer(nano.HandleStream(registry, func(context.Context, nano.Empty) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for _, s := range []string{"ready", "steady", "go"} {
				if !yield(s, nil) {
					return
				}
			}
		}
	}))
	defer server.Close()

	request := func() (*http.Request, error) { return http.NewRequest("GET", server.URL, nil) }
	for s, err := range nano.ReadStream[string](registry, request, nano.StreamOptions{}) {
		fmt.Println(s, err)
	}
	// Output:
	// ready <nil>
	// steady <nil>
	// go <nil>
}

func ExampleMock() {
	fromLoadTest := func(r *http.Request) bool { return strings.HasPrefix(r.RemoteAddr, "192.0.2.") }
	h := nano.Mock(nano.MockOptions{Allow: fromLoadTest})(http.NotFoundHandler())
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("X-Latency-Ms", "5")
	r.Header.Set("X-Resp-Type", "ok")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body, w.Header().Get("X-Nano-Mocked"))
	// Output: 200 {"data":"mock"} latency-ms=5; type=ok; qps=0
}
