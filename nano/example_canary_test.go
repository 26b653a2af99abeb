package nano_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/nano"
)

// A canary chooses between two codecs of JSON for each request. Both are one codec in the registry.
func Example_canary() {
	c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	handler := nano.Handle(codec.NewRegistry(c.Routed(), codec.ZMY{}), func(ctx context.Context, _ nano.Empty) (string, error) {
		chosen, _ := nano.FromContext(ctx).Codec()
		return chosen.Name(), nil
	})
	choose := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := c.WithRequest(r.Context(), r.Header.Get(c.Header()), r.Header.Get("X-User"))
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}

	for _, arm := range []string{"", canary.HeaderCandidate} { // the canary is idle: only the header reaches the candidate
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set(c.Header(), arm)
		w := httptest.NewRecorder()
		choose(handler).ServeHTTP(w, r)
		fmt.Println(w.Header().Get("Content-Type"), w.Body)
	}
	// Output:
	// application/json "json"
	// application/json "fxjson"
}
