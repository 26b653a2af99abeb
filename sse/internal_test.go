package sse

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// NOTE: what only a race could bring about from outside is brought about here by hand.

func frameOf(seq uint64, key string, size int) *frame {
	return &frame{id: ID{1, seq}, topic: "a", key: key, bytes: []byte(strings.Repeat("x", size))}
}

// A queue keeps its limits and its count of bytes, whatever is done to it, and gives frames in
// order.
func TestQueue(t *testing.T) {
	for _, policy := range []SlowPolicy{Disconnect, DropOldest, ConflateByKey, CatchUp} {
		r := rand.New(rand.NewPCG(20261121, uint64(policy)))
		q := &queue{policy: policy, maxSlots: 8, maxBytes: 500, wake: make(chan struct{}, 1)}
		var spare []*frame
		last, overflows := uint64(0), 0
		for seq := uint64(1); seq < 5000; seq++ {
			q.push(frameOf(seq, string("abcdef"[r.IntN(6)]), r.IntN(100)))
			bytes, before := 0, last
			for _, f := range q.frames {
				bytes += len(f.bytes)
				if f.id.Seq <= before {
					t.Fatalf("policy %d: %d comes after %d", policy, f.id.Seq, before)
				}
				before = f.id.Seq
			}
			if bytes != q.bytes || len(q.frames) > 8 || bytes > 500 {
				t.Fatalf("policy %d: %d frames of %d bytes, counted as %d", policy, len(q.frames), bytes, q.bytes)
			}
			if q.end != "" || q.behind { // begin anew
				overflows++
				q.end, q.behind = "", false
			}
			if q.gap.dropped > 0 && q.gap.to.Seq >= q.frames[0].id.Seq {
				t.Fatalf("policy %d: a gap up to %d before %d", policy, q.gap.to.Seq, q.frames[0].id.Seq)
			}
			if r.IntN(12) == 0 {
				got := q.take(spare)
				if n := len(got.frames); n > 0 {
					last = got.frames[n-1].id.Seq
				}
				spare = got.frames
			}
		}
		if overflows == 0 && policy != DropOldest && policy != ConflateByKey {
			t.Errorf("policy %d: no overflow", policy)
		}
	}
}

// Once a queue has overflowed, nothing enters it until the connection has caught up: it would
// overtake.
func TestQueueBehind(t *testing.T) {
	q := &queue{policy: CatchUp, maxSlots: 2, maxBytes: 500, wake: make(chan struct{}, 1)}
	for seq := uint64(1); seq <= 3; seq++ {
		q.push(frameOf(seq, "", 1))
	}
	got := q.take(nil)
	if len(got.frames) != 2 || !got.behind {
		t.Fatalf("%d frames, behind %v", len(got.frames), got.behind)
	}
	q.push(frameOf(4, "", 1))
	if len(q.frames) != 0 {
		t.Error("frame 4 overtakes frame 3")
	}
	q.push(newReset(ID{2, 0}, ResetEpoch))
	q.push(&frame{id: ID{2, 1}})
	if got := q.take(nil); len(got.frames) != 2 || got.behind {
		t.Errorf("after a reset: %d frames, behind %v", len(got.frames), got.behind)
	}
}

// A hub's own frames are no events: a reset stays, in front, and a heartbeat gives way to the next
// frame, uncounted.
func TestQueueDropsEventsOnly(t *testing.T) {
	for _, slots := range []int{1, 2, 3} {
		q := &queue{policy: DropOldest, maxSlots: slots, maxBytes: 500, wake: make(chan struct{}, 1)}
		q.push(newBeat(ID{1, 1}))
		if n := q.push(frameOf(2, "", 10)); n != 0 || q.gap.dropped != 0 || len(q.frames) != 1 || q.frames[0].id.Seq != 2 {
			t.Errorf("%d slots: %d dropped for a heartbeat, %+v", slots, n, q.gap)
		}
		if n := q.push(newReset(ID{2, 0}, ResetEpoch)); n != 1 {
			t.Errorf("%d slots: a reset dropped %d events, want 1", slots, n)
		}
		dropped := 0
		for seq := uint64(1); seq <= 9; seq++ {
			dropped += q.push(frameOf(seq, "", 10))
		}
		kept := max(slots-1, 1)
		if got := q.take(nil); got.frames[0].kind != resetFrame || len(got.frames) != 1+kept ||
			got.gap.dropped != 9-kept || dropped != 9-kept {
			t.Errorf("%d slots: %d frames, %d and %d dropped", slots, len(got.frames), got.gap.dropped, dropped)
		} else if to := got.gap.to.Seq; to >= got.frames[1].id.Seq {
			t.Errorf("%d slots: a gap up to %d stands before %d", slots, to, got.frames[1].id.Seq)
		}
		q.push(newBeat(ID{2, 9}))
		if n := q.push(newReset(ID{3, 0}, ResetEpoch)); n != 0 {
			t.Errorf("%d slots: a reset dropped %d events for a heartbeat", slots, n)
		}
	}
}

