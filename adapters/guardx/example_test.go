package guardx_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/go-chi/chi/v5"

	"github.com/zmylab/zmy/adapters/guardx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/nano"
)

type lookup struct{ ID string }

// Bind takes the path parameter of the router.
func (l *lookup) Bind(r *http.Request) error {
	l.ID = chi.URLParam(r, "id")
	return nil
}

// Two requests a second for each tenant, on a router of chi.
func Example() {
	service := nano.NewService(codec.NewRegistry(codec.FXJSON{}, codec.ZMY{}),
		nano.WithKey(func(r *http.Request) nano.Key { return nano.Key{Tenant: r.Header.Get("X-Tenant"), Version: "v1"} }),
		nano.WithLimiter(guardx.NewLimiters(guardx.LimiterOptions{Rate: 2})),
		nano.WithBreaker(guardx.NewBreakers(guardx.BreakerOptions{})),
	)
	r := chi.NewRouter()
	r.Method("GET", "/items/{id}", nano.HandleBy(service, func(_ context.Context, in lookup) (map[string]string, error) {
		return map[string]string{"id": in.ID}, nil
	}))
	for _, tenant := range []string{"a", "a", "a", "b"} {
		req := httptest.NewRequest("GET", "/items/7", nil)
		req.Header.Set("X-Tenant", tenant)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		fmt.Println(tenant, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	// Output:
	// a 200  {"id":"7"}
	// a 200  {"id":"7"}
	// a 429 1 {"title":"Too Many Requests","status":429,"detail":"there were more requests than are allowed"}
	// b 200  {"id":"7"}
}
