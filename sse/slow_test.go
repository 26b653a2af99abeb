package sse_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// A stalled client is gone after the write timeout; its neighbours notice nothing.
func TestHubStalled(t *testing.T) {
	for _, policy := range []sse.SlowPolicy{sse.Disconnect, sse.DropOldest, sse.ConflateByKey, sse.CatchUp} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
				slow, quick := watch(t, h, "", "a"), watch(t, h, "", "a")
				synctest.Wait()
				slow.stall()
				publish(t, h, "a", "1", "2")
				time.Sleep(9 * time.Second)
				if !slow.open() {
					t.Error("gone before the timeout")
				}
				quick.wants("1 2")
				time.Sleep(time.Second)
				if err := slow.ended(); err == nil || !strings.Contains(err.Error(), "sse: serve: write") {
					t.Errorf("ended with %v", err)
				}
				if slow.deadline.After(time.Now()) {
					t.Error("the deadline was moved: what the server writes at the end would wait anew")
				}
				publish(t, h, "a", "3")
				quick.wants("1 2 3")
				if s := h.Stats(); s.Slow != 1 || s.Connections != 1 {
					t.Errorf("%+v", s)
				}
			}, sse.WithSlowPolicy(policy))
		})
	}
}

// What becomes of events that a client does not read in time.
func TestHubSlow(t *testing.T) {
	keyed := func(t *testing.T, h *sse.Hub, key, text string) {
		if _, err := h.Publish(t.Context(), "a", sse.Message{Key: key, Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	start := func(t *testing.T, h *sse.Hub) *viewer {
		v := watch(t, h, "", "a")
		synctest.Wait()
		v.stall()
		keyed(t, h, "", "first") // is being written
		return v
	}
	t.Run("disconnect", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			for i := range 10 {
				keyed(t, h, "", fmt.Sprint(i))
			}
			v.read()
			if err := v.ended(); err == nil || !strings.Contains(err.Error(), "more slowly") {
				t.Errorf("ended with %v", err)
			}
			v.wants("first 0 1 2")
			again := watch(t, h, v.lastID(), "a")
			again.wants("3 4 5 6 7 8 9")
		}, sse.WithQueue(3, 1<<20), sse.WithRecent(5, 1<<20, 0))
	})
	t.Run("a burst within the recent events", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			publish(t, h, "a", numbers(500)...)
			synctest.Wait()
			v.read()
			v.wants("first " + strings.Join(numbers(500), " "))
			v.stall()
			publish(t, h, "a", numbers(2000)...)
			synctest.Wait()
			v.read()
			if err := v.ended(); err == nil {
				t.Error("not ended although it fell behind the recent events")
			}
		}, sse.WithQueue(3, 1<<20))
	})
	t.Run("drop oldest", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			var ids []sse.ID
			for i := range 10 {
				ids = append(ids, publish(t, h, "a", fmt.Sprint(i))...)
				synctest.Wait()
			}
			v.read()
			gap := fmt.Sprintf(`gap:{"from":"%s","to":"%s","dropped":7}`, ids[0], ids[6])
			v.wants("first " + gap + " 7 8 9")
			if e := v.events()[1]; e.id != ids[6].String() {
				t.Errorf("the gap has ID %s", e.id)
			}
			publish(t, h, "a", "live")
			v.wants("first " + gap + " 7 8 9 live")
			if s := h.Stats(); s.Dropped != 7 {
				t.Errorf("%+v", s)
			}
		}, sse.WithQueue(3, 1<<20), sse.WithSlowPolicy(sse.DropOldest))
	})
	t.Run("drop oldest by bytes", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			for _, c := range []string{"a", "b", "c"} {
				keyed(t, h, "", strings.Repeat(c, 400))
			}
			keyed(t, h, "", strings.Repeat("d", 5000)) // more than the limit by itself
			v.read()
			synctest.Wait()
			got := v.events()
			if len(got) != 3 || got[1].typ != "gap" || !strings.Contains(got[1].data, `"dropped":3`) || len(got[2].data) != 5000 {
				t.Errorf("%.300q", got)
			}
		}, sse.WithQueue(100, 1000), sse.WithSlowPolicy(sse.DropOldest))
	})
	t.Run("conflate", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			for i := range 10 {
				keyed(t, h, "x", fmt.Sprint("x", i))
				if i == 5 {
					keyed(t, h, "y", "y")
				}
			}
			v.read()
			v.wants("first y x9")
			// Resuming in the middle leads to the same states.
			again := watch(t, h, v.events()[1].id, "a")
			again.wants("x6 x7 x8 x9")
		}, sse.WithQueue(3, 1<<20), sse.WithSlowPolicy(sse.ConflateByKey))
	})
	t.Run("conflate too many keys", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			for i := range 4 {
				keyed(t, h, fmt.Sprint(i), "x")
			}
			v.read()
			if err := v.ended(); err == nil {
				t.Error("no error")
			}
		}, sse.WithQueue(3, 1<<20), sse.WithSlowPolicy(sse.ConflateByKey))
	})
	t.Run("catch up", func(t *testing.T) {
		bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			publish(t, h, "a", numbers(500)...)
			v.read()
			v.wants("first " + strings.Join(numbers(500), " "))
			publish(t, h, "a", "live")
			v.wants("first " + strings.Join(append(numbers(500), "live"), " "))
			v.stall() // and again
			keyed(t, h, "", "more")
			publish(t, h, "a", numbers(100)...)
			v.read()
			v.wants("first " + strings.Join(append(numbers(500), "live", "more"), " ") + " " + strings.Join(numbers(100), " "))
			if s := h.Stats(); s.Dropped+s.Resets+s.Slow != 0 {
				t.Errorf("%+v", s)
			}
		}, sse.WithQueue(3, 1<<20), sse.WithSlowPolicy(sse.CatchUp), sse.WithRecent(100, 1<<20, 0))
	})
	t.Run("catch up with history lost", func(t *testing.T) {
		bubbleOn(t, sse.MemoryOptions{History: 50}, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
			v := start(t, h)
			publish(t, h, "a", numbers(500)...)
			synctest.Wait()
			v.read()
			v.wants("first 0 1 2 " + `reset:{"reason":"trimmed"}`)
			publish(t, h, "a", "live")
			v.wants("first 0 1 2 " + `reset:{"reason":"trimmed"}` + " live")
		}, sse.WithQueue(3, 1<<20), sse.WithSlowPolicy(sse.CatchUp), sse.WithRecent(20, 1<<20, 0))
	})
}
