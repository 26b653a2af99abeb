package sse

import (
	"sync"
	"sync/atomic"
	"time"
)

// shard manages a share of the hub's connections. One goroutine puts frames and heartbeats into
// their queues; it never waits for a connection.
type shard struct {
	hub   *Hub
	inbox chan []*frame

	delivered, bytes atomic.Uint64 // see Stats

	mu     sync.Mutex
	last   ID // ID of the newest frame passed on
	gen    uint64
	topics map[string]*audience
	conns  []*conn
}

// audience holds the connections that are live on a topic.
type audience struct {
	topic   string
	members []member
}

// member is a connection in an audience. c.seats[seat] points back to this audience.
type member struct {
	c    *conn
	seat int
}

// seat says where a connection is: it is member i of an audience.
type seat struct {
	in *audience
	i  int
}

func (s *shard) run() {
	var tick <-chan time.Time
	if idle := s.hub.opts.heartbeat; idle > 0 {
		t := time.NewTicker(max(idle/3, time.Millisecond))
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case frames, open := <-s.inbox:
			if !open {
				return
			}
			s.pass(frames)
		case <-tick:
			s.beat()
		}
	}
}

// pass puts frames into the queues of the connections that follow their topics.
func (s *shard) pass(frames []*frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped := 0
	for _, f := range frames {
		if f.kind == resetFrame {
			for _, c := range s.conns {
				if c.wants(f) {
					c.gen, c.skip = f.gen, f.id
					dropped += c.queue.push(f)
				}
			}
		} else if a := s.topics[f.topic]; a != nil {
			for _, m := range a.members {
				if m.c.wants(f) {
					dropped += m.c.queue.push(f)
				}
			}
		}
		s.last, s.gen = f.id, f.gen
	}
	if dropped > 0 {
		s.hub.drop(dropped)
	}
}

// beat queues a heartbeat for each live connection that was not written to for the heartbeat's
// time. It runs three times within that time.
func (s *shard) beat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f *frame
	now := s.hub.clock()
	for _, c := range s.conns {
		if !c.live || now-c.lastWrite.Load() < int64(s.hub.opts.heartbeat) {
			continue
		}
		if f == nil {
			f = newBeat(s.last)
			f.gen = s.gen
		}
		if c.wants(f) {
			c.queue.push(f)
		} else {
			c.queue.push(comment)
		}
	}
}

var comment = &frame{kind: beatFrame, bytes: AppendComment(nil, "")}

// enter adds c, which is not live yet.
func (s *shard) enter(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.index = len(s.conns)
	s.conns = append(s.conns, c)
}

// leave removes c.
func (s *shard) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute(c)
	last := s.conns[len(s.conns)-1]
	s.conns[c.index], last.index = last, c.index
	s.conns[len(s.conns)-1] = nil
	s.conns = s.conns[:len(s.conns)-1]
}

// tune makes c live after skip, an ID of generation gen: from now on c's queue gets all frames of
// c's topics that follow skip. The caller holds the lock.
func (s *shard) tune(c *conn, skip ID, gen uint64) {
	c.live, c.skip, c.gen = true, skip, gen
	for i, topic := range c.topics.list {
		a := s.topics[topic]
		if a == nil {
			a = &audience{topic: topic}
			s.topics[topic] = a
		}
		c.seats[i] = seat{a, len(a.members)}
		a.members = append(a.members, member{c, i})
	}
}

// mute undoes tune. The caller holds the lock.
func (s *shard) mute(c *conn) {
	if !c.live {
		return
	}
	c.live = false
	for i := range c.seats {
		s.vacate(c.seats[i])
	}
}

func (s *shard) vacate(free seat) {
	a := free.in
	end := len(a.members) - 1
	moved := a.members[end]
	moved.c.seats[moved.seat].i = free.i
	a.members[free.i], a.members[end] = moved, member{}
	a.members = a.members[:end]
	if end == 0 {
		delete(s.topics, a.topic)
	}
}
