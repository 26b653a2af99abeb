package nano

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
)

// audit holds the store's accounts against what it has and what the recordings have.
func audit(t *testing.T, c *Snapshots, recordings []*recording) {
	t.Helper()
	recorded, answers := 0, 0
	for _, r := range recordings {
		if r.of != nil {
			recorded += r.id.size() + cap(r.frames)
		}
	}
	for id, e := range c.answers.places {
		n := e.Value.(*lruEntry[snapshotID, snapshot])
		answers += id.size() + len(n.value.body)
	}
	if c.recorded != recorded || c.bytes != recorded+answers {
		t.Fatalf("%d recorded of %d bytes, want %d of %d", c.recorded, c.bytes, recorded, recorded+answers)
	}
	if c.recorded > c.maxBytes/2 || c.bytes > max(c.maxBytes, 0) {
		t.Fatalf("%d recorded of %d bytes: more than the limit of %d", c.recorded, c.bytes, c.maxBytes)
	}
}

// TestRecordingsAreCounted: whatever streams and answers come and go, the store holds no more than
// its limit, and knows how much that is.
func TestRecordingsAreCounted(t *testing.T) {
	for _, limit := range []int{-1, 0, 1000, 10_000, 100_000} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(limit+1)))
			c := NewSnapshots(limit, time.Minute)
			running := make([]*recording, 40)
			for i := range running {
				running[i] = new(recording)
			}
			kept, refused := 0, 0
			for range 3000 {
				r := running[rng.IntN(len(running))]
				id := snapshotID{id: fmt.Sprint("stream ", rng.IntN(200))}
				switch what := rng.IntN(20); {
				case r.of == nil:
					if c.begin(id) {
						*r = recording{of: c, id: id}
					} else {
						refused++
					}
				case what < 14:
					r.add(make([]byte, rng.IntN(1000)))
				case what < 16:
					r.keep()
					kept++
				case what < 18:
					r.stop()
				default:
					c.put(id, http.StatusOK, make([]byte, rng.IntN(3000)))
				}
				audit(t, c, running)
			}
			if refused == 0 || limit >= 10_000 && kept < 50 {
				t.Errorf("%d kept, %d refused: the test is about nothing", kept, refused)
			}
			for _, r := range running {
				r.stop()
			}
			audit(t, c, nil)
			if len(c.recording) > 0 {
				t.Errorf("still recorded: %v", c.recording)
			}
		})
	}
}

// TestOneRecordingOfEach: many clients that follow one stream are recorded once, and nothing is
// left of a recording however its stream ends.
func TestOneRecordingOfEach(t *testing.T) {
	ends := map[string]func(yield func(string, error) bool){
		"whole":  func(func(string, error) bool) {},
		"fails":  func(yield func(string, error) bool) { yield("", errors.New("no more")) },
		"panics": func(func(string, error) bool) { panic("no more") },
		"aborts": func(func(string, error) bool) { panic(http.ErrAbortHandler) },
		"large":  func(yield func(string, error) bool) { yield(strings.Repeat("x", 300<<10), nil) },
	}
	for name, end := range ends {
		synctest.Test(t, func(t *testing.T) {
			c := NewSnapshots(1<<20, time.Minute)
			h := HandleStream(codec.NewRegistry(codec.FXJSON{}), func(context.Context, Empty) iter.Seq2[string, error] {
				return func(yield func(string, error) bool) {
					for range 20 {
						if !yield(strings.Repeat("x", 4<<10), nil) {
							return
						}
					}
					time.Sleep(time.Second)
					end(yield)
				}
			}, WithSnapshots(c, nil), WithLogger(slog.New(slog.DiscardHandler)))
			for range 20 {
				go func() {
					defer func() { _ = recover() }()
					h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
				}()
			}
			synctest.Wait()
			c.mu.Lock()
			if len(c.recording) != 1 || c.recorded < 80<<10 || c.recorded > c.maxBytes/4 || c.bytes != c.recorded {
				t.Errorf("%s: %d recordings, %d bytes, %d in all", name, len(c.recording), c.recorded, c.bytes)
			}
			c.mu.Unlock()
			time.Sleep(time.Minute)
			synctest.Wait()
			audit(t, c, nil)
			if len(c.recording) != 0 || (c.answers.len() == 1) != (name == "whole") {
				t.Errorf("%s: %d recordings and %d answers are left", name, len(c.recording), c.answers.len())
			}
		})
	}
}
