package sse_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// bomb is a response whose writes panic.
type bomb struct{ *viewer }

func (bomb) Write([]byte) (int, error) { panic("boom") }

// A panic passes on to the server and leaves nothing of the connection behind.
func TestPanic(t *testing.T) {
	boom := func() { panic("boom") }
	for name, c := range map[string]struct {
		metrics sse.Metrics
		writer  func(*viewer) http.ResponseWriter
	}{
		"write":      {sse.Metrics{}, func(v *viewer) http.ResponseWriter { return bomb{v} }},
		"connect":    {sse.Metrics{Connect: boom}, nil},
		"reset":      {sse.Metrics{Reset: func(sse.ResetReason) { boom() }}, nil},
		"disconnect": {sse.Metrics{Reset: func(sse.ResetReason) { boom() }, Disconnect: func(sse.Reason, time.Duration) { boom() }}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			told := sse.Reason("")
			if c.metrics.Disconnect == nil {
				c.metrics.Disconnect = func(why sse.Reason, _ time.Duration) { told = why }
			}
			synctest.Test(t, func(t *testing.T) {
				h, err := sse.Open(t.Context(), nil, sse.WithLogger(quiet), sse.WithMetrics(c.metrics))
				if err != nil {
					t.Fatal(err)
				}
				v := newViewer(t)
				w := http.ResponseWriter(v)
				if c.writer != nil {
					w = c.writer(v)
				}
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
				r.Header.Set("Last-Event-ID", "none")
				func() {
					defer func() {
						if got := recover(); got != "boom" {
							t.Errorf("recovered %v", got)
						}
					}()
					_ = h.Serve(w, r, "a")
				}()
				if n := h.Stats().Connections; n != 0 {
					t.Errorf("%d connections are left", n)
				}
				if name != "disconnect" && told != sse.ReasonPanic {
					t.Errorf("told %q", told)
				}
				ended := make(chan error)
				go func() { ended <- h.Close() }()
				select {
				case <-ended:
				case <-time.After(time.Hour):
					t.Error("Close waits for ever")
				}
			})
		})
	}
}
