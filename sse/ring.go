package sse

import (
	"slices"
	"sort"
	"sync"
)

// ring holds the newest frames of all topics. Connections that were away for a moment continue from
// it without the broker. A reset begins a new generation. IDs can be compared within a generation
// only: after a restore the log may assign the same ID twice.
type ring struct {
	maxFrames, maxBytes int

	mu     sync.RWMutex
	frames []*frame // circular buffer
	first  int      // index of the oldest
	n      int
	bytes  int
	gen    uint64
	floor  ID // all events after floor, up to last, are in the ring
	last   ID // ID of the newest record that the hub has seen
}

// reset empties the ring and returns the new generation. The next frame is the one after the ID at.
func (r *ring) reset(at ID) (gen uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.frames)
	r.first, r.n, r.bytes = 0, 0, 0
	r.floor, r.last = at, at
	r.gen++
	return r.gen
}

// add appends frames and sets the ring's end to last, which may be greater than their IDs.
func (r *ring) add(frames []*frame, last ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range frames {
		f.gen = r.gen
		if r.n == len(r.frames) && r.n < r.maxFrames {
			r.grow()
		}
		for r.n == len(r.frames) || r.n > 0 && r.bytes+len(f.bytes) > r.maxBytes {
			r.drop()
		}
		r.frames[(r.first+r.n)%len(r.frames)] = f
		r.n++
		r.bytes += len(f.bytes)
	}
	r.last = last
}

func (r *ring) grow() {
	bigger := make([]*frame, min(r.maxFrames, max(64, 2*r.n)))
	for i := range r.n {
		bigger[i] = r.at(i)
	}
	r.frames, r.first = bigger, 0
}

func (r *ring) drop() {
	f := r.at(0)
	r.frames[r.first] = nil
	r.first = (r.first + 1) % len(r.frames)
	r.n--
	r.bytes -= len(f.bytes)
	r.floor = f.id
}

func (r *ring) at(i int) *frame { return r.frames[(r.first+i)%len(r.frames)] }

// end returns the ID of the newest record that the hub has seen, and the generation.
func (r *ring) end() (_ ID, gen uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.last, r.gen
}

// where says where a place lies in relation to the ring.
type where int

const (
	within  where = iota // all events after it are in the ring
	below                // some events after it may be in the broker only
	beyond               // the ring has not reached it yet
	apart                // another epoch
	severed              // another generation
)

// after handles a cursor in generation gen. If the cursor is within the ring, the method appends to
// dst the frames of the topics that follow the cursor, at most limit of them. next is the ID up to
// which dst is then complete; done says that next is the ring's end.
func (r *ring) after(dst []*frame, cursor ID, gen uint64, topics topicSet, limit int) (_ []*frame, next ID, done bool, _ where) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch {
	case cursor.Epoch != r.last.Epoch:
		return dst, cursor, false, apart
	case gen != r.gen:
		return dst, cursor, false, severed
	case cursor.Seq > r.last.Seq:
		return dst, cursor, false, beyond
	case cursor.Seq < r.floor.Seq:
		return dst, cursor, false, below
	}
	for i := sort.Search(r.n, func(i int) bool { return r.at(i).id.Seq > cursor.Seq }); i < r.n; i++ {
		f := r.at(i)
		if !topics.has(f.topic) {
			continue
		}
		if limit == 0 {
			return dst, next, false, within
		}
		dst, next = append(dst, f), f.id
		limit--
	}
	return dst, r.last, true, within
}

// topicSet holds the distinct topics of a connection.
type topicSet struct {
	list []string
	set  map[string]struct{} // nil for up to 8 topics, which are found faster by comparing
}

func newTopicSet(topics []string) topicSet {
	s := topicSet{list: topics}
	if len(topics) > 8 {
		s.set = make(map[string]struct{}, len(topics))
		for _, t := range topics {
			s.set[t] = struct{}{}
		}
	}
	return s
}

func (s topicSet) has(topic string) bool {
	if s.set == nil {
		return slices.Contains(s.list, topic)
	}
	_, ok := s.set[topic]
	return ok
}
