package guardx_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	kithttp "github.com/go-kit/kit/transport/http"

	"github.com/zmylab/zmy/nano"
)

var errSoldOut = errors.New("sold out")

// kitServer is a server of go-kit's HTTP transport, with its own decoder, encoder and encoder of
// errors.
func kitServer() http.Handler {
	return kithttp.NewServer(
		func(_ context.Context, request any) (any, error) {
			id, _ := request.(string)
			if id == "none" {
				return nil, errSoldOut
			}
			return map[string]string{"id": id}, nil
		},
		func(_ context.Context, r *http.Request) (any, error) { return strings.TrimPrefix(r.URL.Path, "/"), nil },
		func(_ context.Context, w http.ResponseWriter, response any) error {
			return json.NewEncoder(w).Encode(response)
		},
		kithttp.ServerErrorEncoder(func(_ context.Context, err error, w http.ResponseWriter) {
			http.Error(w, err.Error(), http.StatusGone)
		}),
	)
}

// TestMockKit: nano.Mock before a server of go-kit delays, makes answers up, and leaves its own
// alone.
func TestMockKit(t *testing.T) { synctest.Test(t, testMockKit) }

func testMockKit(t *testing.T) {
	h := nano.Mock(nano.MockOptions{Allow: func(*http.Request) bool { return true }})(kitServer())
	for _, c := range []struct {
		path   string
		fields []string
		status int
		body   string
		took   time.Duration
	}{
		{"/7", nil, 200, `{"id":"7"}`, 0},
		{"/none", nil, 410, "sold out", 0},
		{"/7", []string{"X-Resp-Type", "ok"}, 200, `{"data":"mock"}`, 0},
		{"/7", []string{"X-Resp-Type", "error"}, 503, `{"error":"busy"}`, 0},
		{"/7", []string{"X-Latency-Ms", "20"}, 200, `{"id":"7"}`, 20 * time.Millisecond},
		{"/none", []string{"X-Latency-Ms", "20"}, 410, "sold out", 20 * time.Millisecond},
		{"/7", []string{"X-QPS-Target", "1"}, 200, `{"id":"7"}`, 0},
		{"/7", []string{"X-QPS-Target", "1"}, 503, `{"error":"busy"}`, 0},
	} {
		r := httptest.NewRequest("GET", c.path, nil)
		for i := 0; i < len(c.fields); i += 2 {
			r.Header.Set(c.fields[i], c.fields[i+1])
		}
		w := httptest.NewRecorder()
		begin := time.Now()
		h.ServeHTTP(w, r)
		if body := strings.TrimSpace(w.Body.String()); w.Code != c.status || body != c.body || time.Since(begin) != c.took {
			t.Errorf("%s %q: %d %s after %v, want %d %s", c.path, c.fields, w.Code, body, time.Since(begin), c.status, c.body)
		}
		if mocked := w.Header().Get(nano.MockedField) != ""; mocked != (c.fields != nil) {
			t.Errorf("%s %q: marked %v", c.path, c.fields, mocked)
		}
	}
}
