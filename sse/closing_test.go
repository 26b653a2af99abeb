package sse_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// stuck is a broker whose history is not read before the context ends.
type stuck struct{ *sse.Memory }

func (stuck) Read(ctx context.Context, dst []sse.Record, _ []string, _ sse.ID, _ int) ([]sse.Record, error) {
	<-ctx.Done()
	return dst, ctx.Err()
}

// Connections that catch up do not hold the end of a hub: neither what reads the history, nor what
// waits for that.
func TestCloseWhileCatchingUp(t *testing.T) {
	for name, end := range map[string]func(*sse.Hub) error{
		"close":    (*sse.Hub).Close,
		"shutdown": func(h *sse.Hub) error { return h.Shutdown(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHub(t, stuck{sse.NewMemory(sse.MemoryOptions{})}, sse.WithRecent(1, 1, 1), sse.WithDrain(time.Second))
				first := publish(t, h, "a", numbers(10)...)[0]
				synctest.Wait()
				reading := watch(t, h, first.String(), "a")
				synctest.Wait()
				waiting := watch(t, h, first.String(), "a")
				synctest.Wait()
				time.AfterFunc(time.Hour, func() { // so that a hub that waits for ever fails this test alone
					reading.leave()
					waiting.leave()
				})
				begin := time.Now()
				if err := end(h); err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); took > 2*time.Second {
					t.Errorf("took %v", took)
				}
				for _, v := range []*viewer{reading, waiting} {
					if err := v.ended(); err != nil {
						t.Errorf("ended with %v", err)
					}
					if n := count(v.text(), "retry: "); n != 2 {
						t.Errorf("%d times told when to come back, want at the begin and the end", n)
					}
				}
			})
		})
	}
}

// One that reads just fast enough holds the end of a hub for a write or two, not for all that it
// has to catch up with.
func TestCloseWhileReadSlowly(t *testing.T) {
	for name, opts := range map[string][]sse.Option{
		"recent events": {sse.WithRecent(1000, 16<<20, 0)},
		"history":       {sse.WithRecent(1, 1, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
				text := strings.Repeat("x", 15<<10)
				first := publish(t, h, "a", text)[0]
				for range 100 {
					publish(t, h, "a", text)
				}
				synctest.Wait()
				v := newViewer(t)
				v.pace = 9 * time.Second
				v.connect(h, first.String(), "a")
				time.Sleep(time.Minute)
				v.mu.Lock()
				n := len(v.buffer) / len(text)
				v.mu.Unlock()
				if n == 0 || n > 10 {
					t.Fatalf("%d events written after a minute", n)
				}
				begin := time.Now()
				if err := h.Close(); err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); took > 40*time.Second {
					t.Errorf("took %v", took)
				}
			}, opts...)
		})
	}
}
