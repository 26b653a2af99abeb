package serve

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/browsertest"
)

// TestPageInBrowser has browser/page.test.mjs look at the page in a real browser. It needs node,
// chromium and, once, `npm ci` in lab/report/browser.
func TestPageInBrowser(t *testing.T) {
	browser := browsertest.Find(t, "../../../lab/report/browser")
	s, err := New(t.Context(), Options{Seed: 1, Every: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.produce(ctx) }()
	mux := http.NewServeMux()
	mux.Handle("/", s)
	srv := httptest.NewServer(mux)
	mux.HandleFunc("POST /test/cut", func(http.ResponseWriter, *http.Request) { srv.CloseClientConnections() })
	defer func() {
		stop()
		<-ended
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		srv.CloseClientConnections()
		srv.Close()
	}()
	browser.Run(t, "page.test.mjs", "ZMY_URL="+srv.URL)
}