// A connection that became live with what is in the ring is not passed the same by a shard that is
// late.
func TestJoinAheadOfShard(t *testing.T) {
	h, err := Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s := h.shards[0]
	end, gen := h.ring.end()
	f := func(n uint64) *frame { return &frame{id: ID{end.Epoch, n}, gen: gen, topic: "a"} }
	one, two, three := f(1), f(2), f(3)
	h.ring.add([]*frame{one, two}, two.id) // and the shard has not passed them yet
	c := &conn{hub: h, shard: s, gen: gen, topics: newTopicSet([]string{"a"}), seats: make([]seat, 1)}
	c.queue = queue{maxSlots: 8, maxBytes: 100, wake: make(chan struct{}, 1)}
	s.enter(c)
	defer s.leave(c)
	frames, next, done, at := c.join(nil, end)
	if len(frames) != 2 || next != two.id || !done || at != within {
		t.Fatalf("%d frames, %v, %v, %v", len(frames), next, done, at)
	}
	s.pass([]*frame{one, two, three})
	if got := c.queue.take(nil).frames; len(got) != 1 || got[0] != three {
		t.Errorf("passed %d frames, want the third", len(got))
	}
}

// A connection that tuned into a new log is not passed frames of the old one by a shard that is
// late.
func TestTunedAheadOfReset(t *testing.T) {
	h, err := Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s := h.shards[0]
	c := &conn{hub: h, shard: s, topics: newTopicSet([]string{"a"}), seats: make([]seat, 1)}
	c.queue = queue{maxSlots: 8, maxBytes: 100, wake: make(chan struct{}, 1)}
	old := &frame{id: ID{1, 100}, topic: "a"}
	h.ring.add([]*frame{old}, old.id)
	h.ring.reset(ID{2, 0})
	s.enter(c)
	defer s.leave(c)
	c.tuneIn()
	s.pass([]*frame{old})
	if got := c.queue.take(nil).frames; len(got) != 0 {
		t.Errorf("passed %d frames of the old log", len(got))
	}
	fresh := &frame{id: ID{2, 1}, topic: "a"}
	h.ring.add([]*frame{fresh}, fresh.id)
	s.pass([]*frame{fresh})
	if got := c.queue.take(nil).frames; len(got) != 1 || got[0] != fresh {
		t.Errorf("passed %d frames of the new log, want one", len(got))
	}
}

// Connections that come and go in any order leave every audience with just its members, each at the
// seat that it knows.
func TestAudiences(t *testing.T) {
	h, err := Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s := h.shards[0]
	r := rand.New(rand.NewPCG(20261121, 3))
	var open []*conn
	for range 3000 {
		if len(open) > 0 && r.IntN(len(open)+10) >= 10 {
			i := r.IntN(len(open))
			s.leave(open[i])
			open[i] = open[len(open)-1]
			open = open[:len(open)-1]
		} else {
			var topics []string
			for _, k := range r.Perm(20)[:1+r.IntN(12)] {
				topics = append(topics, string(rune('a'+k)))
			}
			c := &conn{hub: h, shard: s, topics: newTopicSet(topics), seats: make([]seat, len(topics))}
			s.enter(c)
			c.tuneIn()
			open = append(open, c)
		}
		want := map[string]int{}
		for _, c := range open {
			for i, topic := range c.topics.list {
				want[topic]++
				at := c.seats[i]
				if at.in != s.topics[topic] || at.in.members[at.i] != (member{c, i}) || !c.topics.has(topic) {
					t.Fatalf("a connection is not at its seat in %q", topic)
				}
			}
			if c.topics.has("none") {
				t.Fatal("a topic that nobody asked for")
			}
		}
		for topic, a := range s.topics {
			if len(a.members) != want[topic] {
				t.Fatalf("topic %q has %d members, want %d", topic, len(a.members), want[topic])
			}
		}
	}
	for _, c := range open {
		s.leave(c)
	}
	if len(s.topics) != 0 {
		t.Errorf("%d topics are left", len(s.topics))
	}
}

// A connection that was admitted just before the hub ends, and is known to it only after, ends too.
func TestEndDuringAdmission(t *testing.T) {
	var h *Hub
	h, err := Open(context.Background(), nil, WithMetrics(Metrics{Connect: func() {
		h.refuseMore()
		h.endAll(ReasonShutdown) // does not find it
	}}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h.Handler(Topics("a")))
	defer server.Close()
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := NewReader(resp.Body, 0, "").Next(); err == nil || strings.Contains(err.Error(), "Timeout") {
		t.Errorf("the stream ends with %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
